"""What makes and keeps the committed index: one module for each thing a person may ask for."""
