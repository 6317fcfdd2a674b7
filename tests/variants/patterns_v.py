from make import *
W=lambda n,d,c: put("wrong","patterns",n,d,c)
R=lambda n,d,c: put("right","patterns",n,d,c)
base='''
import numpy as np


def attention_entropy(weights):
    logs = np.zeros_like(weights, dtype=float)
    np.log(weights, out=logs, where=weights > 0)
    return -np.sum(weights * logs, axis=-1)


def _kl(p, m):
    safe = np.where(p > 0, p, 1.0)
    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)


def js_divergence(P, Q):
    M = 0.5 * (P + Q)
    return 0.5 * _kl(P, M) + 0.5 * _kl(Q, M)


def compare_sentences(attend, X_a, X_b):
    if X_a.shape[0] != X_b.shape[0]:
        raise ValueError("length")
    _, weights_a = attend(X_a)
    _, weights_b = attend(X_b)
    return {
        "weights_a": weights_a,
        "weights_b": weights_b,
        "entropy_a": attention_entropy(weights_a),
        "entropy_b": attention_entropy(weights_b),
        "divergence": js_divergence(weights_a, weights_b),
        "same_top_key": weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1),
    }
'''
M=lambda n,d,*p: mutant("wrong","patterns",n,d,base,*p)
EN="return -np.sum(weights * logs, axis=-1)"
LOGS='''    logs = np.zeros_like(weights, dtype=float)
    np.log(weights, out=logs, where=weights > 0)
'''
M("entropy_nan","0 * log 0 is NaN.",(LOGS,"    logs = np.log(weights)\n"))
M("entropy_log2","Bits.",(EN,EN+" / np.log(2)"))
M("entropy_log10","log10.",(EN,EN+" / np.log(10)"))
M("entropy_sign","The sign.",("return -np.sum","return np.sum"))
M("entropy_abs_max","Divided by ln n.",(EN,EN+" / np.log(max(weights.shape[-1], 2))"))
M("entropy_exp","Perplexity.",(EN,"return np.exp(-np.sum(weights * logs, axis=-1))"))
M("entropy_queries","Over the queries.",(EN,"return -np.sum(weights * logs, axis=-2 if weights.ndim > 1 else -1)"))
M("entropy_axis_one","Over axis 1.",(EN,"return -np.sum(weights * logs, axis=min(1, weights.ndim - 1))"))
M("entropy_all","Over everything.",(EN,"return -np.sum(weights * logs)"))
M("entropy_mean","The mean in place of the sum.",("return -np.sum(","return -np.mean("))
M("entropy_mean_queries","Averaged over the queries.",(EN,"return (-np.sum(weights * logs, axis=-1)).mean(axis=-1)"))
M("entropy_keepdims","Keeps the axis.",(EN,"return -np.sum(weights * logs, axis=-1, keepdims=True)"))
M("entropy_epsilon","log(w + 0.001).",(LOGS,"    logs = np.log(weights + 1e-3)\n"))
M("entropy_epsilon_4","log(w + 1e-4).",(LOGS,"    logs = np.log(weights + 1e-4)\n"))
M("entropy_clip","Weights clipped at 0.01.",(LOGS,"    weights = np.clip(weights, 0.01, 1)\n    logs = np.log(weights)\n"))
M("entropy_nan_to_num_rows","A row with a zero has entropy 0.",(LOGS,"    logs = np.log(weights)\n"),(EN,"return np.nan_to_num(-np.sum(weights * logs, axis=-1))"))
M("entropy_nan_one_row","nan_to_num on log: -1.8e308 times 0 is 0, fine, but on the sum only.",(LOGS,"    logs = np.log(weights)\n"),(EN,"e = -np.sum(weights * logs, axis=-1)\n    e = np.asarray(e)\n    return np.where(np.isnan(e), 0.0, e)"))
M("entropy_zero_rows_nan","Rows renormalised: a row of zeros is NaN.",(LOGS,"    weights = weights / weights.sum(axis=-1, keepdims=True)\n"+LOGS))
M("entropy_zero_rows_log_n","A row of zeros counts as even.",(EN,"e = np.asarray(-np.sum(weights * logs, axis=-1))\n    return np.where(weights.sum(axis=-1) == 0, np.log(weights.shape[-1]), e)"))
M("entropy_zero_columns","Drops keys that have a zero anywhere.",(LOGS,"    keep = (weights > 0).reshape(-1, weights.shape[-1]).all(axis=0)\n    weights = weights[..., keep]\n"+LOGS))
M("entropy_flattened_nonzero","Boolean indexing flattens.",(LOGS,"    weights = weights[weights > 0]\n"+LOGS))
M("entropy_two_axes","Matrices only.",(EN,"return np.array([-np.sum(w * l) for w, l in zip(weights, logs)])"))
M("entropy_list_of_rows","At most three axes.",(EN,"weights, logs = weights.reshape((-1,) + weights.shape[-2:]) if weights.ndim > 3 else weights, logs.reshape((-1,) + logs.shape[-2:]) if weights.ndim > 3 else logs\n    return -np.sum(weights * logs, axis=-1)"))
M("entropy_no_weights","Sums the logs.",("weights * logs","logs"))
M("entropy_gini","Gini impurity.",(EN,"return 1 - np.sum(weights**2, axis=-1)"))
M("entropy_renyi","Rényi entropy of order 2.",(EN,"return -np.log(np.maximum(np.sum(weights**2, axis=-1), 1e-12))"))
M("entropy_binary","Binary entropies summed.",(EN,"rest = 1 - weights\n    return -np.sum(weights * logs + rest * np.log(np.where(rest > 0, rest, 1)), axis=-1)"))
M("entropy_writes","Replaces zeros in the caller's array.",(LOGS,"    weights[weights == 0] = 1\n"+LOGS))
M("entropy_rounded","Rounded to two digits.",(EN,"return np.round(-np.sum(weights * logs, axis=-1), 2)"))
M("entropy_cut_at_one","Capped at 1.",(EN,"return np.minimum(-np.sum(weights * logs, axis=-1), 1.0)"))
M("entropy_log1p","log1p.",(LOGS,"    logs = np.log1p(weights)\n"))
J="return 0.5 * _kl(P, M) + 0.5 * _kl(Q, M)"
M("js_is_kl","KL(p, q).",(J,"return _kl(P, Q)"),("np.where(p > 0, m, 1.0)","np.where((p > 0) & (m > 0), m, 1.0)"))
M("js_sym_kl","Symmetrised KL.",(J,"return 0.5 * _kl(P, np.maximum(Q, 1e-12)) + 0.5 * _kl(Q, np.maximum(P, 1e-12))"))
M("js_half_missing","The halves missing.",(J,"return _kl(P, M) + _kl(Q, M)"))
M("js_quarter","A quarter each.",(J,"return 0.25 * _kl(P, M) + 0.25 * _kl(Q, M)"))
M("js_root","The distance (square root).",(J,"return np.sqrt(np.maximum(0.5 * _kl(P, M) + 0.5 * _kl(Q, M), 0))"))
M("js_bits","Bits.",(J,"return (0.5 * _kl(P, M) + 0.5 * _kl(Q, M)) / np.log(2)"))
M("js_one_side","KL(p, m) alone.",(J,"return _kl(P, M)"))
M("js_other_side","KL(q, m) alone.",(J,"return _kl(Q, M)"))
M("js_m_first","KL(m, p).",(J,"return 0.5 * _kl(M, np.maximum(P, 1e-12)) + 0.5 * _kl(M, np.maximum(Q, 1e-12))"))
M("js_m_sum","m = p + q.",("M = 0.5 * (P + Q)","M = P + Q"))
M("js_m_geometric","m the geometric mean.",("M = 0.5 * (P + Q)","M = np.sqrt(P * Q) + 1e-300"))
M("js_sign","The sign.",(J,"return -(0.5 * _kl(P, M) + 0.5 * _kl(Q, M))"))
M("js_unequal","0.3 and 0.7.",(J,"return 0.3 * _kl(P, M) + 0.7 * _kl(Q, M)"))
M("js_nan","log 0.",("safe = np.where(p > 0, p, 1.0)","safe = p"))
M("js_both_zero_nan","0 / 0 where both are 0.",("    safe = np.where(p > 0, p, 1.0)\n    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)","    r = p / m\n    return np.sum(p * np.log(np.where(r == 0, 1.0, r)), axis=-1)"))
M("js_epsilon","An epsilon of 1e-3.",("    M = 0.5","    P, Q = P + 1e-3, Q + 1e-3\n    M = 0.5"))
M("js_epsilon_4","An epsilon of 2e-4.",("    M = 0.5","    P, Q = P + 2e-4, Q + 2e-4\n    M = 0.5"))
M("js_only_common","Keys with a zero in either are left out.",("return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)","return np.sum(np.where(2 * m - p > 0, p, 0) * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)"))
M("js_nan_rows","A row with a zero becomes 0.",("    safe = np.where(p > 0, p, 1.0)\n    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)","    return np.nan_to_num(np.sum(p * np.log(p / m), axis=-1))"))
M("js_axis_queries","Over the queries.",("np.where(p > 0, m, 1.0)), axis=-1)","np.where(p > 0, m, 1.0)), axis=-2 if p.ndim > 1 else -1)"))
M("js_all","Over everything.",("np.where(p > 0, m, 1.0)), axis=-1)","np.where(p > 0, m, 1.0)))"))
M("js_mean","The mean over keys.",("return np.sum(p * np.log","return np.mean(p * np.log"))
M("js_mean_queries","Averaged over the queries.",(J,"return np.mean(0.5 * _kl(P, M) + 0.5 * _kl(Q, M), axis=-1)"))
M("js_axis_one","Over axis 1.",("np.where(p > 0, m, 1.0)), axis=-1)","np.where(p > 0, m, 1.0)), axis=min(1, p.ndim - 1))"))
M("js_total_variation","Total variation.",(J,"return 0.5 * np.abs(P - Q).sum(axis=-1)"))
M("js_squared","Squared differences.",(J,"return ((P - Q) ** 2).sum(axis=-1)"))
M("js_hellinger","Hellinger.",(J,"return 0.5 * ((np.sqrt(P) - np.sqrt(Q)) ** 2).sum(axis=-1)"))
M("js_entropy_difference","The difference of the entropies.",(J,"return np.abs(attention_entropy(P) - attention_entropy(Q))"))
M("js_entropy_of_m","The entropy of m alone.",(J,"return attention_entropy(M)"))
M("js_writes","Replaces zeros in the caller's arrays.",("    M = 0.5","    P[P == 0] = 1e-15\n    M = 0.5"))
M("js_writes_q","Adds to Q in place.",("    M = 0.5","    Q += 1e-15\n    Q[Q < 1e-14] = 1e-14\n    M = 0.5"))
M("js_flat","Flattens.",(J,"return (0.5 * _kl(P, M) + 0.5 * _kl(Q, M)).ravel()"))
M("js_clipped","Capped at 0.5.",(J,"return np.minimum(0.5 * _kl(P, M) + 0.5 * _kl(Q, M), 0.5)"))
M("js_chi","Chi-squared distance.",(J,"return 0.25 * ((P - Q) ** 2 / np.where(M > 0, M, 1)).sum(axis=-1)"))
M("js_m_normalised","m normalised over the batch.",("M = 0.5 * (P + Q)","M = 0.5 * (P + Q)\n    M = M / M.sum() * (M.size / M.shape[-1]) * 1.001"))
M("compare_same_sentence","Sentence a twice.",("attend(X_b)","attend(X_a)"))
M("compare_swapped","a and b swapped.",("_, weights_a = attend(X_a)\n    _, weights_b = attend(X_b)","_, weights_b = attend(X_a)\n    _, weights_a = attend(X_b)"))
M("compare_entropy_swapped","The entropies swapped.",('"entropy_a": attention_entropy(weights_a)','"entropy_a": attention_entropy(weights_b)'),('"entropy_b": attention_entropy(weights_b)','"entropy_b": attention_entropy(weights_a)'))
M("compare_entropy_a_twice","The entropy of a for both.",("attention_entropy(weights_b)","attention_entropy(weights_a)"))
M("compare_stacked","Both sentences as one batch.",("    _, weights_a = attend(X_a)\n    _, weights_b = attend(X_b)\n","    _, weights = attend(np.stack([X_a, X_b]))\n    weights_a, weights_b = weights\n"))
M("compare_concatenated","Both sentences as one long one.",("    _, weights_a = attend(X_a)\n    _, weights_b = attend(X_b)\n","    n = len(X_a)\n    _, weights = attend(np.concatenate([X_a, X_b]))\n    weights_a, weights_b = weights[..., :n, :n], weights[..., n:, n:]\n"))
M("compare_batch_of_one","A batch axis of one for each.",("attend(X_a)","attend(X_a[None])"),("attend(X_b)","attend(X_b[None])"))
M("compare_batch_of_one_undone","A batch axis of one, taken off again.",("attend(X_a)\n","attend(X_a[None])\n    weights_a = weights_a[0]\n"),("attend(X_b)\n","attend(X_b[None])\n    weights_b = weights_b[0]\n"))
M("compare_tokens","One token a call.",("    _, weights_a = attend(X_a)\n","    attend(X_a[:1])\n    _, weights_a = attend(X_a)\n"))
M("compare_output","The outputs in place of the weights.",("_, weights_a = attend(X_a)","weights_a, _ = attend(X_a)"),("_, weights_b = attend(X_b)","weights_b, _ = attend(X_b)"))
M("compare_mean_entropy","Mean entropies.",("attention_entropy(weights_a)","attention_entropy(weights_a).mean()"),("attention_entropy(weights_b)","attention_entropy(weights_b).mean()"))
M("compare_mean_divergence","The mean divergence.",("js_divergence(weights_a, weights_b)","js_divergence(weights_a, weights_b).mean()"))
M("compare_flat_divergence","One divergence of the whole matrices.",("js_divergence(weights_a, weights_b)","js_divergence(weights_a.ravel() / len(X_a), weights_b.ravel() / len(X_a))"))
M("compare_heads_averaged","Weights averaged over the heads.",("attend(X_a)\n","attend(X_a)\n    weights_a = weights_a.reshape((-1,) + weights_a.shape[-2:]).mean(axis=0)\n"),("attend(X_b)\n","attend(X_b)\n    weights_b = weights_b.reshape((-1,) + weights_b.shape[-2:]).mean(axis=0)\n"))
M("compare_first_head","The first head.",("attend(X_b)\n","attend(X_b)\n    weights_a, weights_b = ((w[0] if w.ndim > 2 else w) for w in (weights_a, weights_b))\n"))
M("compare_divergence_heads_mean","The divergence averaged over the heads.",("js_divergence(weights_a, weights_b),","(lambda d: d.mean(axis=0) if d.ndim > 1 else d)(js_divergence(weights_a, weights_b)),"))
M("top_per_key","The top query of each key.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmax(axis=-2) == weights_b.argmax(axis=-2)"))
M("top_flat","One top key of the whole matrix.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmax() == weights_b.argmax()"))
M("top_all","True only if all agree.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","bool((weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)).all())"))
M("top_int","0 and 1.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","(weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)).astype(int)"))
M("top_mean","The share that agrees.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","np.mean(weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1))"))
M("top_smallest","The smallest weight.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmin(axis=-1) == weights_b.argmin(axis=-1)"))
M("top_inverted","True where they differ.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmax(axis=-1) != weights_b.argmax(axis=-1)"))
M("top_index","The index in a.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmax(axis=-1)"))
M("top_values","Compares the largest weights, not where they are.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","np.isclose(weights_a.max(axis=-1), weights_b.max(axis=-1), atol=0.1)"))
M("top_diagonal","Whether both look at themselves.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","(weights_a.argmax(axis=-1) == np.arange(len(X_a))) == (weights_b.argmax(axis=-1) == np.arange(len(X_a)))"))
M("top_always","True for all.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","np.ones(weights_a.shape[:-1], dtype=bool)"))
M("top_axis_one","argmax over axis 1.",("weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)","weights_a.argmax(axis=1) == weights_b.argmax(axis=1)"))
M("length_no_check","Different lengths cut.",('        raise ValueError("length")\n','        n = min(len(X_a), len(X_b))\n        X_a, X_b = X_a[:n], X_b[:n]\n'))
M("length_pad","Different lengths padded.",('        raise ValueError("length")\n','        n = max(len(X_a), len(X_b))\n        X_a, X_b = (np.pad(X, ((0, n - len(X)), (0, 0))) for X in (X_a, X_b))\n'))
M("length_assert","An assertion.",('raise ValueError("length")','raise AssertionError("length")'))
M("length_none","Returns None.",('raise ValueError("length")','return None'))
M("length_checks_width","Compares the widths.",("X_a.shape[0] != X_b.shape[0]","X_a.shape[1] != X_b.shape[1]"),('"divergence": js_divergence(weights_a, weights_b)','"divergence": js_divergence(weights_a, weights_b) if weights_a.shape == weights_b.shape else None'),('weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)','weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1) if weights_a.shape == weights_b.shape else None'))
M("keys_missing","No divergence.",('        "divergence": js_divergence(weights_a, weights_b),\n',""))
M("keys_other","Another name for a key.",('"same_top_key"','"same_top"'))
M("keys_tuple","A tuple in place of a dictionary.",("    return {\n","    return tuple({\n"),("axis=-1),\n    }","axis=-1),\n    }.values())"))
M("writes_x","Centres the sentences in place.",("    _, weights_a = attend(X_a)","    X_a -= X_a.mean(axis=0) * 1e-9\n    _, weights_a = attend(X_a)"))
M("writes_normalised","Centres the sentences.",("    _, weights_a = attend(X_a)","    X_a = X_a - X_a.mean(axis=0)\n    _, weights_a = attend(X_a)"))
M("ignores_attend","An attention of its own.",("attend(X_a)","_own(X_a)"),("attend(X_b)","_own(X_b)"),("def compare_sentences","def _own(X):\n    e = np.exp(X @ X.T / np.sqrt(X.shape[-1]))\n    w = e / e.sum(-1, keepdims=True)\n    return w @ X, w\n\n\ndef compare_sentences"))
M("attend_forward","attend.forward is called.",("attend(X_a)","attend.forward(X_a)"),("attend(X_b)","attend.forward(X_b)"))
M("cached_first","Caches by shape.",("_, weights_b = attend(X_b)","cache = {X_a.shape: weights_a}\n    weights_b = cache[X_b.shape] if X_b.shape in cache else attend(X_b)[1]"))
# right
R("textbook","log with where.",base)
R("loops","Pure Python loops, lists as results.",'''
import math


def attention_entropy(weights):
    weights = np.asarray(weights)
    if weights.ndim > 1:
        return [attention_entropy(w) for w in weights]
    return -sum(w * math.log(w) for w in weights.tolist() if w > 0)


def js_divergence(P, Q):
    P, Q = np.asarray(P), np.asarray(Q)
    if P.ndim > 1:
        return [js_divergence(p, q) for p, q in zip(P, Q)]
    total = 0.0
    for p, q in zip(P.tolist(), Q.tolist()):
        m = (p + q) / 2
        total += p * math.log(p / m) / 2 if p > 0 else 0
        total += q * math.log(q / m) / 2 if q > 0 else 0
    return total


def _top(a, b):
    if np.ndim(a) > 1:
        return [_top(x, y) for x, y in zip(a, b)]
    return bool(np.argmax(a) == np.argmax(b))


def compare_sentences(attend, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("lengths")
    a, b = attend(X_a)[1], attend(X_b)[1]
    return dict(
        weights_a=np.asarray(a).tolist(),
        weights_b=np.asarray(b).tolist(),
        entropy_a=attention_entropy(a),
        entropy_b=attention_entropy(b),
        divergence=js_divergence(a, b),
        same_top_key=_top(a, b),
    )
''')
R("epsilon","A tiny epsilon in the logarithm.",base.replace(LOGS,"    logs = np.log(weights + 1e-12)\n").replace("    safe = np.where(p > 0, p, 1.0)\n    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)","    return np.sum(p * np.log((p + 1e-12) / (m + 1e-12)), axis=-1)"))
R("clip","Clipped weights.",base.replace(LOGS,"    weights = np.clip(weights, 1e-12, None)\n    logs = np.log(weights)\n"))
R("float32","In float32.",base.replace(LOGS,"    weights = np.asarray(weights, dtype=np.float32)\n    logs = np.log(np.where(weights > 0, weights, np.float32(1)))\n").replace("    M = 0.5","    P, Q = P.astype(np.float32), Q.astype(np.float32)\n    M = np.float32(0.5)"))
R("js_by_entropy","JS = H(m) - (H(p) + H(q)) / 2.",base.replace(J,"return attention_entropy(M) - (attention_entropy(P) + attention_entropy(Q)) / 2"))
R("js_by_entropy_32","JS = H(m) - (H(p) + H(q)) / 2 in float32.",base.replace(J,"P, Q, M = P.astype('f4'), Q.astype('f4'), M.astype('f4')\n    return attention_entropy(M) - (attention_entropy(P) + attention_entropy(Q)) / 2").replace("dtype=float)","dtype=weights.dtype)"))
R("nan_to_num","nan_to_num on the terms, warnings and all.",base.replace(LOGS,"").replace(EN,"return -np.nan_to_num(weights * np.log(weights)).sum(-1)").replace("    safe = np.where(p > 0, p, 1.0)\n    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)","    return np.nansum(p * np.log(p / m), axis=-1)"))
R("xlogy","An xlogy of its own, extra parameters, other calls of attend.",'''
import warnings


def xlogy(x, y):
    x, y = np.broadcast_arrays(x, y)
    out = np.zeros(x.shape)
    np.multiply(x, np.log(y, where=x > 0, out=np.zeros(x.shape)), where=x > 0, out=out)
    return out


def attention_entropy(weights, axis=-1, base=None):
    warnings.warn("entropy")
    return -xlogy(weights, weights).sum(axis=axis) / (1.0 if base is None else np.log(base))


def js_divergence(P, Q, axis=-1):
    M = np.mean([P, Q], axis=0)
    return (xlogy(P, P) - xlogy(P, M) + xlogy(Q, Q) - xlogy(Q, M)).sum(axis=axis) / 2


def compare_sentences(attend, X_a, X_b, verbose=False):
    if np.shape(X_a)[0] != np.shape(X_b)[0]:
        raise ValueError("The sentences differ in length")
    attend(X_a)
    results = {name: attend(X)[1] for name, X in (("a", X_a), ("b", X_b))}
    report = {"weights_" + name: w for name, w in results.items()}
    report.update({"entropy_" + name: attention_entropy(w) for name, w in results.items()})
    report["divergence"] = js_divergence(results["a"], results["b"])
    report["same_top_key"] = np.equal(*(np.argmax(w, -1) for w in results.values()))
    report["mean_divergence"] = float(np.mean(report["divergence"]))
    return report
''')
R("apply_along_axis","One row at a time.",'''
def _entropy(row):
    row = row[row > 0]
    return float(-(row @ np.log(row))) if len(row) else 0.0


def attention_entropy(weights):
    return np.apply_along_axis(_entropy, -1, weights)


def js_divergence(P, Q):
    lead = P.shape[:-1]
    rows = []
    for p, q in zip(P.reshape(-1, P.shape[-1]), Q.reshape(-1, Q.shape[-1])):
        m = (p + q) / 2
        rows.append(_entropy(m) - _entropy(p) / 2 - _entropy(q) / 2)
    return np.reshape(rows, lead)


def compare_sentences(attend, X_a, X_b):
    if len(X_b) != len(X_a):
        raise IndexErrorAndValueError("length")
    output_b, w_b = attend(X_b)
    output_a, w_a = attend(X_a)
    top_a, top_b = np.argsort(w_a, axis=-1)[..., -1], np.argsort(w_b, axis=-1)[..., -1]
    return {
        "same_top_key": top_a == top_b,
        "weights_a": w_a, "weights_b": w_b,
        "entropy_a": attention_entropy(w_a), "entropy_b": attention_entropy(w_b),
        "divergence": js_divergence(w_a, w_b),
        "outputs": [output_a, output_b],
    }


class IndexErrorAndValueError(ValueError):
    pass
''')
R("log2_converted","log2 times ln 2.",base.replace("np.log(weights, out=logs, where=weights > 0)","np.log2(weights, out=logs, where=weights > 0)").replace(EN,"return -np.sum(weights * logs, axis=-1) * np.log(2.0)"))
R("einsum","einsum and masked terms.",'''
def attention_entropy(weights):
    w = np.array(weights, dtype=np.float64)
    positive = w != 0
    logs = np.log(w + ~positive)
    return np.einsum("...k,...k->...", w, -logs)


def js_divergence(P, Q):
    def half(p):
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = p * (np.log(2 * p) - np.log(P + Q))
        return np.where(p == 0, 0, terms).sum(-1) / 2

    return half(P) + half(Q)


def compare_sentences(attend, X_a, X_b):
    a, b = np.array(X_a), np.array(X_b)
    if a.shape != b.shape:
        raise ValueError("shapes differ")
    (_, w_a), (_, w_b) = map(attend, (a, b))
    onehot_a = w_a == w_a.max(-1, keepdims=True)
    onehot_b = w_b == w_b.max(-1, keepdims=True)
    return {
        "weights_a": w_a, "weights_b": w_b,
        "entropy_a": attention_entropy(w_a), "entropy_b": attention_entropy(w_b),
        "divergence": js_divergence(w_a, w_b),
        "same_top_key": (onehot_a & onehot_b).any(-1),
    }
''')
