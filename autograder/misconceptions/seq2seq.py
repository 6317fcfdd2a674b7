"""What learners get wrong in exercise `seq2seq`."""

import numpy as np

from autograder.misconceptions.catalogue import wrong
from solutions.attention import scaled_dot_product_attention
from solutions.seq2seq import Seq2SeqAttention
from solutions.softmax import softmax

right_init, right_encode, right_step = Seq2SeqAttention.__init__, Seq2SeqAttention.encode, Seq2SeqAttention.decode_step


def advance(model, token, h, c):
    """The decoder's new state."""
    return model.decoder_lstm.forward(model.decoder_embedding[token], h, c)


def look(query, keys, values):
    """Attention with one query: (context, weights)."""
    context, weights = scaled_dot_product_attention(query[np.newaxis], keys, values)
    return context[0], weights[0]


def look_back(model, h, encoder_outputs):
    """The right context and the right weights for the decoder's h."""
    return look(h @ model.W_Q, encoder_outputs @ model.W_K, encoder_outputs @ model.W_V)


def read(cell, embedding, src, *, carry_h=True, carry_c=True):
    """All states (h, c) of a cell that reads `src`."""
    h = c = zeros = np.zeros(embedding.shape[1])
    states = []
    for token in src:
        h, c = cell.forward(embedding[token], h if carry_h else zeros, c if carry_c else zeros)
        states.append((h, c))
    return states


def outputs_and_state(states):
    """What `encode` returns of such states."""
    return np.array([h for h, _ in states]), states[-1]


@wrong(
    "Seq2SeqAttention.encode",
    "What does the encoder still know of the first word when it reads the second?",
    "编码器读第二个词时，还记得第一个词的什么？",
)
def state_not_carried(self, src):
    """Every word is read from a state of zeros."""
    return outputs_and_state(read(self.encoder_lstm, self.encoder_embedding, src, carry_h=False, carry_c=False))


@wrong(
    "Seq2SeqAttention.encode",
    "The cell has two states. Do both of them go on from word to word?",
    "LSTM 单元有两个状态，它们都从一个词传到下一个词了吗？",
)
def c_not_carried(self, src):
    """h goes on to the next word, c starts from zeros each time."""
    return outputs_and_state(read(self.encoder_lstm, self.encoder_embedding, src, carry_c=False))


@wrong(
    "Seq2SeqAttention.encode",
    "Which h does the cell get with the second word: the one that the first word left, or the zeros of the start?",
    "读第二个词时送入单元的是哪个 h：第一个词留下的，还是开头的零？",
)
def h_not_carried(self, src):
    """c goes on to the next word, h starts from zeros each time."""
    return outputs_and_state(read(self.encoder_lstm, self.encoder_embedding, src, carry_h=False))


@wrong(
    "Seq2SeqAttention.encode",
    "Of h and c, which one does an LSTM show to the outside, and which one is its own memory?",
    "h 和 c 中，LSTM 对外输出的是哪一个，自己记忆用的又是哪一个？",
)
def memory_as_outputs(self, src):
    """Keeps c of each word in place of h."""
    states = read(self.encoder_lstm, self.encoder_embedding, src)
    return np.array([c for _, c in states]), states[-1]


@wrong(
    "Seq2SeqAttention.encode",
    "Do you keep h before or after the cell has read the word? What is row 0 of encoder_outputs?",
    "你保存的是读词之前还是之后的 h？encoder_outputs 的第 0 行是什么？",
)
def outputs_before_the_word(self, src):
    """Keeps h before the word is read, so that row 0 is the zeros of the start."""
    outputs, state = right_encode(self, src)
    return np.vstack([np.zeros_like(outputs[:1]), outputs[:-1]]), state


@wrong("Seq2SeqAttention.encode", "With which word of the sentence does the encoder begin?", "编码器从句子的哪个词开始读？")
def reads_backwards(self, src):
    """Reads from the last word to the first."""
    return right_encode(self, list(src)[::-1])


@wrong(
    "Seq2SeqAttention.encode",
    "There are two LSTM cells. Which one reads the source, and are they two objects?",
    "模型里有两个 LSTM 单元：读源句的是哪一个？它们是两个不同的对象吗？",
)
def decoder_cell_encodes(self, src):
    """The encoder uses the decoder's cell."""
    return outputs_and_state(read(self.decoder_lstm, self.encoder_embedding, src))


