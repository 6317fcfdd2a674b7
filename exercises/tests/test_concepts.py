"""Visible tests of the questions: whether each has an answer. Which answers are right comes with the grades."""

import unicodedata

from .expect import Text, expect
from .student import Todo
from .titles import chinese

HINTS = {
    "ANSWERS": Text(
        "Which section of the lesson built the thing that the question asks about, and what does your own code show if you try it?",
        "题目问的东西是在讲义哪一节里实现的？用你自己的代码试一试，会看到什么？",
    ),
}

QUESTIONS = (
    "bottleneck",
    "query",
    "key",
    "value",
    "weights",
    "scaling",
    "self_attention",
    "cross_attention",
    "masked_attention",
    "multi_head",
    "cost",
    "mask_meaning",
    "what_changes",
    "what_stays",
    "worked_softmax",
    "worked_attention",
)


def answers(student):
    """The reply ANSWERS and its letters by question; nothing answered at all means that the exercise is still to do."""
    reply = student.ANSWERS
    given = expect(reply).entries(*QUESTIONS)
    if all(answer.value == "" for answer in given.values()):
        raise Todo("ANSWERS")
    return reply, given


@chinese("每题都作答了")
def test_every_question_is_answered(student):
    """There is something between the quotation marks of each."""
    reply, given = answers(student)
    empty = ", ".join(question for question in QUESTIONS if not str(given[question].value).strip())
    expect(reply).to_hold(not empty, should=Text(f"These have no answer yet: {empty}.", f"这些题还没有作答：{empty}。"))


@chinese("每个答案都是四个字母之一")
def test_every_answer_is_one_of_the_letters(student):
    """a, b, c or d, small or capital, typed with any keyboard, for every question that is answered."""
    reply, given = answers(student)
    texts = {question: unicodedata.normalize("NFKC", str(answer.value)).strip() for question, answer in given.items()}
    other = ", ".join(question for question, text in texts.items() if text and text.lower() not in ("a", "b", "c", "d"))
    expect(reply).to_hold(
        not other, should=Text(f"The answer must be one letter, a, b, c or d: {other}.", f"答案必须是一个字母 a、b、c 或 d：{other}。")
    )
