"""What learners get wrong in exercise `concepts`: the answers of someone who believes one wrong thing."""

from autograder.misconceptions.catalogue import wrong
from solutions.concepts import ANSWERS


@wrong(
    "ANSWERS",
    "A token asks, and a token is asked. Which of the two does the query belong to?",
    "一个词元提问，另一个词元被问。查询属于哪一个？",
    diagnosed=False,
)
def query_and_key_exchanged():
    """Takes the query for what a token is found by, and the key for what asks."""
    return {**ANSWERS, "query": "a", "key": "c"}


@wrong(
    "ANSWERS",
    "In a dictionary, is what you look under also what you take away?",
    "查字典时，用来查找的词条，就是你最后拿走的内容吗？",
    diagnosed=False,
)
def key_and_value_exchanged():
    """Takes the key for what is mixed into the output."""
    return {**ANSWERS, "key": "b", "value": "b"}


@wrong(
    "ANSWERS",
    "Between the embedding and the output stands a matrix. Which one?",
    "嵌入与输出之间隔着一个矩阵，是哪一个？",
    diagnosed=False,
)
def output_made_of_embeddings():
    """Thinks that the weights mix the tokens as they came in."""
    return {**ANSWERS, "value": "a"}


@wrong("ANSWERS", "Along which axis does the softmax run?", "softmax 沿哪个轴计算？", diagnosed=False)
def rows_and_columns_exchanged():
    """Thinks that the weights on one key add up to 1."""
    return {**ANSWERS, "weights": "b"}


@wrong(
    "ANSWERS",
    "After training, are the weights of two sentences the same?",
    "训练结束之后，两个句子的注意力权重相同吗？",
    diagnosed=False,
)
def attention_weights_are_trained():
    """Takes attention weights for parameters, and projections for what a sentence brings along."""
    return {**ANSWERS, "weights": "d", "what_changes": "a"}


@wrong(
    "ANSWERS",
    "Which function already sees to it that a row adds up to 1?",
    "让一行加起来等于 1 的是哪个函数？",
    diagnosed=False,
)
def scaling_normalises():
    """Thinks that the division by the root of d_k makes rows add up to 1."""
    return {**ANSWERS, "scaling": "a", "worked_softmax": "a"}


@wrong(
    "ANSWERS",
    "Could a token look for something that it is not itself, if query and key came from one matrix?",
    "如果查询和键来自同一个矩阵，词元还能去找与自己不同的东西吗？",
    diagnosed=False,
)
def one_projection_for_all():
    """Thinks that queries, keys and values of self-attention are the same vectors."""
    return {**ANSWERS, "self_attention": "c"}


@wrong(
    "ANSWERS",
    "How many sentences are there in self-attention, and how many when a decoder looks at a source?",
    "自注意力中有几个句子？解码器看源句时又有几个？",
    diagnosed=False,
)
def self_and_cross_attention_exchanged():
    """Gives self-attention two sentences, and cross-attention one."""
    return {**ANSWERS, "self_attention": "a", "cross_attention": "a"}


@wrong("ANSWERS", "While a translation is written, who needs to know something?", "写译文时，需要知道点什么的是谁？", diagnosed=False)
def encoder_asks_the_decoder():
    """Queries from the encoder, keys and values from the decoder."""
    return {**ANSWERS, "cross_attention": "b"}


@wrong("ANSWERS", "What would the first token attend to?", "那样的话，第一个词元该关注谁？", diagnosed=False)
def causal_mask_hides_the_token_itself():
    """Thinks that a causal mask hides a token's own position."""
    return {**ANSWERS, "masked_attention": "b"}


@wrong(
    "ANSWERS",
    "Is it the tokens or the features that are shared out among the heads?",
    "分给各个头的是词元，还是特征？",
    diagnosed=False,
)
def heads_share_out_the_tokens():
    """Thinks that each head looks at a part of the sentence."""
    return {**ANSWERS, "multi_head": "b"}


@wrong(
    "ANSWERS",
    "If all heads computed the same, why would one keep more than one?",
    "如果所有的头算出来都一样，为什么还要保留好几个？",
    diagnosed=False,
)
def heads_are_averaged():
    """Thinks that heads are copies whose mean is taken."""
    return {**ANSWERS, "multi_head": "a"}


@wrong(
    "ANSWERS",
    "How many pairs of tokens are there in a sentence of 5, and of 10?",
    "5 个词元的句子有多少对词元？10 个呢？",
    diagnosed=False,
)
def cost_grows_with_the_length():
    """Thinks that the matrix of weights grows like the sentence."""
    return {**ANSWERS, "cost": "b"}


@wrong(
    "ANSWERS",
    "Which of the two masks says what may be seen, and which what is blocked?",
    "两种掩码里，哪一种标记可以看的，哪一种标记被遮住的？",
    diagnosed=False,
)
def masks_the_other_way_round():
    """Exchanges the two conventions."""
    return {**ANSWERS, "mask_meaning": "a"}


@wrong(
    "ANSWERS",
    "Where in the formula of self-attention does the position of a token occur?",
    "在自注意力的公式里，哪里出现了词元的位置？",
    diagnosed=False,
)
def attention_knows_the_order():
    """Thinks that attention without positions tells the order of words."""
    return {**ANSWERS, "what_stays": "b"}


@wrong(
    "ANSWERS",
    "How large is what the encoder hands over, for 5 words and for 50?",
    "编码器交给解码器的东西有多大？5 个词时和 50 个词时各是多少？",
    diagnosed=False,
)
def bottleneck_is_the_vocabulary():
    """Thinks that long sentences are hard because of their many different words."""
    return {**ANSWERS, "bottleneck": "d"}


@wrong(
    "ANSWERS",
    "In which order come the division, the exponential and the sum?",
    "除法、指数和求和按什么顺序进行？",
    diagnosed=False,
)
def worked_without_the_scaling():
    """Works the example out without the root of d_k."""
    return {**ANSWERS, "worked_attention": "a"}


@wrong(
    "ANSWERS",
    "Does a softmax keep the ratios of scores? Try it with 0.",
    "softmax 保持分数之间的比例吗？用 0 试一试。",
    diagnosed=False,
)
def softmax_keeps_ratios():
    """Divides by the sum without the exponential."""
    return {**ANSWERS, "worked_softmax": "d", "worked_attention": "b"}