@wrong(
    "Seq2SeqAttention.encode",
    "In which vocabulary are the numbers of `src`? Which embedding has a row for each of them?",
    "`src` 中的编号属于哪个词表？哪个嵌入矩阵为其中每个词都准备了一行？",
)
def target_embedding_encodes(self, src):
    """The encoder looks its words up in the embedding of the target language."""
    return outputs_and_state(read(self.encoder_lstm, self.decoder_embedding, src))


@wrong(
    "Seq2SeqAttention.encode",
    "In which order does the contract name the two parts of the state, and in which does the cell return them?",
    "接口约定中状态的两个部分按什么顺序排列？LSTM 单元又按什么顺序返回它们？",
)
def state_as_c_h(self, src):
    """Returns the last state as (c, h)."""
    outputs, (h, c) = right_encode(self, src)
    return outputs, (c, h)


@wrong(
    "Seq2SeqAttention.encode",
    "How many values does the contract name, and which two of yours belong together?",
    "接口约定返回几个值？你返回的值中哪两个应当放在一起？",
)
def state_not_a_pair(self, src):
    """Returns three values, not the outputs and a pair."""
    outputs, (h, c) = right_encode(self, src)
    return outputs, h, c


@wrong(
    "Seq2SeqAttention.encode",
    "The decoder wants to look back at every source word. How many of the encoder's h have you kept?",
    "解码器要回看源句的每个词，而编码器的 h 你保留了几个？",
)
def last_output_alone(self, src):
    """Keeps h after the last word only: the bottleneck."""
    _, state = right_encode(self, src)
    return state[0], state


@wrong(
    "Seq2SeqAttention.decode_step",
    "Can the query know which word was written last, if the cell has not read it yet?",
    "如果 LSTM 单元还没有读入上一个词，查询怎么会知道刚才写的是什么？",
)
def attends_before_the_cell(self, token, h, c, encoder_outputs):
    """The query comes from the old h, and the cell runs afterwards."""
    context, weights = look_back(self, h, encoder_outputs)
    h, c = advance(self, token, h, c)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Which h goes into the logits: the one you were given, or the one that already knows `token`?",
    "计算 logits 用的是哪个 h：传进来的那个，还是已经读过 `token` 的那个？",
)
def cell_runs_last(self, token, h, c, encoder_outputs):
    """The query and the logits come from the old h; the cell only prepares the next step."""
    context, weights = look_back(self, h, encoder_outputs)
    logits = np.tanh(h + context) @ self.W_out
    return (logits, *advance(self, token, h, c), weights)


@wrong(
    "Seq2SeqAttention.decode_step",
    "The attention is right. With which h do you add its context up?",
    "注意力算对了，但上下文向量是与哪个 h 相加的？",
)
def old_h_in_the_logits(self, token, h, c, encoder_outputs):
    """Attends with the new h, but adds the context to the old one."""
    _, new_h, new_c, weights = right_step(self, token, h, c, encoder_outputs)
    return np.tanh(h + weights @ (encoder_outputs @ self.W_V)) @ self.W_out, new_h, new_c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What is done to dot products before the softmax when the vectors are wide?",
    "向量较宽时，点积在 softmax 之前要做什么处理？",
)
def not_scaled(self, token, h, c, encoder_outputs):
    """The plain dot product, without the division."""
    h, c = advance(self, token, h, c)
    weights = softmax(encoder_outputs @ self.W_K @ (h @ self.W_Q))
    return np.tanh(h + weights @ (encoder_outputs @ self.W_V)) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Which length makes dot products spread: the number of source words, or the width of a key?",
    "让点积变得分散的是哪个长度：源句的词数，还是键的维数？",
)
def scaled_by_the_number_of_words(self, token, h, c, encoder_outputs):
    """Divides by the root of the number of source words."""
    h, c = advance(self, token, h, c)
    weights = softmax(encoder_outputs @ self.W_K @ (h @ self.W_Q) / np.sqrt(len(encoder_outputs)))
    return np.tanh(h + weights @ (encoder_outputs @ self.W_V)) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Over which axis does your softmax run, the one of the single query or the one of the source words?",
    "你的 softmax 沿哪个轴计算：只有一个查询的那个轴，还是源句词的那个轴？",
)
def softmax_over_the_one_query(self, token, h, c, encoder_outputs):
    """Softmax over the axis of length 1, so that every weight is 1."""
    h, c = advance(self, token, h, c)
    weights = np.ones(len(encoder_outputs))
    return np.tanh(h + weights @ (encoder_outputs @ self.W_V)) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What does exp make of a score of 8000, and what does your own softmax then divide?",
    "exp 遇到 8000 的分数会得到什么？你自己写的 softmax 接下来拿什么相除？",
)
def softmax_overflows(self, token, h, c, encoder_outputs):
    """A softmax of its own without the shift by the largest score."""
    h, c = advance(self, token, h, c)
    exps = np.exp(encoder_outputs @ self.W_K @ (h @ self.W_Q) / np.sqrt(len(h)))
    weights = exps / exps.sum()
    return np.tanh(h + weights @ (encoder_outputs @ self.W_V)) @ self.W_out, h, c, weights


