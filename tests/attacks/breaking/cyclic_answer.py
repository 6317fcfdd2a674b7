"""Answers with a list that holds itself, in a dictionary that does too.

Expected: failed
"""


def softmax(x, axis=-1):
    answer = [x]
    answer.append({"again": answer})
    return answer
