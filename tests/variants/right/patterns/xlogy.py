"""An xlogy of its own, extra parameters, other calls of attend."""

import numpy as np

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