@wrong("Seq2SeqAttention.decode_step", "Is the query h itself, or a projection of it?", "查询就是 h 本身，还是 h 的一个投影？")
def query_not_projected(self, token, h, c, encoder_outputs):
    """h itself as the query."""
    h, c = advance(self, token, h, c)
    context, weights = look(h, encoder_outputs @ self.W_K, encoder_outputs @ self.W_V)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What is W_K for? Are the encoder's outputs keys already?",
    "W_K 是做什么用的？编码器的输出本身就是键吗？",
)
def keys_not_projected(self, token, h, c, encoder_outputs):
    """encoder_outputs themselves as the keys."""
    h, c = advance(self, token, h, c)
    context, weights = look(h @ self.W_Q, encoder_outputs, encoder_outputs @ self.W_V)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Of what is the context an average: of the encoder's outputs as they are?",
    "上下文向量是什么的加权平均：编码器原样的输出吗？",
)
def values_not_projected(self, token, h, c, encoder_outputs):
    """The average of encoder_outputs, without W_V."""
    h, c = advance(self, token, h, c)
    context, weights = look(h @ self.W_Q, encoder_outputs @ self.W_K, encoder_outputs)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What a word is found by and what it hands over: which of the two is mixed into the context?",
    "一个词“靠什么被找到”和“交出什么”：进入上下文向量的是哪一个？",
)
def context_from_the_keys(self, token, h, c, encoder_outputs):
    """The average of the keys in place of the values."""
    h, c = advance(self, token, h, c)
    keys = encoder_outputs @ self.W_K
    context, weights = look(h @ self.W_Q, keys, keys)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Which matrix belongs to the one who asks, and which to the one who is asked?",
    "哪个矩阵属于提问的一方，哪个属于被问的一方？",
)
def query_and_key_matrices_swapped(self, token, h, c, encoder_outputs):
    """W_K for the query, W_Q for the keys."""
    h, c = advance(self, token, h, c)
    context, weights = look(h @ self.W_K, encoder_outputs @ self.W_Q, encoder_outputs @ self.W_V)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "At whose words should the decoder look? Where do your keys and values come from?",
    "解码器应当看谁的词？你的键和值来自哪里？",
)
def decoder_attends_to_itself(self, token, h, c, encoder_outputs):
    """Keys and values from the decoder's own h."""
    h, c = advance(self, token, h, c)
    context, weights = look_back(self, h, h[np.newaxis])
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Who needs something here, and so asks: the encoder or the decoder?",
    "这里谁需要信息，因而由谁来提问：编码器还是解码器？",
)
def encoder_asks_the_decoder(self, token, h, c, encoder_outputs):
    """Queries from the encoder, key and value from the decoder."""
    h, c = advance(self, token, h, c)
    one = h[np.newaxis]
    context, weights = scaled_dot_product_attention(encoder_outputs @ self.W_Q, one @ self.W_K, one @ self.W_V)
    return np.tanh(h + context[0]) @ self.W_out, h, c, weights[:, 0]


