"""How well questions are answered: question sets in, numbers out.

``questions`` says what a set is, ``reading`` reads one, ``metrics`` defines the numbers of one
question, ``scoring`` asks and scores, ``summary`` takes means, ``results`` keeps them as JSON,
``comparing`` tells two of them apart. Nothing here knows how an answer is found.
"""

from hybridindex.evaluation.comparing import Comparison, compare, dropped
from hybridindex.evaluation.questions import Located, Question
from hybridindex.evaluation.reading import read_questions
from hybridindex.evaluation.results import read_scores, result_fields, rounded
from hybridindex.evaluation.scoring import DEPTH, NAMES, Outcome, evaluate
from hybridindex.evaluation.summary import by_group, latency_of, summarise

__all__ = [
    "DEPTH",
    "NAMES",
    "Comparison",
    "Located",
    "Outcome",
    "Question",
    "by_group",
    "compare",
    "dropped",
    "evaluate",
    "latency_of",
    "read_questions",
    "read_scores",
    "result_fields",
    "rounded",
    "summarise",
]
