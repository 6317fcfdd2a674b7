"""The whole Jacobian of the softmax, row by row."""

import numpy as np

from exercises.masking import masked_attention


def attention_backward(d_output, Q, K, V, mask=None):
    lead = Q.shape[:-2]
    n_q, n_k = Q.shape[-2], K.shape[-2]
    W = masked_attention(Q, K, V, mask)[1].reshape(-1, n_q, n_k)
    dO, q, k, v = (a.reshape(-1, *a.shape[-2:]) for a in (d_output, Q, K, V))
    dQ, dK, dV = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    for b in range(len(W)):
        dV[b] = W[b].T @ dO[b]
        for i in range(n_q):
            J = np.diag(W[b, i]) - np.outer(W[b, i], W[b, i])
            ds = J @ (v[b] @ dO[b, i]) / np.sqrt(q.shape[-1])
            dQ[b, i] = ds @ k[b]
            dK[b] += np.outer(ds, q[b, i])
    return dQ.reshape(*lead, *dQ.shape[1:]), dK.reshape(*lead, *dK.shape[1:]), dV.reshape(*lead, *dV.shape[1:])