@wrong(
    "Seq2SeqAttention.decode_step",
    "How do your weights get into the context? Would it change if the decoder looked elsewhere?",
    "你的权重怎样进入上下文向量？解码器换个地方看，上下文向量会变吗？",
)
def context_is_the_last_value(self, token, h, c, encoder_outputs):
    """The value of the last source word as the context, whatever the weights are."""
    _, h, c, weights = right_step(self, token, h, c, encoder_outputs)
    return np.tanh(h + encoder_outputs[-1] @ self.W_V) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "The decoder looked back. Where do the logits make use of what it saw?",
    "解码器回看了源句，但 logits 在哪里用到了看到的内容？",
)
def logits_without_the_context(self, token, h, c, encoder_outputs):
    """The logits from h alone."""
    _, h, c, weights = right_step(self, token, h, c, encoder_outputs)
    return np.tanh(h) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Do the logits still know what the decoder itself has written so far?",
    "logits 还知道解码器自己到目前为止写了什么吗？",
)
def logits_without_h(self, token, h, c, encoder_outputs):
    """The logits from the context alone."""
    h, c = advance(self, token, h, c)
    context, weights = look_back(self, h, encoder_outputs)
    return np.tanh(context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What happens to h + context before it meets W_out?",
    "h + context 在乘 W_out 之前还要经过什么？",
)
def no_tanh(self, token, h, c, encoder_outputs):
    """(h + context) @ W_out, without the tanh."""
    h, c = advance(self, token, h, c)
    context, weights = look_back(self, h, encoder_outputs)
    return (h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Can your logits be larger than 1? What does the tanh apply to?",
    "你的 logits 能大于 1 吗？tanh 作用在什么上？",
)
def tanh_of_the_logits(self, token, h, c, encoder_outputs):
    """tanh after W_out in place of before it."""
    h, c = advance(self, token, h, c)
    context, weights = look_back(self, h, encoder_outputs)
    return np.tanh((h + context) @ self.W_out), h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Do logits have to add up to 1? What is the difference between logits and probabilities?",
    "logits 加起来必须等于 1 吗？logits 与概率有什么区别？",
)
def probabilities_for_logits(self, token, h, c, encoder_outputs):
    """Returns the softmax of the logits."""
    logits, *rest = right_step(self, token, h, c, encoder_outputs)
    return (softmax(logits), *rest)


@wrong(
    "Seq2SeqAttention.decode_step",
    "Which cell writes the translation, and which one has only read the source?",
    "写译文的是哪个单元，只负责读源句的又是哪个？",
)
def encoder_cell_decodes(self, token, h, c, encoder_outputs):
    """The decoder uses the encoder's cell."""
    h, c = self.encoder_lstm.forward(self.decoder_embedding[token], h, c)
    context, weights = look_back(self, h, encoder_outputs)
    return np.tanh(h + context) @ self.W_out, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "What does the decoder remember of the steps before, if it does not go on from the h and c that it is given?",
    "如果解码器不从传入的 h、c 接着算，它对前面各步还记得什么？",
)
def decoder_starts_anew(self, token, h, c, encoder_outputs):
    """The cell starts from zeros at every step."""
    return right_step(self, token, np.zeros_like(h), np.zeros_like(c), encoder_outputs)


@wrong(
    "Seq2SeqAttention.decode_step",
    "From which state should the next step go on, and which one do you hand back?",
    "下一步应当从哪个状态接着算？你返回的又是哪个状态？",
)
def old_state_returned(self, token, h, c, encoder_outputs):
    """Returns the h and c that it was given."""
    logits, _, _, weights = right_step(self, token, h, c, encoder_outputs)
    return logits, h, c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Does the h that you hand back still come straight out of the cell, or has something been added to it?",
    "你返回的 h 还是 LSTM 单元直接给出的吗，还是又加上了什么？",
)
def context_in_the_state(self, token, h, c, encoder_outputs):
    """Returns h + context as the new h."""
    logits, h, c, weights = right_step(self, token, h, c, encoder_outputs)
    return logits, h + weights @ (encoder_outputs @ self.W_V), c, weights


@wrong(
    "Seq2SeqAttention.decode_step",
    "Your attention has an axis for the queries, and there is one query. Which shape do the weights have then, and which is asked for?",
    "注意力的结果有一个查询轴，而这里只有一个查询。这时权重是什么形状？要求的又是什么形状？",
)
def query_axis_kept(self, token, h, c, encoder_outputs):
    """Weights (1, n)."""
    logits, h, c, weights = right_step(self, token, h, c, encoder_outputs)
    return logits, h, c, weights[np.newaxis]


@wrong(
    "Seq2SeqAttention.__init__",
    "What does every product with a matrix of zeros give, and its gradient?",
    "与全零矩阵相乘得到什么？它的梯度呢？",
    diagnosed=False,
)
def projections_start_as_zeros(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
    """W_Q, W_K and W_V start as zeros."""
    right_init(self, src_vocab_size, tgt_vocab_size, hidden_size, seed)
    self.W_Q = self.W_K = self.W_V = np.zeros((hidden_size, hidden_size))


@wrong(
    "Seq2SeqAttention.__init__",
    "Do encoder and decoder learn the same thing? How many cells have you made?",
    "编码器和解码器学的是同样的东西吗？你创建了几个 LSTM 单元？",
    diagnosed=False,
)
def one_cell_for_both(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
    """One LSTM cell under both names."""
    right_init(self, src_vocab_size, tgt_vocab_size, hidden_size, seed)
    self.decoder_lstm = self.encoder_lstm
