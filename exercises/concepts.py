"""Questions on the whole course: sixteen, each with four options of which one is right. 选择题，每题先英文后中文。"""

# ANSWERS: a dict, question -> letter. Write the letter of the right option, a, b, c or d, between the quotation marks below
# each question; capitals and blanks do not matter. Every question counts the same. An explanation of each comes with the grades.
# ANSWERS 是一个字典：题目 -> 字母。把正确选项的字母（a、b、c 或 d）写在每题下面的引号里，大小写和空格不影响。
# 每题分值相同。每题的讲解会随成绩一起给出。
#
# TODO 1: answer the questions, in any order. You may look things up and try them out: it is about understanding, not memory.
#         按任意顺序作答。可以查资料，也可以写代码验证：考查的是理解，不是记忆。
ANSWERS: dict[str, str] = {}

# 1. Why did translators without attention get worse with every word that a sentence was longer?
#    a) The decoder cannot see which word it wrote last.
#    b) An LSTM needs a weight matrix of its own for every position.
#    c) All that the decoder gets of the source is one vector, as long for 5 words as for 50.
#    d) A long sentence has more different words, so the vocabulary has to grow with its length.
# 1. 没有注意力的翻译模型，为什么句子越长翻译得越差？
#    a) 解码器看不到自己刚写出的词。
#    b) LSTM 的每个位置都需要一个单独的权重矩阵。
#    c) 解码器从源句得到的只有一个向量，5 个词和 50 个词都一样长。
#    d) 长句里不同的词更多，词表就得变大。
ANSWERS["bottleneck"] = ""

# 2. What does the query of a token say?
#    a) How other tokens can find this one.
#    b) What this token looks for in the others.
#    c) What this token hands over when another one attends to it.
#    d) Where in the sentence this token stands.
# 2. 一个词元的查询（query）表示什么？
#    a) 别的词元怎样找到它。
#    b) 它想在别的词元那里找什么。
#    c) 别的词元关注它时，它交出什么。
#    d) 它在句子中的位置。
ANSWERS["query"] = ""

# 3. What is the key of a token for?
#    a) It is compared with queries, and so decides how much weight the token gets.
#    b) It is mixed into the output with the attention weights.
#    c) It asks the other tokens for what this one needs.
#    d) It says which tokens must not be looked at.
# 3. 一个词元的键（key）有什么用？
#    a) 与查询比较，由此决定这个词元得到多少权重。
#    b) 按注意力权重混合进输出。
#    c) 向别的词元询问自己需要的东西。
#    d) 说明哪些词元不能看。
ANSWERS["key"] = ""

# 4. A query gives one token the weight 1 and all others 0. What is its output?
#    a) That token's embedding.
#    b) That token's key.
#    c) Its own query.
#    d) That token's value.
# 4. 某个查询给一个词元权重 1，其余都是 0。它的输出是什么？
#    a) 那个词元的嵌入。
#    b) 那个词元的键。
#    c) 它自己的查询。
#    d) 那个词元的值。
ANSWERS["value"] = ""

# 5. What is one row of attention weights?
#    a) How one query spreads itself over all keys: not negative, adding up to 1.
#    b) How all queries spread over one key: not negative, adding up to 1.
#    c) Similarities between -1 and 1, as a cosine gives them.
#    d) Parameters of the layer, which training changes.
# 5. 一行注意力权重是什么？
#    a) 一个查询在所有键上的分配：非负，加起来等于 1。
#    b) 所有查询在一个键上的分配：非负，加起来等于 1。
#    c) -1 到 1 之间的相似度，像余弦那样。
#    d) 这一层的参数，训练会改变它们。
ANSWERS["weights"] = ""

# 6. Why are the scores divided by the root of d_k?
#    a) So that the weights of a row add up to 1, however many keys there are.
#    b) So that queries and keys may have different widths and can still be compared.
#    c) So that the cost does not depend on d_k.
#    d) A sum of d_k products spreads like that root, and a softmax of large scores hardly learns.
# 6. 为什么分数要除以 d_k 的平方根？
#    a) 为了让一行权重加起来等于 1。
#    b) 为了让查询和键可以有不同的维数。
#    c) 为了让计算量与 d_k 无关。
#    d) d_k 个乘积之和的离散程度与它成正比，而分数太大时 softmax 几乎学不动。
ANSWERS["scaling"] = ""

# 7. Where do queries, keys and values come from in self-attention?
#    a) Queries from one sentence, keys and values from another.
#    b) All three from the same sentence, by three different projections.
#    c) All three from the same sentence, by one projection that they share.
#    d) Queries are parameters of the layer, keys and values come from the sentence.
# 7. 自注意力中的查询、键、值从哪里来？
#    a) 查询来自一个句子，键和值来自另一个句子。
#    b) 三者来自同一个句子，经过三个不同的投影。
#    c) 三者来自同一个句子，共用一个投影。
#    d) 查询是这一层的参数，键和值来自句子。
ANSWERS["self_attention"] = ""

# 8. A decoder attends to an encoder, as in translation. Where do Q, K and V come from?
#    a) All three from the encoder.
#    b) Q from the encoder, K and V from the decoder.
#    c) Q from the decoder, K and V from the encoder.
#    d) Q and K from the decoder, V from the encoder.
# 8. 翻译时解码器关注编码器。Q、K、V 从哪里来？
#    a) 三者都来自编码器。
#    b) Q 来自编码器，K 和 V 来自解码器。
#    c) Q 来自解码器，K 和 V 来自编码器。
#    d) Q 和 K 来自解码器，V 来自编码器。
ANSWERS["cross_attention"] = ""

