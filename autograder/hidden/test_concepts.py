"""Grades exercise `concepts`: a test for each question, all with the same points.

The explanations stand here and nowhere else: a student reads them with the grades, in either language.
"""

import unicodedata
from dataclasses import dataclass

import pytest

from autograder.grading import Text, Unanswered, graded

LONGEST_ANSWER = 1000
POINTS = 0.125  # 16 of them are 2, exactly


@dataclass(frozen=True)
class Question:
    """One question of solutions/concepts.py: its id, what it is about, and why the right option is right."""

    id: str
    title: Text
    explanation: Text


QUESTIONS = (
    Question(
        "bottleneck",
        Text("What attention was invented against", "注意力要解决什么问题"),
        Text(
            "Everything the encoder read has to fit into its last state, whose width does not grow with the sentence. Attention "
            "keeps all states and lets the decoder look at them.",
            "编码器读到的一切都要塞进最后的状态，而它的宽度并不随句子变长。注意力保留全部状态，让解码器去看。",
        ),
    ),
    Question(
        "query",
        Text("The query", "查询"),
        Text(
            "The query asks. It is compared with the keys, by a dot product, and does not itself become part of the output.",
            "查询负责提问：它与各个键做点积来比较，自己并不进入输出。",
        ),
    ),
    Question(
        "key",
        Text("The key", "键"),
        Text(
            "The key is what a token is found by: its match with a query gives the score, and scores become weights. What is then "
            "mixed is another vector.",
            "词元靠键被找到：键与查询的匹配程度就是分数，分数再变成权重。真正被混合的是另一个向量。",
        ),
    ),
    Question(
        "value",
        Text("The value", "值"),
        Text(
            "The output is the sum of weight times value. With all weight on one token that is what this token hands over, unmixed.",
            "输出是权重乘值之和。全部权重落在一个词元上时，输出就是这个词元交出的内容，没有混合。",
        ),
    ),
    Question(
        "weights",
        Text("Attention weights", "注意力权重"),
        Text(
            "The softmax runs over the keys, once for each query, so every row is a distribution. A column adds up to anything: a "
            "key can be popular or ignored. Weights are computed anew for each sentence; only the projections are trained.",
            "softmax 沿键的方向对每个查询各做一次，所以每一行是一个分布；一列的和可以是任意的，键可能很受关注，"
            "也可能没人看。权重对每个句子重新计算，训练的只是投影矩阵。",
        ),
    ),
    Question(
        "scaling",
        Text("Scaled dot-product attention", "缩放点积注意力"),
        Text(
            "The variance of a dot product of random vectors is d_k. Undivided, wide keys give scores so far apart that one weight "
            "is nearly 1, the others nearly 0, and all gradients through the softmax nearly 0 too.",
            "随机向量点积的方差是 d_k。不除的话，键越宽分数差得越远：一个权重接近 1，其余接近 0，经过 softmax 的梯度也都接近 0。",
        ),
    ),
    Question(
        "self_attention",
        Text("Self-attention", "自注意力"),
        Text(
            'One sentence plays all three roles, which is what "self" means. If the roles shared a matrix, a token could not look '
            "for anything but what it is itself.",
            "同一个句子担任三个角色，这就是“自”的含义。如果三者共用一个矩阵，词元就只能去找与自己相像的东西。",
        ),
    ),
    Question(
        "cross_attention",
        Text("Attention from a decoder to an encoder", "编码器-解码器注意力"),
        Text(
            "The decoder is the one who needs something, so it asks. What can be found, and what is handed over, are the words of "
            "the source.",
            "需要信息的是解码器，所以由它提问；能被找到的、被交出的，都是源句的词。",
        ),
    ),
    Question(
        "masked_attention",
        Text("Masked self-attention", "掩码自注意力"),
        Text(
            "It is self-attention with a causal mask. The mask hides the future only: the last word read is known, and often the "
            "most useful one.",
            "这是带因果掩码的自注意力。掩码只遮住未来：刚读到的词是已知的，而且往往最有用。",
        ),
    ),
    Question(
        "multi_head",
        Text("Multi-head attention", "多头注意力"),
        Text(
            "One head gives each query one distribution, so it can look at one kind of thing at a time. Several heads look at the "
            "same tokens in several ways side by side, for about the same cost, because each is narrower.",
            "一个头只给每个查询一个分布，一次只能看一类东西。多个头并排地用不同方式看同样的词元；因为每个头更窄，总计算量差不多。",
        ),
    ),
    Question(
        "cost",
        Text("The cost of length", "长度的代价"),
        Text(
            "The matrix has a row for each token and a column for each token, n by n: O(n²). The projections have the same size for "
            "every length.",
            "矩阵的每一行、每一列各对应一个词元，大小是 n × n，即 O(n²)。投影矩阵的大小则与句子长度无关。",
        ),
    ),
    Question(
        "mask_meaning",
        Text("What a mask means", "掩码的含义"),
        Text(
            "This course and torch.nn.functional.scaled_dot_product_attention mark what may be seen; nn.MultiheadAttention marks "
            "what is blocked. Read the documentation before passing a mask on.",
            ""
            "本课程和 torch.nn.functional.scaled_dot_product_attention 标记可以看的，"
            "nn.MultiheadAttention 标记被遮住的。传掩码之前先看文档。",
        ),
    ),
    Question(
        "what_changes",
        Text("Two sentences: what changes", "两个句子：什么变了"),
        Text(
            "The projections belong to the layer and stay; n stays, so shapes stay; softmax always gives rows that add up to 1. "
            "Where tokens look depends on what they are: that is the point of attention.",
            "投影属于这一层，不变；n 不变，所以形状不变；softmax 的每一行总是加起来等于 1。"
            "词元看向哪里取决于词元本身，这正是注意力的意义。",
        ),
    ),
    Question(
        "what_stays",
        Text("Two sentences: what stays", "两个句子：什么没变"),
        Text(
            "Each word meets the same keys and values, only in another order, and a sum does not depend on the order. Rows and "
            "columns of the weights change places together. That is why transformers add an encoding of the position.",
            "每个词面对的仍是同样的键和值，只是顺序不同，而求和与顺序无关；权重的行和列只是一起换了位置。所以 Transformer 要另加位置编码。",
        ),
    ),
    Question(
        "worked_softmax",
        Text("A worked example with a mistake", "一个算错的例子"),
        Text(
            "0.52 + 0.09 + 0.07 + 0.14 + 0.08 = 0.90. The right weights are (0.580, 0.096, 0.079, 0.158, 0.087). Softmax keeps "
            "differences of scores as ratios of weights, not as differences or as equal ratios.",
            "0.52 + 0.09 + 0.07 + 0.14 + 0.08 = 0.90。"
            "正确的权重是 (0.580, 0.096, 0.079, 0.158, 0.087)。"
            "softmax 把分数之差变成权重之比，既不保持差，也不保持分数之比。",
        ),
    ),
    Question(
        "worked_attention",
        Text("Another one", "又一个算错的例子"),
        Text(
            "The dot products 1, 0 and 0.5 are divided by √3, and only then exponentiated and divided by their sum. Without √3, "
            "with 3 in its place, or without the exponential other numbers come out.",
            "点积 1、0、0.5 先除以 √3，再取指数并除以总和。漏掉 √3、误除以 3、或者不取指数，都会得到别的数。",
        ),
    ),
)


def letter_of(answer):
    """The letter that an answer means, whatever its case, width and blanks; None where it is no string, or a long one.

    Normalizing takes time with the square of the length where the string is made for that.
    """
    short = isinstance(answer, str) and len(answer) <= LONGEST_ANSWER
    return "".join(unicodedata.normalize("NFKC", answer).split()).lower() if short else None


ITEMS = [pytest.param(q, id=q.id, marks=graded(POINTS, q.title.en, q.title.zh, explanation=q.explanation)) for q in QUESTIONS]


@pytest.mark.parametrize("question", ITEMS)
def test_question(student, reference, question):
    reply = student.ANSWERS
    if not isinstance(reply.value, dict):
        raise Unanswered("failed", str(Text("ANSWERS must be a dictionary, question -> letter.", "ANSWERS 必须是一个字典：题目 -> 字母。")))
    letter = letter_of(reply.value.get(question.id, ""))
    if letter == "":
        raise Unanswered("todo", str(Text("Not answered yet.", "尚未作答。")))
    if letter != reference.ANSWERS[question.id]:
        raise Unanswered("failed", str(Text("That is not the right option.", "这个选项不对。")))
