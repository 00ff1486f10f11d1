"""How well questions are answered: question sets in, numbers out.

``questions`` says what a set is, ``reading`` reads one, ``metrics`` defines the numbers of one
question, ``scoring`` asks and scores, ``summary`` takes means, ``results`` keeps them as JSON,
``comparing`` tells two of them apart. Nothing here knows how an answer is found.
"""