# 9. Where do Q, K and V come from in the masked attention of a model that writes text, such as GPT, and what is hidden?
#    a) Q, K and V from the text so far; each token attends to itself and to what is before it.
#    b) Q, K and V from the text so far; each token attends to what is before it, not to itself.
#    c) Q from the text so far, K and V from an encoder whose padding is masked.
#    d) Q from the next token, K and V from the text so far.
# 9. 像 GPT 这样生成文本的模型用掩码注意力，Q、K、V 从哪里来，遮住的又是什么？
#    a) Q、K、V 都来自已有的文本；每个词元关注自己以及之前的内容。
#    b) Q、K、V 都来自已有的文本；每个词元关注之前的内容，但不关注自己。
#    c) Q 来自已有的文本，K 和 V 来自编码器，编码器的填充被遮住。
#    d) Q 来自下一个词元，K 和 V 来自已有的文本。
ANSWERS["masked_attention"] = ""

# 10. What do 8 heads do that one head with the same d_model does not?
#    a) Each computes the same weights, and their mean has less noise.
#    b) Each looks at an eighth of the tokens, so that the whole costs an eighth of what one head costs.
#    c) Each is a layer, and they work one after the other.
#    d) Each has weights of its own, from its own slice of the projections; W_O mixes their outputs.
# 10. d_model 相同时，8 个头做了什么一个头做不到的事？
#    a) 每个头算出同样的权重，取平均后噪声更小。
#    b) 每个头只看八分之一的词元，计算量也是八分之一。
#    c) 每个头是一层，一个接一个地工作。
#    d) 每个头用投影的一段算出自己的权重；各头的输出拼接起来，再由 W_O 混合。
ANSWERS["multi_head"] = ""

# 11. A sentence becomes twice as long. How much does the matrix of its self-attention weights grow?
#    a) It does not: its size is that of W_Q and W_K.
#    b) To twice its size.
#    c) To four times its size.
#    d) To eight times its size.
# 11. 句子变成原来的两倍长，它的自注意力权重矩阵变成多大？
#    a) 不变：它的大小由 W_Q 和 W_K 决定。
#    b) 原来的两倍。
#    c) 原来的四倍。
#    d) 原来的八倍。
ANSWERS["cost"] = ""

# 12. A key is padding and must not be seen. What stands for it in a mask of this course, and in one of torch.nn.MultiheadAttention?
#    a) True here, False there.
#    b) False here, True there.
#    c) False in both.
#    d) True in both.
# 12. 某个键是填充，不能被看到。本课程的掩码用什么表示它，torch.nn.MultiheadAttention 的掩码又用什么？
#    a) 这里是 True，那里是 False。
#    b) 这里是 False，那里是 True。
#    c) 两处都是 False。
#    d) 两处都是 True。
ANSWERS["mask_meaning"] = ""

# 13. Two different sentences of 6 tokens go through the same SelfAttention object. What changes?
#    a) W_Q, W_K and W_V.
#    b) The shape of the weights.
#    c) That each row of the weights adds up to 1.
#    d) The numbers in the weights, and the output.
# 13. 两个不同的句子，各 6 个词元，经过同一个 SelfAttention 对象。什么变了？
#    a) W_Q、W_K 和 W_V。
#    b) 权重的形状。
#    c) 每行权重加起来等于 1 这一点。
#    d) 权重中的数值，以及输出。
ANSWERS["what_changes"] = ""

# 14. The second sentence has the words of the first in another order, and nothing tells a token its position. The output of each
#    word is
#    a) the same as in the first sentence, wherever the word stands now.
#    b) another one, because its neighbours are others.
#    c) another one, because its row of the weights has other numbers in it.
#    d) the same for the words that kept their place only.
# 14. 第二个句子是第一个句子的词换了顺序，而且没有任何东西告诉词元它的位置。每个词的输出
#    a) 与第一个句子中的相同，不论这个词现在在哪里。
#    b) 会变，因为它的邻居变了。
#    c) 会变，因为它那一行权重里的数变了。
#    d) 只有位置没变的词才相同。
ANSWERS["what_stays"] = ""

# 15. A lesson prints as softmax of (2.1, 0.3, 0.1, 0.8, 0.2): (0.52, 0.09, 0.07, 0.14, 0.08). How do you see at once that it is
#    wrong?
#    a) The largest score must not get more than one half.
#    b) The weights do not add up to 1.
#    c) The weights do not have the same differences as the scores.
#    d) 0.09 is not three times 0.07, as 0.3 is three times 0.1.
# 15. 一篇教程给出 (2.1, 0.3, 0.1, 0.8, 0.2) 的 softmax 是 (0.52, 0.09, 0.07, 0.14, 0.08)。怎样一眼看出它错了？
#    a) 最大的分数得到的权重不能超过一半。
#    b) 权重加起来不等于 1。
#    c) 权重之间的差与分数之间的差不同。
#    d) 0.3 是 0.1 的三倍，而 0.09 不是 0.07 的三倍。
ANSWERS["worked_softmax"] = ""

# 16. A lesson prints the weights (0.50, 0.12, 0.38) for the query (1, 0, 0) and the keys (1, 0, 0), (0, 1, 0), (0.5, 0, 0). The
#    right ones are
#    a) (0.506, 0.186, 0.307)
#    b) (0.667, 0.000, 0.333)
#    c) (0.433, 0.243, 0.324)
#    d) (0.390, 0.280, 0.330)
# 16. 一篇教程给出：查询 (1, 0, 0) 对键 (1, 0, 0)、(0, 1, 0)、(0.5, 0, 0) 的权重是 (0.50, 0.12, 0.38)。正确的是
ANSWERS["worked_attention"] = ""

# TODO 2: delete the line below. Until then the whole exercise counts as not answered yet.
#         删掉下面一行。在那之前，整个练习都算尚未作答。
raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
