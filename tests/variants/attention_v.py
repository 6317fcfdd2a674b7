from make import *
W=lambda n,d,c: put("wrong","attention",n,d,c)
R=lambda n,d,c: put("right","attention",n,d,c)
base='''
import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[-1]
    if K.shape[-1] != d_k:
        raise ValueError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("n_k")
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, V)
    return output, weights
'''
M=lambda n,d,*p: mutant("wrong","attention",n,d,base,*p)
S=" / np.sqrt(d_k)"
M("no_scale","No scale.",(S,""))
M("scale_d_k","Divided by d_k.",(S," / d_k"))
M("scale_multiplied","Multiplied by the root of d_k.",(S," * np.sqrt(d_k)"))
M("scale_d_v","Divided by the root of d_v.",(S," / np.sqrt(V.shape[-1])"))
M("scale_n_k","Divided by the root of the number of keys.",(S," / np.sqrt(K.shape[-2])"))
M("scale_n_q","Divided by the root of the number of queries.",(S," / np.sqrt(Q.shape[-2])"))
M("scale_first_axis","Divided by the root of the first axis.",(S," / np.sqrt(Q.shape[0])"))
M("scale_axis_one","d_k read from axis 1, right for one sentence only.",(S," / np.sqrt(Q.shape[1])"))
M("scale_axis_two","d_k read from axis 2 or 1, right for up to one batch axis.",(S," / np.sqrt(Q.shape[2] if Q.ndim > 2 else Q.shape[1])"))
M("scale_fixed_4","A scale for d_k = 4.",(S," / 2"))
M("scale_fixed_64","A scale for d_k = 64.",(S," / 8"))
M("scale_fixed_3","A scale for d_k = 3.",(S," / np.sqrt(3)"))
M("scale_integer_root","The integer root of d_k.",(S," / max(1, int(np.sqrt(d_k)))"))
M("scale_d_k_minus_1","Divided by the root of d_k - 1.",(S," / np.sqrt(max(d_k - 1, 1))"))
M("scale_d_k_plus_1","Divided by the root of d_k + 1.",(S," / np.sqrt(d_k + 1)"))
M("scale_twice","Scaled twice.",(S," / np.sqrt(d_k) / np.sqrt(d_k)"))
M("scale_cube_root","The cube root.",(S," / np.cbrt(d_k)"))
M("scale_size","Divided by the root of the number of scores.",(S," / np.sqrt(Q.size)"))
M("scale_after","Scaled after the softmax.",(S,""),("weights = softmax(scores, axis=-1)","weights = softmax(scores, axis=-1) / np.sqrt(d_k)"))
M("scale_both_ways","Scaled before and after.",("weights = softmax(scores, axis=-1)","weights = softmax(scores, axis=-1) / np.sqrt(d_k)"))
M("scale_std","Divided by the spread of the scores.",(S,""),("weights = softmax(scores, axis=-1)","weights = softmax(scores / scores.std(), axis=-1)"))
M("softmax_over_queries","Softmax over the queries.",("axis=-1)\n    output","axis=-2)\n    output"))
M("softmax_axis_one","Softmax over axis 1.",("axis=-1)\n    output","axis=1)\n    output"))
M("softmax_axis_zero","Softmax over axis 0.",("axis=-1)\n    output","axis=0)\n    output"))
M("softmax_axis_two","Softmax over axis 2 where there is a batch.",("axis=-1)\n    output","axis=2 if scores.ndim > 2 else 1)\n    output"))
M("softmax_twice","Softmax twice.",("softmax(scores, axis=-1)","softmax(softmax(scores, axis=-1), axis=-1)"))
M("no_softmax","No softmax.",("softmax(scores, axis=-1)","scores / scores.sum(axis=-1, keepdims=True)"))
M("sigmoid","Sigmoid in place of softmax.",("softmax(scores, axis=-1)","1 / (1 + np.exp(-scores))"))
M("scores_for_weights","Returns the scores as weights.",("return output, weights","return output, scores"))
M("swapped_results","weights, output.",("return output, weights","return weights, output"))
M("output_only","Returns the output only.",("return output, weights","return output"))
M("dict_result","Returns a dictionary.",("return output, weights","return {'output': output, 'weights': weights}"))
M("three_results","Returns the scores too.",("return output, weights","return output, weights, scores"))
M("transpose_T",".T on a batch.",("np.swapaxes(K, -1, -2)","K.T"))
M("transpose_0_1","Axes 0 and 1 change places.",("np.swapaxes(K, -1, -2)","np.swapaxes(K, 0, 1)"))
M("transpose_1_2","Axes 1 and 2 change places, right for one batch axis.",("np.swapaxes(K, -1, -2)","(np.swapaxes(K, 1, 2) if K.ndim > 2 else K.T)"))
M("transpose_021","transpose(0, 2, 1), right for one batch axis only.",("np.swapaxes(K, -1, -2)","K.transpose(0, 2, 1)"))
M("transpose_0132","transpose(0, 1, 3, 2), right for two batch axes only.",("np.swapaxes(K, -1, -2)","(K.transpose(0, 1, 3, 2) if K.ndim == 4 else K.T)"))
M("no_transpose","No transposition where it is silent.",("np.swapaxes(K, -1, -2)","(K if K.shape[-1] == K.shape[-2] else np.swapaxes(K, -1, -2))"))
M("weights_transposed","The weights transposed before they meet V, where silent.",("np.matmul(weights, V)","np.matmul(np.swapaxes(weights, -1, -2) if weights.shape[-1] == weights.shape[-2] else weights, V)"))
M("keys_for_values","K for V where the widths allow, else V.",("np.matmul(weights, V)","np.matmul(weights, K)"))
M("keys_for_values_when_silent","K for V where K and V have the same width.",("np.matmul(weights, V)","np.matmul(weights, K if K.shape == V.shape else V)"))
M("queries_and_keys_swapped","K times Q transposed, where silent.",("np.matmul(Q, np.swapaxes(K, -1, -2))","(np.matmul(K, np.swapaxes(Q, -1, -2)) if Q.shape == K.shape else np.matmul(Q, np.swapaxes(K, -1, -2)))"))
M("dot_product","np.dot on a batch.",("np.matmul(weights, V)","np.dot(weights, V)"))
M("values_summed","Values summed without the weights.",("np.matmul(weights, V)","np.matmul(np.ones_like(weights), V)"))
M("values_averaged","Values averaged without the weights.",("np.matmul(weights, V)","np.matmul(np.ones_like(weights) / weights.shape[-1], V)"))
M("hard_attention","All the weight to the best key.",("softmax(scores, axis=-1)","(scores == scores.max(axis=-1, keepdims=True)).astype(float)"))
M("cosine","Cosine similarity.",(S," / (np.linalg.norm(Q, axis=-1)[..., :, None] * np.linalg.norm(K, axis=-1)[..., None, :])"))
M("distance","Negative distances as scores.",("np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)","-np.sum((Q[..., :, None, :] - K[..., None, :, :]) ** 2, axis=-1) / np.sqrt(d_k)"))
M("negative_scores","Negative scores.",("np.matmul(Q,","-np.matmul(Q,"))
M("unstable","A softmax of its own without the shift.",("softmax(scores, axis=-1)","np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)"))
M("unstable_nan_to_num","A softmax of its own without the shift, NaN made 0.",("softmax(scores, axis=-1)","np.nan_to_num(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))"))
M("one_max","A softmax of its own, one maximum for all rows.",("softmax(scores, axis=-1)","(lambda e: e / e.sum(axis=-1, keepdims=True))(np.exp(scores - scores.max()))"))
M("clipped_scores","Scores clipped to ±50.",("softmax(scores, axis=-1)","softmax(np.clip(scores, -50, 50), axis=-1)"))
M("clipped_scores_4","Scores clipped to ±1000.",("softmax(scores, axis=-1)","softmax(np.clip(scores, -1000, 1000), axis=-1)"))
M("first_of_the_batch","The first sentence's keys for all.",("np.swapaxes(K, -1, -2)","np.swapaxes(K[:1] if K.ndim > 2 else K, -1, -2)"))
M("batch_mixed","One softmax over all sentences.",("softmax(scores, axis=-1)","(np.exp(scores) / np.exp(scores).sum())"))
M("batch_loop_3d","A loop over the batch, right for exactly one batch axis or none.",("    output = np.matmul(weights, V)","    output = np.matmul(weights, V) if V.ndim < 4 else np.stack([w[0] @ v[0] for w, v in zip(weights, V)])"))
M("squeezed","Squeezes the results.",("return output, weights","return output.squeeze(), weights"))
M("squeezed_weights","Squeezes the weights.",("return output, weights","return output, weights.squeeze()"))
M("weights_mean","Weights averaged over the batch.",("return output, weights","return output, weights if weights.ndim < 3 else weights.mean(axis=0)"))
M("writes_into_q","Scales Q in place.",("    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)","    Q /= np.sqrt(d_k)\n    scores = np.matmul(Q, np.swapaxes(K, -1, -2))"))
M("writes_into_k","Scales K in place.",("    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)","    K *= 1 / np.sqrt(d_k)\n    scores = np.matmul(Q, np.swapaxes(K, -1, -2))"))
M("no_d_k_check","Different d_k cut to the shorter one.",('    if K.shape[-1] != d_k:\n        raise ValueError("d_k")\n',"    d_k = min(d_k, K.shape[-1])\n    Q, K = Q[..., :d_k], K[..., :d_k]\n"))
M("d_k_assert","An assertion for different d_k.",('    if K.shape[-1] != d_k:\n        raise ValueError("d_k")\n',"    assert K.shape[-1] == d_k\n"))
M("d_k_type_error","TypeError for different d_k.",('raise ValueError("d_k")','raise TypeError("d_k")'))
M("n_k_cut","Different n_k cut to the shorter one.",('    if K.shape[-2] != V.shape[-2]:\n        raise ValueError("n_k")\n',"    n = min(K.shape[-2], V.shape[-2])\n    K, V = K[..., :n, :], V[..., :n, :]\n"))
M("n_k_returns_none","Returns None for different n_k.",('raise ValueError("n_k")','return None'))
M("refuses_d_v","Refuses d_v != d_k.",("K.shape[-2] != V.shape[-2]","K.shape != V.shape"))
M("refuses_n_q","Refuses n_q != n_k.",("K.shape[-2] != V.shape[-2]","K.shape[-2] != V.shape[-2] or Q.shape[-2] != K.shape[-2]"))
M("causal","Causal where square.",("softmax(scores, axis=-1)","softmax(np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -1e9), axis=-1)"))
M("dropout","Drops the smallest weights.",("softmax(scores, axis=-1)","softmax(scores, axis=-1)\n    weights = np.where(weights < 0.05, 0, weights)"))
M("residual","Adds the query where the widths allow.",("    return output, weights","    return (output + Q if output.shape == Q.shape else output), weights"))
M("bias_one","Adds an extra zero score (softmax one).",("softmax(scores, axis=-1)","softmax(np.concatenate([scores, np.zeros_like(scores[..., :1])], -1), axis=-1)[..., :-1]"))
M("rounded","Weights rounded to three digits.",("return output, weights","return output, np.round(weights, 3)"))
W("einsum_batch_summed","An einsum that sums over the batch.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    weights = softmax(scores)
    if V.ndim == 3:
        return np.einsum("bqk,ckd->bqd", weights, V), weights
    return weights @ V, weights
''')
W("einsum_no_check","An einsum that broadcasts a d_k of 1.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return np.einsum("...qk,...kd->...qd", weights, V), weights
''')
W("flattened_batch","All sentences of a batch see each other.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    q, k, v = (a.reshape(-1, a.shape[-1]) for a in (Q, K, V))
    weights = softmax(q @ k.T / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*Q.shape[:-1], V.shape[-1]), weights
''')
W("always_batch","Adds a batch axis and leaves it there.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.ndim == 2:
        Q, K, V = Q[None], K[None], V[None]
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    return weights @ V, weights
''')
W("three_axes_only","Loops over exactly one batch axis.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    weights = np.array([softmax(q @ k.T / np.sqrt(q.shape[-1])) for q, k in zip(Q, K)])
    return np.array([w @ v for w, v in zip(weights, V)]), weights
''')
W("two_axes_only","One sentence only.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[1] != K.shape[1] or K.shape[0] != V.shape[0]:
        raise ValueError("shapes")
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights
''')
W("two_or_three_axes","At most one batch axis.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    if Q.ndim == 3:
        pairs = [scaled_dot_product_attention(q, k, v) for q, k, v in zip(Q, K, V)]
        return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights
''')
# right
R("textbook","As in the lesson, with matmul.",base)
R("einsum","With einsum.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    weights = softmax(scores, axis=-1)
    return np.einsum("...qk,...kd->...qd", weights, V), weights
''')
R("loops","Pure Python loops, lists as results.",'''
import math


def _soft(row):
    top = max(row)
    e = [math.exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def _one(Q, K, V):
    if len(Q[0]) != len(K[0]):
        raise ValueError("d_k")
    if len(K) != len(V):
        raise ValueError("n_k")
    scale = math.sqrt(len(Q[0]))
    weights = [_soft([sum(a * b for a, b in zip(q, k)) / scale for k in K]) for q in Q]
    output = [[sum(w * v[j] for w, v in zip(row, V)) for j in range(len(V[0]))] for row in weights]
    return output, weights


def _many(Q, K, V, depth):
    if depth == 2:
        return _one(Q, K, V)
    pairs = [_many(q, k, v, depth - 1) for q, k, v in zip(Q, K, V)]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def scaled_dot_product_attention(Q, K, V):
    return _many(Q.tolist(), K.tolist(), V.tolist(), Q.ndim)
''')
R("float32","All in float32.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = Q @ np.moveaxis(K, -1, -2) / np.float32(np.sqrt(Q.shape[-1]))
    weights = softmax(scores).astype(np.float32)
    return weights @ V, weights
''')
R("float32_own_softmax","All in float32, with a softmax of its own.",'''
def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = (Q / np.float32(Q.shape[-1] ** 0.5)) @ np.moveaxis(K, -1, -2)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return weights @ V, weights
''')
R("scaled_queries","The query is scaled first.",base.replace("np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)","np.matmul(Q / np.sqrt(d_k), np.swapaxes(K, -1, -2))"))
R("scaled_both","Query and key by the fourth root each.",base.replace("np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(d_k)","np.matmul(Q * d_k**-0.25, np.swapaxes(K * d_k**-0.25, -1, -2))"))
R("list_result","A list of two.",base.replace("return output, weights","return [output, weights]"))
R("nested_lists","Nested lists.",base.replace("return output, weights","return output.tolist(), weights.tolist()"))
R("numpy_raises","Leaves the errors to NumPy's matmul.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ np.swapaxes(K, -2, -1) / np.sqrt(K.shape[-1]))
    return weights @ V, weights
''')
R("errors_of_its_own","Exceptions of its own and an extra parameter.",'''
import exercises.softmax as s


class ShapeError(ValueError):
    pass


def scaled_dot_product_attention(Q, K, V, scale=None, *, return_scores=False):
    if Q.shape[-1] != K.shape[-1]:
        raise ShapeError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ShapeError("n_k")
    scale = np.sqrt(K.shape[-1]) if scale is None else scale
    scores = (Q @ K.swapaxes(-1, -2)) / scale
    weights = s.softmax(x=scores, axis=scores.ndim - 1)
    output = weights @ V
    return (output, weights, scores) if return_scores else (output, weights)
''')
R("broadcast_sum","Broadcast and sum in place of a product.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / np.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return (weights[..., None] * V[..., None, :, :]).sum(-2), weights
''')
R("flat_loop","A loop over the flattened leading axes.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    lead = Q.shape[:-2]
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"d_k: {Q.shape} {K.shape}")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"n_k: {K.shape} {V.shape}")
    q = Q.reshape((-1,) + Q.shape[-2:])
    k = K.reshape((-1,) + K.shape[-2:])
    v = V.reshape((-1,) + V.shape[-2:])
    outs, ws = [], []
    for i in range(len(q)):
        w = softmax(np.dot(q[i], k[i].T) / q.shape[-1] ** 0.5, -1)
        ws.append(w)
        outs.append(np.dot(w, v[i]))
    return np.reshape(outs, lead + outs[0].shape), np.reshape(ws, lead + ws[0].shape)
''')
R("keys_transposed_view","Read-only results and a column-wise softmax.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores_t = K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.swapaxes(softmax(scores_t, axis=-2), -1, -2)
    output = weights @ V
    output.flags.writeable = False
    return output, weights
''')
R("tensordot_recursion","Recursion over the leading axes, prints.",'''
from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    print("attention", Q.shape, K.shape, V.shape)
    if Q.ndim > 2:
        parts = [scaled_dot_product_attention(Q[i], K[i], V[i]) for i in range(Q.shape[0])]
        return np.stack([o for o, _ in parts]), np.stack([w for _, w in parts])
    if Q.shape[1] != K.shape[1] or len(K) != len(V):
        raise ValueError("shapes do not fit")
    w = softmax(np.tensordot(Q, K, axes=(1, 1)) / np.sqrt(Q.shape[1]))
    return np.tensordot(w, V, axes=(1, 0)), w


if __name__ == "__main__":
    scaled_dot_product_attention(np.eye(2), np.eye(2), np.eye(2))
''')
