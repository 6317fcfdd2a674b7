from make import *
W=lambda n,d,c: put("wrong","self_attention",n,d,c)
R=lambda n,d,c: put("right","self_attention",n,d,c)
base='''
import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)
        self.W_Q = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_K = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_V = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))
        self.W_O = None
        if d_out is not None:
            self.W_O = rng.normal(0, np.sqrt(2 / (d_v + d_out)), (d_v, d_out))

    def forward(self, X, mask=None):
        Q = X @ self.W_Q
        K = X @ self.W_K
        V = X @ self.W_V
        output, weights = masked_attention(Q, K, V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
'''
M=lambda n,d,*p: mutant("wrong","self_attention",n,d,base,*p)
WQ="self.W_Q = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))"
WK=WQ.replace("W_Q","W_K")
WV="self.W_V = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))"
WO="self.W_O = rng.normal(0, np.sqrt(2 / (d_v + d_out)), (d_v, d_out))"
RNG="rng = np.random.default_rng(seed)"
M("seed_reused_k","W_K from a fresh generator of the same seed.",(WK,"rng = np.random.default_rng(seed)\n        "+WK))
M("seed_reused_v","W_V from a fresh generator of the same seed.",(WV,"rng = np.random.default_rng(seed)\n        "+WV))
M("seed_reused_all","Every matrix from a fresh generator.",(WK,RNG+"\n        "+WK),(WV,RNG+"\n        "+WV),(WO,RNG+"\n            "+WO))
M("same_matrix","W_K is W_Q.",(WK,"self.W_K = self.W_Q"))
M("same_matrix_v","W_V is W_K where the shapes agree.",(WV,WV+"\n        if d_v == d_k:\n            self.W_V = self.W_K"))
M("seed_ignored","The seed is ignored.",("default_rng(seed)","default_rng(0)"))
M("no_seed","A new seed each time.",("default_rng(seed)","default_rng()"))
M("seed_global","np.random without a seed.",(RNG,"rng = np.random"))
M("seed_for_q_only","The seed decides W_Q only.",(WK,"rng = np.random.default_rng(7)\n        "+WK))
M("seed_not_for_o","The seed does not decide W_O.",(WO,WO.replace("rng.normal","np.random.default_rng(3).normal")))
M("seed_o_random","W_O differs each time.",(WO,WO.replace("rng.normal","np.random.default_rng().normal")))
for n,s in dict(he="2 / FI",lecun="1 / FI",fan_out="1 / FO",twice_out="2 / FO",half="1 / (FI + FO)",six="6 / (FI + FO)",product="2 / (FI * FO)",difference="2 / max(1, abs(FI - FO))",four="4 / (FI + FO)",three="3 / (FI + FO)").items():
    code=base
    for fi,fo in (("d_model","d_k"),("d_model","d_v"),("d_v","d_out")):
        code=code.replace(f"2 / ({fi} + {fo})",s.replace("FI",fi).replace("FO",fo))
    put("wrong","self_attention","std_"+n,f"The variance is {s}.",code)
