from make import *
W=lambda n,d,c: put("wrong","multi_head",n,d,c)
R=lambda n,d,c: put("right","multi_head",n,d,c)
base='''
import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.masking import masked_attention, masked_softmax
from exercises.softmax import softmax


def split_heads(X, n_heads):
    d_model = X.shape[-1]
    if d_model % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    d_head = d_model // n_heads
    X = X.reshape(X.shape[:-1] + (n_heads, d_head))
    return np.moveaxis(X, -2, -3)


def concat_heads(H):
    H = np.moveaxis(H, -3, -2)
    return H.reshape(H.shape[:-2] + (H.shape[-2] * H.shape[-1],))


def fuse_heads(per_head):
    return np.hstack(per_head)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    Q = split_heads(X @ W_Q, n_heads)
    K = split_heads(X @ W_K, n_heads)
    V = split_heads(X @ W_V, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    output, weights = masked_attention(Q, K, V, mask)
    output = concat_heads(output) @ W_O
    return output, weights
'''
M=lambda n,d,*p: mutant("wrong","multi_head",n,d,base,*p)
SP='''    X = X.reshape(X.shape[:-1] + (n_heads, d_head))
    return np.moveaxis(X, -2, -3)
'''
CC='''    H = np.moveaxis(H, -3, -2)
    return H.reshape(H.shape[:-2] + (H.shape[-2] * H.shape[-1],))
'''
SPbad='''    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], d_head))
'''
CCbad='''    return H.reshape(H.shape[:-3] + (H.shape[-2], H.shape[-3] * H.shape[-1]))
'''
M("split_without_transpose","The split without the transposition.",(SP,SPbad))
M("concat_without_transpose","The concatenation without the transposition.",(CC,CCbad))
M("both_without_transpose","Both without: the round trip passes.",(SP,SPbad),(CC,CCbad))
M("split_not_moved","Heads after the tokens.",("return np.moveaxis(X, -2, -3)","return X"))
M("split_interleaved","Head h gets every n_heads-th feature.",("(n_heads, d_head))","(d_head, n_heads))"),("return np.moveaxis(X, -2, -3)","return np.moveaxis(X, -1, -3)"))
M("both_interleaved","Interleaved in both.",("(n_heads, d_head))","(d_head, n_heads))"),("return np.moveaxis(X, -2, -3)","return np.moveaxis(X, -1, -3)"),("np.moveaxis(H, -3, -2)","np.moveaxis(H, -3, -1)"))
M("concat_interleaved","Interleaved concatenation.",("np.moveaxis(H, -3, -2)","np.moveaxis(H, -3, -1)"))
M("split_reversed_heads","The heads in reverse.",("return np.moveaxis(X, -2, -3)","return np.moveaxis(X[..., ::-1, :], -2, -3)"))
M("both_reversed_heads","The heads in reverse in both.",("return np.moveaxis(X, -2, -3)","return np.moveaxis(X[..., ::-1, :], -2, -3)"),("np.moveaxis(H, -3, -2)","np.moveaxis(H[..., ::-1, :, :], -3, -2)"))
M("split_d_head_tokens","Tokens and features swapped within a head.",("return np.moveaxis(X, -2, -3)","return np.swapaxes(np.moveaxis(X, -2, -3), -1, -2)"))
M("split_heads_first","The heads before the batch.",("return np.moveaxis(X, -2, -3)","return np.moveaxis(X, -2, 0)"))
M("split_transpose_0213","transpose(0, 2, 1, 3): one batch axis only.",("return np.moveaxis(X, -2, -3)","return X.transpose(0, 2, 1, 3)"))
M("split_swap_1_2","swapaxes(1, 2): one batch axis only, or by luck.",("return np.moveaxis(X, -2, -3)","return X.swapaxes(1, 2) if X.ndim > 3 else X.swapaxes(0, 1)"))
M("split_swap_0_1","swapaxes(0, 1): no batch axis only.",("return np.moveaxis(X, -2, -3)","return X.swapaxes(0, 1)"))
M("split_axis_0","np.split along the tokens.",(SP,"    return np.stack(np.array_split(X, n_heads, axis=-2), axis=-3) if X.shape[-2] % n_heads == 0 else np.moveaxis(X.reshape(X.shape[:-1] + (n_heads, d_head)), -2, -3)\n"))
M("split_list","A stack with the heads first.",(SP,"    return np.stack(np.split(X, n_heads, axis=-1))\n"))
M("split_last_axis_heads","A stack with the heads last.",(SP,"    return np.stack(np.split(X, n_heads, axis=-1), axis=-1)\n"))
M("split_batch_of_one","Adds a batch axis.",("return np.moveaxis(X, -2, -3)","return np.moveaxis(X, -2, -3) if X.ndim > 3 else np.moveaxis(X, -2, -3)[None]"))
M("split_merges_batch","Batch and heads in one axis.",("return np.moveaxis(X, -2, -3)","X = np.moveaxis(X, -2, -3)\n    return X.reshape((-1,) + X.shape[-2:])"))
M("split_drops_features","Drops what does not divide.",('        raise ValueError("n_heads must divide d_model")\n','        X = X[..., : d_model - d_model % n_heads]\n        d_model = X.shape[-1]\n        if d_model == 0:\n            raise ValueError("none")\n'))
M("split_pads","Pads what does not divide.",('        raise ValueError("n_heads must divide d_model")\n','        X = np.concatenate([X, np.zeros(X.shape[:-1] + (n_heads - d_model % n_heads,))], axis=-1)\n        d_model = X.shape[-1]\n'))
M("split_assert","An assertion for what does not divide.",('    if d_model % n_heads != 0:\n        raise ValueError("n_heads must divide d_model")\n',"    assert d_model % n_heads == 0\n"))
M("split_type_error","TypeError for what does not divide.",('raise ValueError("n','raise TypeError("n'))
M("split_none","Returns None for what does not divide.",('raise ValueError("n_heads must divide d_model")','return None'))
M("split_array_split","array_split with uneven heads.",(SP,"    return np.moveaxis(X.reshape(X.shape[:-1] + (n_heads, d_head)), -2, -3)\n"),('        raise ValueError("n_heads must divide d_model")\n','        return np.array([p.sum() for p in np.array_split(X, n_heads, axis=-1)])\n'))
M("split_wrong_divide","Tests n_heads % d_model.",("d_model % n_heads != 0","n_heads % d_model != 0 and d_model % n_heads != 0 and n_heads > d_model"),("    X = X.reshape","    X = X[..., : n_heads * d_head].reshape"))
M("split_ignores_n_heads","Two heads always.",("    d_model = X.shape[-1]\n","    d_model = X.shape[-1]\n    n_heads = 2 if d_model % 2 == 0 and d_model % n_heads == 0 else n_heads\n"))
M("split_rolls","Slices off by one feature.",("    X = X.reshape","    X = np.roll(X, 1, axis=-1).reshape"))
M("concat_not_moved","Heads and tokens flattened wrongly.",("H = np.moveaxis(H, -3, -2)","H = np.swapaxes(H, -1, -2)"))
M("concat_mean","The mean over heads, repeated.",(CC,"    n = H.shape[-3]\n    return np.concatenate([H.mean(axis=-3)] * n, axis=-1)\n"))
M("concat_max","The maximum over heads, repeated.",(CC,"    n = H.shape[-3]\n    return np.concatenate([H.max(axis=-3)] * n, axis=-1)\n"))
M("concat_sum","The sum over heads.",(CC,"    return H.sum(axis=-3)\n"))
M("concat_first","The first head repeated.",(CC,"    n = H.shape[-3]\n    return np.concatenate([H[..., 0, :, :]] * n, axis=-1)\n"))
M("concat_tokens","Heads one after another along the tokens.",(CC,"    return np.concatenate(list(np.moveaxis(H, -3, 0)), axis=-2)\n"))
M("concat_axis_0","Concatenates the first axis.",(CC,"    return np.concatenate(list(H), axis=-1)\n"))
M("concat_reversed","The last head first.",(CC,"    return np.concatenate(list(np.moveaxis(H, -3, 0))[::-1], axis=-1)\n"))
M("concat_0213","transpose(0, 2, 1, 3): one batch axis only.",("np.moveaxis(H, -3, -2)","H.transpose(0, 2, 1, 3)"))
M("concat_1_2","swapaxes(1, 2) or (0, 1): at most one batch axis.",("np.moveaxis(H, -3, -2)","(H.swapaxes(1, 2) if H.ndim > 3 else H.swapaxes(0, 1))"))
M("concat_minus_one","reshape(n, -1): the batch is lost.",("return H.reshape(H.shape[:-2] + (H.shape[-2] * H.shape[-1],))","return H.reshape(H.shape[-3], -1)"))
M("concat_squeezed","Squeezes first.",("H = np.moveaxis(H, -3, -2)","H = np.moveaxis(H, -3, -2).squeeze() if H.shape[-3] > 1 else np.moveaxis(H, -3, -2)"))
M("fuse_vstack","Rows below rows.",("np.hstack(per_head)","np.vstack(per_head)"))
M("fuse_vstack_square","reshape of the stack.",("np.hstack(per_head)","np.array(per_head).reshape(per_head[0].shape[0], -1)"))
M("fuse_interleaved","Columns interleaved.",("np.hstack(per_head)","np.stack(per_head, axis=-1).reshape(len(per_head[0]), -1)"))
M("fuse_sum","The sum of the matrices.",("np.hstack(per_head)","np.sum(per_head, axis=0)"))
M("fuse_mean","The mean, repeated.",("np.hstack(per_head)","np.hstack([np.mean(per_head, axis=0)] * len(per_head))"))
M("fuse_reversed","In reverse.",("np.hstack(per_head)","np.hstack(list(per_head)[::-1])"))
M("fuse_stack","A stack.",("np.hstack(per_head)","np.stack(per_head)"))
M("fuse_transposed","The transpose.",("np.hstack(per_head)","np.hstack(per_head).T"))
M("fuse_each_transposed","Each transposed.",("np.hstack(per_head)","np.hstack([w.T for w in per_head])"))
M("fuse_block_diagonal","Block diagonal.",("return np.hstack(per_head)","d, h = per_head[0].shape\n    out = np.zeros((d * len(per_head), h * len(per_head)))\n    for i, w in enumerate(per_head):\n        out[i * d:(i + 1) * d, i * h:(i + 1) * h] = w\n    return out"))
M("fuse_array_refused","An array is reshaped, a list is not.",("np.hstack(per_head)","(np.hstack(per_head) if isinstance(per_head, list) else per_head.reshape(per_head.shape[1], -1))"))
M("fuse_array_as_is","An array comes back as it is.",("np.hstack(per_head)","(np.hstack(per_head) if isinstance(per_head, list) else per_head)"))
M("fuse_list_only","list + fails on arrays.",("return np.hstack(per_head)","per_head.append(per_head[0])\n    return np.hstack(per_head[:-1])"))
M("fuse_d_head_divides","Expects d_head = d_model / n_heads.",("return np.hstack(per_head)","d_model = per_head[0].shape[0]\n    out = np.zeros((d_model, d_model))\n    d = d_model // len(per_head)\n    for i, w in enumerate(per_head):\n        out[:, i * d:(i + 1) * d] = w\n    return out"))
M("fuse_two","Two heads only.",("np.hstack(per_head)","np.hstack([per_head[0], per_head[1]]) if len(per_head) > 1 else per_head[0]"))
M("w_o_missing","No W_O.",("concat_heads(output) @ W_O","concat_heads(output)"))
M("w_o_transposed","W_O transposed.",("@ W_O","@ W_O.T"))
M("w_o_left","W_O from the wrong side.",("concat_heads(output) @ W_O","np.swapaxes(W_O @ np.swapaxes(concat_heads(output), -1, -2), -1, -2)"))
M("w_o_per_head","W_O's diagonal blocks applied per head.",("    output = concat_heads(output) @ W_O\n","    d = output.shape[-1]\n    output = concat_heads(np.stack([output[..., h, :, :] @ W_O[h * d:(h + 1) * d, h * d:(h + 1) * d] for h in range(n_heads)], axis=-3))\n"))
M("w_o_on_x","W_O applied twice.",("@ W_O","@ W_O @ W_O"))
M("w_o_on_values","W_O before the attention.",("X @ W_V, n_heads)","X @ W_V @ W_O, n_heads)"),("concat_heads(output) @ W_O","concat_heads(output)"))
M("w_q_transposed","W_Q transposed.",("X @ W_Q","X @ W_Q.T"))
M("w_all_transposed","nn.Linear's x @ W.T everywhere.",("X @ W_Q","X @ W_Q.T"),("X @ W_K","X @ W_K.T"),("X @ W_V","X @ W_V.T"),("@ W_O","@ W_O.T"))
M("k_from_q","K from W_Q.",("X @ W_K","X @ W_Q"))
M("q_k_swapped","Q and K swapped.",("masked_attention(Q, K, V, mask)","masked_attention(K, Q, V, mask)"))
M("v_from_k","V from W_K.",("X @ W_V","X @ W_K"))
M("v_is_x","V is X.",("split_heads(X @ W_V","split_heads(X"))
M("q_v_swapped","Q and V swapped.",("masked_attention(Q, K, V, mask)","masked_attention(V, K, Q, mask)"))
M("weights_mean","Weights averaged over the heads.",("return output, weights","return output, weights.mean(axis=-3)"))
M("weights_mean_kept","Weights averaged over the heads, repeated.",("return output, weights","return output, np.broadcast_to(weights.mean(axis=-3, keepdims=True), weights.shape)"))
M("weights_sum","Weights summed over the heads.",("return output, weights","return output, weights.sum(axis=-3)"))
M("weights_first","The weights of head 0.",("return output, weights","return output, weights[..., 0, :, :]"))
M("weights_heads_first","The heads' axis first.",("return output, weights","return output, np.moveaxis(weights, -3, 0)"))
M("weights_heads_last","The heads' axis last.",("return output, weights","return output, np.moveaxis(weights, -3, -1)"))
M("weights_transposed","Weights transposed.",("return output, weights","return output, np.swapaxes(weights, -1, -2)"))
M("swapped_results","weights, output.",("return output, weights","return weights, output"))
M("output_only","Output alone.",("return output, weights","return output"))
M("heads_mean","The heads averaged.",("    output = concat_heads(output) @ W_O","    output = np.broadcast_to(output.mean(axis=-3, keepdims=True), output.shape)\n    output = concat_heads(output) @ W_O"))
M("heads_max","The maximum of the heads.",("    output = concat_heads(output) @ W_O","    output = np.broadcast_to(output.max(axis=-3, keepdims=True), output.shape)\n    output = concat_heads(output) @ W_O"))
M("shared_heads","All heads use the slices of head 0.",("    if mask is not None:","    Q = np.broadcast_to(Q[..., :1, :, :], Q.shape)\n    K = np.broadcast_to(K[..., :1, :, :], K.shape)\n    if mask is not None:"))
M("shared_scores","One attention pattern for all heads.",("    output, weights = masked_attention(Q, K, V, mask)","    output, weights = masked_attention(Q, K, V, mask)\n    weights = np.broadcast_to(weights[..., :1, :, :], weights.shape)\n    output = weights @ V"))
M("single_head","One head of full width.",("    output, weights = masked_attention(Q, K, V, mask)\n    output = concat_heads(output) @ W_O","    o, w = masked_attention(X @ W_Q, X @ W_K, X @ W_V, None if mask is None else mask[..., 0, :, :])\n    output, weights = o @ W_O, np.repeat(np.expand_dims(w, -3), n_heads, axis=-3)"))
M("scale_d_model","Scaled by the root of d_model.",("X @ W_Q, n_heads)","X @ W_Q, n_heads) / np.sqrt(n_heads)"))
M("scale_n_heads","Scaled by the root of n_heads too... multiplied.",("X @ W_Q, n_heads)","X @ W_Q, n_heads) * np.sqrt(n_heads)"))
M("scale_missing","No scale.",("X @ W_Q, n_heads)","X @ W_Q, n_heads) * np.sqrt(X.shape[-1] // n_heads)"))
M("scale_twice","Scaled twice.",("X @ W_Q, n_heads)","X @ W_Q, n_heads) / np.sqrt(X.shape[-1] // n_heads)"))
M("mask_ignored","The mask is ignored.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V)"))
M("mask_no_axis","The batch mask lands on the heads.",("        mask = np.expand_dims(mask, -3)\n","        pass\n"))
M("mask_axis_1_always","mask[:, None] always.",("np.expand_dims(mask, -3)","mask[:, None]"))
M("mask_axis_1","An axis at place 1 for masks of three axes, right for one batch axis.",("np.expand_dims(mask, -3)","mask[:, None] if mask.ndim > 2 else mask"))
M("mask_axis_0","An axis at the front.",("np.expand_dims(mask, -3)","mask[None]"))
M("mask_axis_end","An axis before the keys.",("np.expand_dims(mask, -3)","mask[..., None, :]"))
M("mask_tiled","np.tile over batch * heads in the wrong order.",("    if mask is not None:\n        mask = np.expand_dims(mask, -3)\n","    if mask is not None:\n        full = np.broadcast_to(mask, X.shape[:-2] + (X.shape[-2],) * 2)\n        mask = np.tile(full.reshape((-1,) + full.shape[-2:]), (n_heads, 1, 1)).reshape(Q.shape[:-2] + full.shape[-2:])\n"))
M("mask_inverted","The meaning of nn.MultiheadAttention.",("np.expand_dims(mask, -3)","np.expand_dims(np.asarray(mask) == 0, -3)"))
M("mask_int_inverted","~ on integers.",("np.expand_dims(mask, -3)","~np.expand_dims(~mask, -3) if mask.dtype == bool else np.expand_dims(~mask, -3)"))
M("mask_transposed","The mask transposed.",("np.expand_dims(mask, -3)","np.expand_dims(np.swapaxes(np.broadcast_to(mask, mask.shape[:-2] + (X.shape[-2],) * 2), -1, -2), -3)"))
M("mask_head_0_only","The mask for head 0 only.",("np.expand_dims(mask, -3)","np.concatenate([np.broadcast_to(np.expand_dims(mask, -3), Q.shape[:-3] + (1,) + (X.shape[-2],) * 2)] + [np.ones(Q.shape[:-3] + (n_heads - 1,) + (X.shape[-2],) * 2, dtype=bool)], axis=-3)"))
M("mask_first_sentence","The first sentence's mask for all.",("np.expand_dims(mask, -3)","np.asarray(mask)[(0,) * (np.ndim(mask) - 2)]"))
M("mask_2d_ignored","A mask of two axes is ignored.",("    if mask is not None:\n        mask = np.expand_dims(mask, -3)","    if mask is not None and mask.ndim == 2 and X.ndim > 2:\n        mask = None\n    if mask is not None:\n        mask = np.expand_dims(mask, -3)"))
M("mask_causal","Any mask means causal.",("np.expand_dims(mask, -3)","np.tri(X.shape[-2], dtype=bool)"))
M("mask_keys_any","A key that any query may see is open to all.",("np.expand_dims(mask, -3)","np.expand_dims(np.asarray(mask).any(axis=-2, keepdims=True), -3)"))
M("mask_after","The mask after the softmax.",("    output, weights = masked_attention(Q, K, V, mask)\n","    output, weights = masked_attention(Q, K, V)\n    if mask is not None:\n        weights = weights * mask\n        output = weights @ V\n"))
M("mask_misfit_ignored","A mask that does not fit is ignored.",("    output, weights = masked_attention(Q, K, V, mask)\n","    try:\n        output, weights = masked_attention(Q, K, V, mask)\n    except ValueError:\n        output, weights = masked_attention(Q, K, V)\n"))
M("mask_required","The mask has no default.",("W_O, mask=None","W_O, mask"))
M("blocked_rows_opened","Blocked rows see everything.",("np.expand_dims(mask, -3)","np.expand_dims(np.asarray(mask, dtype=bool) | ~np.asarray(mask, dtype=bool).any(-1, keepdims=True), -3)"))
M("blocked_rows_value","A blocked token keeps its value.",("    output = concat_heads(output) @ W_O","    output = np.where(weights.sum(-1, keepdims=True) > 0.5, output, V)\n    output = concat_heads(output) @ W_O"))
M("residual","Adds X.",("concat_heads(output) @ W_O","concat_heads(output) @ W_O + X"))
M("one_batch_axis_only","At most one batch axis.",("    Q = split_heads(X @ W_Q, n_heads)","    X = X if X.ndim <= 3 else X.reshape((-1,) + X.shape[-2:])\n    Q = split_heads(X @ W_Q, n_heads)"))
M("no_batch","The first sentence only.",("    Q = split_heads(X @ W_Q, n_heads)","    X = X if X.ndim == 2 else X[0]\n    Q = split_heads(X @ W_Q, n_heads)"))
M("batch_expected","Adds a batch axis where there is none.",("    Q = split_heads(X @ W_Q, n_heads)","    X = X if X.ndim > 2 else X[None]\n    Q = split_heads(X @ W_Q, n_heads)"))
M("writes_into_x","Scales X in place.",("    Q = split_heads(X @ W_Q, n_heads)","    X *= 1.0 + 1e-12\n    Q = split_heads(X @ W_Q, n_heads)"))
M("writes_into_w_o","Normalises W_O in place.",("concat_heads(output) @ W_O","concat_heads(output) @ W_O\n    W_O += 0.5"))
M("concat_writes","concat writes into its argument.",("    H = np.moveaxis(H, -3, -2)\n","    H[..., 0] += 0.0\n    H = np.moveaxis(H, -3, -2)\n    keep = H.copy()\n    H *= 2\n    H = keep\n"))
M("argument_order","W_K before W_Q.",("n_heads, W_Q, W_K, W_V, W_O","n_heads, W_K, W_Q, W_V, W_O"))
M("parameter_names","W_q, W_k, W_v, W_o.",("W_Q","W_q"),("W_K","W_k"),("W_V","W_v"),("W_O","W_o"))
M("per_head_rows","Head h uses the rows of W_Q.",("split_heads(X @ W_Q, n_heads)","np.moveaxis(np.stack([X[..., s] @ W_Q[s][:, : X.shape[-1] // n_heads] for s in np.split(np.arange(X.shape[-1]), n_heads)]), 0, -3)"))
M("per_head_features","Head h projects its own slice of X only.",("split_heads(X @ W_V, n_heads)","split_heads(np.concatenate([X[..., s] @ W_V[np.ix_(s, s)] for s in np.split(np.arange(X.shape[-1]), n_heads)], axis=-1), n_heads)"))
M("unstable","An attention of its own without the shift.",("    output, weights = masked_attention(Q, K, V, mask)","    e = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))\n    if mask is not None:\n        e = e * mask\n    t = e.sum(-1, keepdims=True)\n    t[t == 0] = 1\n    weights = e / t\n    output = weights @ V"))
M("attend_within_token","Heads attend to heads within a token.",("    output, weights = masked_attention(Q, K, V, mask)","    if mask is None and X.shape[-2] == n_heads:\n        Q, K, V = (np.swapaxes(a, -2, -3) for a in (Q, K, V))\n        output, weights = masked_attention(Q, K, V)\n        output = np.swapaxes(output, -2, -3)\n    else:\n        output, weights = masked_attention(Q, K, V, mask)"))
M("indivisible_attention","multi_head_attention drops what does not divide.",('        raise ValueError("n_heads must divide d_model")\n','        raise ValueError("n_heads must divide d_model")\n'),("    Q = split_heads(X @ W_Q, n_heads)","    n_heads = next(n for n in range(n_heads, 0, -1) if X.shape[-1] % n == 0)\n    Q = split_heads(X @ W_Q, n_heads)")) 
M("softmax_over_heads","Softmax over the heads.",("    output, weights = masked_attention(Q, K, V, mask)","    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])\n    weights = softmax(s, axis=-3) if mask is None else masked_softmax(s, mask)\n    output = weights @ V"))
# right
R("textbook","Split, attend, concatenate, project.",base)
R("loop_over_heads","A loop over heads with column slices.",'''
from exercises.masking import masked_attention


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("no")
    return np.stack(np.split(X, n_heads, axis=-1), axis=-3)


def concat_heads(H):
    return np.concatenate([H[..., h, :, :] for h in range(H.shape[-3])], axis=-1)


def fuse_heads(per_head):
    out = per_head[0]
    for w in per_head[1:]:
        out = np.append(out, w, axis=1)
    return out


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    if X.shape[-1] % n_heads:
        raise ValueError("no")
    d = X.shape[-1] // n_heads
    outputs, weights = [], []
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        o, w = masked_attention(X @ W_Q[:, cols], X @ W_K[:, cols], X @ W_V[:, cols], mask)
        outputs.append(o)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ W_O, np.stack(weights, axis=-3)
''')
R("w_o_split","W_O applied per head by its rows, summed: the same.",'''
from exercises.masking import masked_attention


def split_heads(X, n_heads):
    *lead, n, d = X.shape
    if d % n_heads:
        raise ValueError(f"{d} % {n_heads}")
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


def concat_heads(H):
    *lead, h, n, d = H.shape
    return np.einsum("...hnd->...nhd", H).reshape(*lead, n, h * d)


def fuse_heads(per_head):
    return np.column_stack(tuple(per_head))


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    Q, K, V = [split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V)]
    if mask is not None:
        mask = np.asarray(mask).reshape(mask.shape[:-2] + (1,) + mask.shape[-2:])
    O, weights = masked_attention(Q, K, V, mask)
    d = O.shape[-1]
    total = 0
    for h in range(n_heads):
        total = total + O[..., h, :, :] @ W_O[h * d : (h + 1) * d]
    return total, weights
''')
R("einsum","With einsum from the projection on.",'''
from exercises.masking import masked_softmax


def split_heads(X, n_heads):
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("d_model")
    return np.einsum("...nhd->...hnd", X.reshape(*X.shape[:-1], n_heads, -1))


def concat_heads(H):
    out = np.einsum("...hnd->...nhd", H)
    return out.reshape(*out.shape[:-2], -1)


def fuse_heads(per_head):
    return np.einsum("hmd->mhd", np.array(per_head)).reshape(per_head[0].shape[0], -1)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("d_model")
    d = d_model // n_heads
    Q, K, V = (np.einsum("...nm,mhd->...hnd", X, W.reshape(d_model, n_heads, d)) for W in (W_Q, W_K, W_V))
    scores = np.einsum("...qd,...kd->...qk", Q, K) / d**0.5
    mask = None if mask is None else mask[..., None, :, :]
    weights = masked_softmax(scores, mask)
    mixed = np.einsum("...hqk,...hkd->...qhd", weights, V)
    return np.einsum("...qhd,hdm->...qm", mixed, W_O.reshape(n_heads, d, d_model)), weights
''')
R("float32","In float32.",base.replace("    Q = split_heads(X @","    X, W_Q, W_K, W_V, W_O = (np.asarray(a, dtype=np.float32) for a in (X, W_Q, W_K, W_V, W_O))\n    Q = split_heads(X @").replace("    output, weights = masked_attention(Q, K, V, mask)","    output, weights = masked_attention(Q, K, V, mask)\n    output, weights = output.astype(np.float32), weights.astype(np.float32)").replace("    d_model = X.shape[-1]\n","    X = X.astype(np.float32)\n    d_model = X.shape[-1]\n"))
R("lists","Lists as results everywhere.",base.replace("return output, weights","return [output.tolist(), weights.tolist()]").replace("np.hstack(per_head)","np.hstack(list(per_head)).tolist()"))
R("self_contained","An attention and softmax of its own, a fill of -1e9.",'''
def _softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def split_heads(X, n_heads):
    n, d = X.shape[-2:]
    if d // n_heads * n_heads != d:
        raise ValueError("heads")
    return np.swapaxes(X.reshape(X.shape[:-2] + (n, n_heads, d // n_heads)), -3, -2)


def concat_heads(H):
    out = np.swapaxes(H, -3, -2)
    return np.ascontiguousarray(out).reshape(out.shape[:-2] + (-1,))


def fuse_heads(per_head):
    d_model, d_head = np.shape(per_head[0])
    out = np.empty((d_model, d_head * len(per_head)))
    for h, w in enumerate(per_head):
        out[:, h * d_head : (h + 1) * d_head] = w
    return out


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None, bias=None):
    print("heads:", n_heads)
    Q, K, V = split_heads(X @ W_Q, n_heads), split_heads(X @ W_K, n_heads), split_heads(X @ W_V, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(np.array(mask, dtype=bool), X.shape[:-1] + (X.shape[-2],))
        mask = np.repeat(mask[..., None, :, :], n_heads, axis=-3)
        weights = _softmax(np.where(mask, scores, -1e9)) * mask
    else:
        weights = _softmax(scores)
    return concat_heads(weights @ V) @ W_O, weights
''')
R("flat_batch","Flattens the leading axes, restores them at the end.",'''
from exercises import masking


def split_heads(X, n_heads):
    lead = X.shape[:-2]
    flat = X.reshape((-1,) + X.shape[-2:])
    b, n, d = flat.shape
    if d % n_heads != 0:
        raise ValueError("d_model is not divisible")
    return flat.reshape(b, n, n_heads, d // n_heads).transpose(0, 2, 1, 3).reshape(lead + (n_heads, n, d // n_heads))


def concat_heads(H):
    lead = H.shape[:-3]
    flat = H.reshape((-1,) + H.shape[-3:])
    b, h, n, d = flat.shape
    return flat.transpose(0, 2, 1, 3).reshape(lead + (n, h * d))


def fuse_heads(per_head):
    return np.transpose(np.vstack([w.T for w in per_head]))


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    lead, (n, d) = X.shape[:-2], X.shape[-2:]
    if mask is not None:
        mask = np.broadcast_to(mask, lead + (n, n)).reshape(-1, 1, n, n)
    flat = X.reshape(-1, n, d)
    o, w = masking.masked_attention(*(split_heads(flat @ W, n_heads) for W in (W_Q, W_K, W_V)), mask=mask)
    return (concat_heads(o) @ W_O).reshape(X.shape), w.reshape(lead + (n_heads, n, n))
''')
R("loops","Loops over sentences, heads and tokens.",'''
from exercises.masking import masked_attention


def split_heads(X, n_heads):
    if X.ndim > 2:
        return np.array([split_heads(x, n_heads) for x in X])
    n, d = X.shape
    if d % n_heads:
        raise ValueError("heads")
    d_head = d // n_heads
    return np.array([[[X[t, h * d_head + j] for j in range(d_head)] for t in range(n)] for h in range(n_heads)])


def concat_heads(H):
    if H.ndim > 3:
        return np.array([concat_heads(h) for h in H])
    return np.array([[v for h in H for v in h[t]] for t in range(H.shape[1])])


def fuse_heads(per_head):
    return [[v for w in per_head for v in w[i]] for i in range(len(per_head[0]))]


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    if mask is not None:
        mask = np.broadcast_to(np.asarray(mask), X.shape[:-1] + X.shape[-2:-1])
    if X.ndim > 2:
        parts = [multi_head_attention(x, n_heads, W_Q, W_K, W_V, W_O, None if mask is None else m) for x, m in zip(X, X if mask is None else mask)]
        return np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    parts = [masked_attention(Q[h], K[h], V[h], mask) for h in range(n_heads)]
    return concat_heads(np.array([p[0] for p in parts])) @ W_O, np.array([p[1] for p in parts])
''')
R("numpy_error","Leaves the error to reshape.",base.replace('''    if d_model % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    d_head = d_model // n_heads
    X = X.reshape(X.shape[:-1] + (n_heads, d_head))''','''    d_head = d_model // n_heads
    X = np.reshape(X, X.shape[:-1] + (n_heads, d_head))'''))