M("std_variance","The variance as standard deviation.",("np.sqrt(2 / (d_model + d_k))","2 / (d_model + d_k)"),("np.sqrt(2 / (d_model + d_v))","2 / (d_model + d_v)"),("np.sqrt(2 / (d_v + d_out))","2 / (d_v + d_out)"))
M("std_point_one","Everything with standard deviation 0.1.",("np.sqrt(2 / (d_model + d_k))","0.1"),("np.sqrt(2 / (d_model + d_v))","0.1"),("np.sqrt(2 / (d_v + d_out))","0.1"))
M("std_one","Standard normal.",("np.sqrt(2 / (d_model + d_k))","1"),("np.sqrt(2 / (d_model + d_v))","1"),("np.sqrt(2 / (d_v + d_out))","1"))
M("std_v_of_k","W_V with the scale of W_K.",("2 / (d_model + d_v)","2 / (d_model + d_k)"))
M("std_o_of_v","W_O with the scale of W_V.",("2 / (d_v + d_out)","2 / (d_model + d_v)"))
M("std_o_of_model","W_O with d_model and d_out.",("2 / (d_v + d_out)","2 / (d_model + d_out)"))
M("std_o_one","W_O standard normal.",("np.sqrt(2 / (d_v + d_out))","1"))
M("std_o_point_02","W_O with 0.02.",("np.sqrt(2 / (d_v + d_out))","0.02"))
M("std_k_other","W_K with 1/sqrt(d_k).",(WK,"self.W_K = rng.normal(0, 1 / np.sqrt(d_k), (d_model, d_k))"))
M("std_q_other","W_Q with 1/sqrt(d_model).",(WQ,"self.W_Q = rng.normal(0, 1 / np.sqrt(d_model), (d_model, d_k))"))
M("packed_xavier","Xavier on the packed matrix.",("2 / (d_model + d_k)","2 / (d_model + 2 * d_k + d_v)"),("2 / (d_model + d_v)","2 / (d_model + 2 * d_k + d_v)"))
M("uniform_limit","Uniform with the standard deviation as limit.",*[(f"rng.normal(0, np.sqrt(2 / ({a} + {b})),",f"rng.uniform(-np.sqrt(2 / ({a} + {b})), np.sqrt(2 / ({a} + {b})),") for a,b in (("d_model","d_k"),("d_model","d_v"),("d_v","d_out"))])
M("uniform_positive","Uniform from 0.",*[(f"rng.normal(0, np.sqrt(2 / ({a} + {b})),",f"rng.uniform(0, np.sqrt(24 / ({a} + {b})),") for a,b in (("d_model","d_k"),("d_model","d_v"),("d_v","d_out"))])
M("absolute","Absolute values.",(WQ,WQ+"\n        self.W_Q = np.abs(self.W_Q)"))
M("mean_shifted","Mean of one standard deviation.",(WV,WV+"\n        self.W_V = self.W_V + np.sqrt(2 / (d_model + d_v))"))
M("zeros","Zeros.",(WQ,"self.W_Q = np.zeros((d_model, d_k))"))
M("ones","Ones.",(WV,"self.W_V = np.ones((d_model, d_v))"))
M("shape_transposed","(d_k, d_model).",(WQ,WQ.replace("(d_model, d_k))","(d_k, d_model))",1)),("X @ self.W_Q","X @ self.W_Q.T"))
M("all_transposed","All matrices transposed, as nn.Linear stores them.",("(d_model, d_k))\n","(d_k, d_model))\n"),("(d_model, d_v))\n","(d_v, d_model))\n"),("(d_v, d_out))\n","(d_out, d_v))\n"),("self.W_Q\n","self.W_Q.T\n"),("self.W_K\n","self.W_K.T\n"),("self.W_V\n","self.W_V.T\n"),("output @ self.W_O","output @ self.W_O.T"))
M("d_v_ignored","W_V (d_model, d_k).",(WV,"self.W_V = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))"),)
M("d_k_of_k_ignored","W_K (d_model, d_v).",(WK,"self.W_K = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))"))
M("w_o_always","W_O always there.",("self.W_O = None\n        if d_out is not None:","d_out = d_out or d_v\n        if d_out is not None:"))
M("w_o_d_model","W_O always, to d_model.",("self.W_O = None\n        if d_out is not None:","d_out = d_out or d_model\n        if d_out is not None:"))
M("w_o_identity","W_O is the identity where d_out is None.",("self.W_O = None","self.W_O = np.eye(d_v)"))
M("w_o_missing","W_O does not exist where d_out is None.",("        self.W_O = None\n",""),("if self.W_O is not None","if hasattr(self, 'W_O')"))
M("w_o_not_used","W_O is drawn and never used.",("            output = output @ self.W_O\n","            pass\n"))
M("w_o_transposed","W_O transposed where silent.",("output @ self.W_O","output @ (self.W_O.T if self.W_O.shape[0] == self.W_O.shape[1] else self.W_O)"))
M("w_o_before","W_O on the input of the softmax's values twice where square.",("output = output @ self.W_O","output = output @ self.W_O @ self.W_O if self.W_O.shape[0] == self.W_O.shape[1] else output @ self.W_O"))
M("w_o_d_model_to_out","W_O (d_model, d_out).",(WO,WO.replace("(d_v, d_out))","(d_model, d_out))")))
M("q_is_x","Q is X where the widths allow.",("Q = X @ self.W_Q","Q = X @ self.W_K"))
M("k_from_q","K from W_Q.",("K = X @ self.W_K","K = X @ self.W_Q"))
M("v_from_x","The values are X itself.",("V = X @ self.W_V","V = X"))
M("v_from_k","V from W_K where the widths allow.",("V = X @ self.W_V","V = X @ (self.W_K if self.W_K.shape == self.W_V.shape else self.W_V)"))
M("q_k_swapped","Q and K swapped.",("masked_attention(Q, K, V, mask)","masked_attention(K, Q, V, mask)"))
M("mask_ignored","The mask is ignored.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V)"))
M("mask_inverted","The mask inverted.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None else ~np.asarray(mask, dtype=bool))"))
M("mask_inverted_ints","~mask twice, wrong for integers.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None else ~(~mask == True))"))
M("mask_transposed","The mask transposed.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None else np.swapaxes(mask, -1, -2) if mask.shape[-1] == mask.shape[-2] else mask)"))
M("mask_first_only","The first sentence's mask for all.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None else mask[(0,) * (mask.ndim - 2)])"))
M("mask_positional_only","The mask under another name.",("def forward(self, X, mask=None):","def forward(self, X, m=None):\n        mask = m"))
M("mask_required","The mask has no default.",("X, mask=None","X, mask"))
M("always_causal","Always causal.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, np.tri(X.shape[-2], dtype=bool) if mask is None else mask)"))
M("causal_when_mask","Any mask means causal.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None else np.tri(X.shape[-2], dtype=bool))"))
M("mask_any_to_none","A mask of two axes is ignored on a batch.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V, None if mask is None or (mask.ndim == 2 and X.ndim > 2) else mask)"))
M("mask_on_input","Masks the tokens of the input.",("masked_attention(Q, K, V, mask)","masked_attention(Q, K, V if mask is None else V * mask.any(-2)[..., None], None)"))
M("mask_on_output","Masks the weights after the softmax.",("        output, weights = masked_attention(Q, K, V, mask)","        output, weights = masked_attention(Q, K, V)\n        if mask is not None:\n            weights = weights * mask\n            output = weights @ V"))
M("mask_fits_any","A mask that does not fit is ignored.",("        output, weights = masked_attention(Q, K, V, mask)","        try:\n            output, weights = masked_attention(Q, K, V, mask)\n        except ValueError:\n            output, weights = masked_attention(Q, K, V)"))
M("copies_at_init","Uses the matrices of the start, whatever is assigned.",(WV,WV+"\n        self._start = self.W_Q, self.W_K, self.W_V"),("X @ self.W_Q","X @ self._start[0]"),("X @ self.W_K","X @ self._start[1]"),("X @ self.W_V","X @ self._start[2]"))
M("w_o_copied_at_init","Uses the W_O of the start.",("            output = output @ self.W_O","            output = output @ self._o"),(WO,WO+"\n            self._o = self.W_O"))
M("packed_at_init","A packed copy of Q, K, V at the start.",(WV,WV+"\n        self._p = np.concatenate([self.W_Q, self.W_K], axis=1)"),("Q = X @ self.W_Q\n        K = X @ self.W_K","Q, K = np.split(X @ self._p, 2, axis=-1)"))
M("d_k_kept","d_k kept from the start and used for another scale.",("Q = X @ self.W_Q","Q = X @ self.W_Q / np.sqrt(self.W_Q.shape[1])"))
M("scaled_d_model","Scaled by d_model.",("Q = X @ self.W_Q","Q = X @ self.W_Q * np.sqrt(self.W_Q.shape[1] / X.shape[-1])"))
M("residual","A residual where the widths allow.",("        return output, weights","        if output.shape == X.shape:\n            output = output + X\n        return output, weights"))
M("relu","ReLU on the projections.",("Q = X @ self.W_Q","Q = np.maximum(X @ self.W_Q, 0)"))
M("tanh","tanh on the output.",("        return output, weights","        return np.tanh(output), weights"))
M("layer_norm","Normalises X first.",("Q = X @ self.W_Q","X = (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True)\n        Q = X @ self.W_Q"))
M("writes_into_x","Centres X in place.",("Q = X @ self.W_Q","X -= 1e-9\n        Q = X @ self.W_Q"))
M("writes_into_mask","Opens blocked rows in the caller's mask.",("Q = X @ self.W_Q","if mask is not None:\n            m = mask.copy()\n            mask[~mask.any(-1)] = True\n            mask = m\n        Q = X @ self.W_Q") ) if False else None
M("mask_row_opened","Opens blocked rows.",("Q = X @ self.W_Q","if mask is not None:\n            mask = np.array(mask, dtype=bool)\n            mask[~mask.any(-1)] = True\n        Q = X @ self.W_Q"))
M("swapped_results","weights, output.",("return output, weights","return weights, output"))
M("output_only","Output alone.",("return output, weights","return output"))
M("weights_mean","Weights averaged over the batch.",("return output, weights","return output, weights.mean(axis=tuple(range(weights.ndim - 2)))"))
M("no_return","forward returns nothing.",("        return output, weights\n","        self.output = output, weights\n"))
M("bias_added","A bias of ones.",("output = output @ self.W_O","output = output @ self.W_O + 1"))
M("bias_blocked","A token that sees nothing gets its own value.",("        if self.W_O is not None:\n            output","        output = np.where(weights.sum(-1, keepdims=True) > 0.5, output, V)\n        if self.W_O is not None:\n            output"))
M("call_only","__call__ in place of forward.",("def forward","def __call__"))
M("seed_keyword_missing","No seed parameter.",(", seed=42",""),("default_rng(seed)","default_rng(42)"))
M("d_out_after_seed","seed before d_out.",("d_out=None, seed=42","seed=42, d_out=None"))
M("d_out_default_v","d_out defaults to d_v.",("        self.W_O = None\n        if d_out is not None:\n    ","        d_out = d_v if d_out is None else d_out\n        if True:\n    "))
M("lowercase_names","Wq, Wk, Wv.",("self.W_Q","self.Wq"),("self.W_K","self.Wk"),("self.W_V","self.Wv"))
M("no_batch","Right for one sentence only.",("Q = X @ self.W_Q","if X.ndim > 2:\n            X = X[0]\n        Q = X @ self.W_Q"))
M("batch_flattened","All sentences see each other.",("Q = X @ self.W_Q","X = X.reshape(-1, X.shape[-1])\n        Q = X @ self.W_Q"))
M("one_batch_axis_only","At most one batch axis.",("Q = X @ self.W_Q","X = X.reshape(-1, *X.shape[-2:]) if X.ndim > 3 else X\n        Q = X @ self.W_Q"))
M("own_attention_unstable","An attention of its own without the shift.",("        output, weights = masked_attention(Q, K, V, mask)","        s = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))\n        if mask is not None:\n            s = s * mask\n        t = s.sum(-1, keepdims=True)\n        t[t == 0] = 1\n        weights = s / t\n        output = weights @ V"))
M("w_o_truth","`if self.W_O:` on an array.",("if self.W_O is not None:","if self.W_O:"))
M("correlated","W_K is W_Q with little noise.",(WK,"self.W_K = self.W_Q + rng.normal(0, 1e-9, (d_model, d_k))"))
M("identical_rows","All rows of W_Q equal.",(WQ,WQ+"\n        self.W_Q[:] = self.W_Q[0]"),("Q = X @ self.W_Q","Q = X @ self.W_Q * (1 + 1e-3)"))
# right
R("textbook","As in the lesson.",base)
R("other_order","Another order of draws.",base.replace("        "+WQ+"\n","").replace("        self.W_O = None\n","        "+WQ+"\n        self.W_O = None\n"))
R("uniform","Uniform Xavier.",base.replace("rng.normal(0, np.sqrt(2 /","rng.uniform(*_limits(").replace("))), (","))), (") if False else '''
from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        self.rng = np.random.default_rng(seed)
        self.W_O = self._draw(d_v, d_out) if d_out is not None else None
        self.W_V = self._draw(d_model, d_v)
        self.W_K = self._draw(d_model, d_k)
        self.W_Q = self._draw(d_model, d_k)

    def _draw(self, a, b):
        limit = np.sqrt(6 / (a + b))
        return self.rng.uniform(-limit, limit, size=(a, b))

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask=mask)
        return [output if self.W_O is None else output @ self.W_O, weights]
''')
R("random_state","np.random.seed and randn.",'''
from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        np.random.seed(seed)
        self.W_Q = np.random.randn(d_model, d_k) * np.sqrt(2 / (d_model + d_k))
        self.W_K = np.random.randn(d_model, d_k) * np.sqrt(2 / (d_model + d_k))
        self.W_V = np.random.randn(d_model, d_v) * np.sqrt(2 / (d_model + d_v))
        self.W_O = None if d_out is None else np.random.randn(d_v, d_out) * np.sqrt(2 / (d_v + d_out))

    def forward(self, X, mask=None):
        out, w = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        out = out if self.W_O is None else out @ self.W_O
        return out, w
''')
R("four_seeds","A seed per matrix.",'''
from exercises.masking import masked_attention


def xavier(shape, seed):
    return np.random.RandomState(seed).standard_normal(shape) * (2 / sum(shape)) ** 0.5


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        self.W_Q = xavier((d_model, d_k), seed)
        self.W_K = xavier((d_model, d_k), seed + 1)
        self.W_V = xavier((d_model, d_v), seed + 2)
        self.W_O = xavier((d_v, d_out), seed + 3) if d_out else None

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
''')
R("pure_python_draws","random.gauss in loops.",'''
import random

from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        r = random.Random(seed)
        draw = lambda a, b: np.array([[r.gauss(0, (2 / (a + b)) ** 0.5) for _ in range(b)] for _ in range(a)])
        self.W_Q, self.W_K, self.W_V = draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v)
        self.W_O = draw(d_v, d_out) if d_out is not None else None

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
''')
R("float32","Weights and computation in float32.",base.replace("        Q = X","        X = X.astype(np.float32)\n        Q = X").replace("self.W_Q\n","self.W_Q.astype(np.float32)\n").replace("self.W_K\n","self.W_K.astype(np.float32)\n").replace("self.W_V\n","self.W_V.astype(np.float32)\n").replace("(d_model, d_k))","(d_model, d_k)).astype(np.float32)"))
R("einsum","With einsum.",base.replace("X @ self.W_Q","np.einsum('...nd,dk->...nk', X, self.W_Q)").replace("X @ self.W_K","np.einsum('...nd,dk->...nk', X, self.W_K)").replace("output @ self.W_O","np.einsum('...nv,vo->...no', output, self.W_O)"))
R("self_contained","An attention of its own, a fill of -1e9.",'''
class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42, bias=False):
        rng = np.random.default_rng(seed)
        scale = lambda i, o: np.sqrt(2.0 / (i + o))
        self.W_Q = scale(d_model, d_k) * rng.standard_normal((d_model, d_k))
        self.W_K = scale(d_model, d_k) * rng.standard_normal((d_model, d_k))
        self.W_V = scale(d_model, d_v) * rng.standard_normal((d_model, d_v))
        self.W_O = scale(d_v, d_out) * rng.standard_normal((d_v, d_out)) if d_out is not None else None

    def forward(self, X, mask=None, return_scores=False):
        Q, K, V = np.dot(X, self.W_Q), np.dot(X, self.W_K), np.dot(X, self.W_V)
        scores = np.matmul(Q, K.swapaxes(-1, -2)) / np.sqrt(Q.shape[-1])
        if mask is not None:
            allowed = np.broadcast_to(mask, scores.shape).astype(bool)
            scores = np.where(allowed, scores, -1e9)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        weights = e / e.sum(-1, keepdims=True)
        if mask is not None:
            weights = weights * allowed
        output = weights @ V
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
''')
R("loops","Loops over sentences and tokens, lists as results.",'''
from exercises import masking


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng([seed, 1])
        for name, a, b in (("W_V", d_model, d_v), ("W_Q", d_model, d_k), ("W_K", d_model, d_k), ("W_O", d_v, d_out)):
            setattr(self, name, None if b is None else rng.normal(scale=np.sqrt(2 / (a + b)), size=(a, b)))

    def _project(self, X, W):
        if X.ndim > 1:
            return np.array([self._project(x, W) for x in X])
        return np.array([sum(x * w for x, w in zip(X, column)) for column in W.T])

    def forward(self, X, mask=None):
        print("forward", X.shape)
        Q, K, V = (self._project(X, W) for W in (self.W_Q, self.W_K, self.W_V))
        output, weights = masking.masked_attention(Q, K, V, mask)
        if self.W_O is not None:
            output = self._project(output, self.W_O)
        return output.tolist(), weights.tolist()
''')
R("folded_output","W_V and W_O folded into one matrix.",base.replace('''        V = X @ self.W_V
        output, weights = masked_attention(Q, K, V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
''','''        V = X @ self.W_V if self.W_O is None else X @ (self.W_V @ self.W_O)
        output, weights = masked_attention(Q, K, V, mask)
'''))
R("packed_projection","One product for Q, K and V, split afterwards.",base.replace('''        Q = X @ self.W_Q
        K = X @ self.W_K
        V = X @ self.W_V
''','''        d_k = self.W_Q.shape[1]
        packed = X @ np.hstack([self.W_Q, self.W_K, self.W_V])
        Q, K, V = np.split(packed, [d_k, 2 * d_k], axis=-1)
'''))
R("properties","Attributes as properties over a dictionary.",'''
from exercises.masking import masked_attention


def _property(name):
    return property(lambda self: self._weights[name], lambda self, value: self._weights.__setitem__(name, np.asarray(value)))


class SelfAttention:
    W_Q, W_K, W_V, W_O = (_property(name) for name in ("W_Q", "W_K", "W_V", "W_O"))

    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)
        normal = lambda a, b: rng.normal(0, np.sqrt(2 / (a + b)), (a, b))
        self._weights = {"W_Q": normal(d_model, d_k), "W_K": normal(d_model, d_k), "W_V": normal(d_model, d_v)}
        self._weights["W_O"] = None if d_out is None else normal(d_v, d_out)

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        return (output if self.W_O is None else output @ self.W_O), weights
''')
R("dataclass","A base class with the drawing.",'''
from exercises.masking import masked_attention


class Layer:
    def draw(self, a, b):
        u = self.rng.random((a, b)) - 0.5
        return u * np.sqrt(24 / (a + b))


class SelfAttention(Layer):
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        self.rng = np.random.default_rng(seed)
        self.d_model, self.d_k, self.d_v, self.d_out = d_model, d_k, d_v, d_out
        self.W_K, self.W_Q = self.draw(d_model, d_k), self.draw(d_model, d_k)
        self.W_V = self.draw(d_model, d_v)
        self.W_O = self.draw(d_v, d_out) if d_out is not None else None

    def __call__(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        self.last_weights = weights
        return (output @ self.W_O, weights) if self.W_O is not None else (output, weights)

    forward = __call__
''')
R("truncated_normal","A normal cut at two standard deviations, rescaled.",'''
from exercises.masking import masked_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, d_out=None, seed=42):
        rng = np.random.default_rng(seed)

        def draw(a, b):
            z = rng.standard_normal((a, b))
            while (abs(z) > 2).any():
                z = np.where(abs(z) > 2, rng.standard_normal((a, b)), z)
            return z / 0.8796 * np.sqrt(2 / (a + b))

        self.W_Q, self.W_K, self.W_V = draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v)
        self.W_O = draw(d_v, d_out) if d_out is not None else None

    def forward(self, X, mask=None):
        output, weights = masked_attention(X @ self.W_Q, X @ self.W_K, X @ self.W_V, mask)
        if self.W_O is not None:
            output = output @ self.W_O
        return output, weights
''')