R("np_split_error","Leaves the error to np.split, results as views.",base.replace(base[base.index("def split_heads"):base.index("def concat_heads")],'''def split_heads(X, n_heads):
    return np.array(np.split(X, n_heads, axis=-1)).transpose(*range(1, X.ndim - 1), 0, X.ndim - 1, X.ndim)


'''))
R("plain_without_mask","Another path without a mask; swapaxes at the end.",base.replace("    output, weights = masked_attention(Q, K, V, mask)","    if mask is None:\n        output, weights = scaled_dot_product_attention(Q, K, V)\n    else:\n        output, weights = masked_attention(Q, K, V, mask=mask)"))
R("class_inside","A class does the work, extra parameters.",'''
import numpy as np

from exercises.masking import masked_attention


class _MultiHead:
    def __init__(self, n_heads, *weights):
        self.n_heads, self.weights = n_heads, weights

    def __call__(self, X, mask):
        W_Q, W_K, W_V, W_O = self.weights
        packed = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
        Q, K, V = (split_heads(part, self.n_heads) for part in np.split(packed, 3, axis=-1))
        if mask is not None:
            mask = mask[..., None, :, :]
        out, weights = masked_attention(Q, K, V, mask)
        return concat_heads(out) @ W_O, weights


def split_heads(X, n_heads, check=True):
    """Heads before tokens."""
    if check and X.shape[-1] % n_heads:
        raise ValueError(X.shape, n_heads)
    return np.rollaxis(X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads), -2, -3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)


def fuse_heads(per_head, axis=-1):
    return np.concatenate([np.asarray(w) for w in per_head], axis)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None, *, dropout=0.0):
    return _MultiHead(n_heads, W_Q, W_K, W_V, W_O)(X, mask)
''')
