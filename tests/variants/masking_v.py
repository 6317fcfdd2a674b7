from make import *
W=lambda n,d,c: put("wrong","masking",n,d,c)
R=lambda n,d,c: put("right","masking",n,d,c)
base='''
import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    if n_k is None:
        n_k = n_q
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def padding_mask(lengths, n_k):
    lengths = np.asarray(lengths)
    return np.arange(n_k)[None, None, :] < lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores, axis=-1)
    mask = np.asarray(mask).astype(bool)
    mask = np.broadcast_to(mask, scores.shape)
    filled = np.where(mask, scores, -1e9)
    weights = softmax(filled, axis=-1)
    return np.where(mask, weights, 0.0)


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("n_k")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights
'''
M=lambda n,d,*p: mutant("wrong","masking",n,d,base,*p)
T="np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)"
M("causal_top_left","The first query aligned with the first key.",(T,"np.tri(n_q, n_k, dtype=bool)"))
M("causal_diagonal_blocked","The diagonal blocked.",("k=n_k - n_q","k=n_k - n_q - 1"))
M("causal_one_future","One future token allowed.",("k=n_k - n_q","k=n_k - n_q + 1"))
M("causal_wrong_sign","The shift the wrong way.",("k=n_k - n_q","k=n_q - n_k"))
M("causal_abs_shift","The absolute difference as shift.",("k=n_k - n_q","k=abs(n_k - n_q)"))
M("causal_max_shift","No shift with more queries than keys.",("k=n_k - n_q","k=max(0, n_k - n_q)"))
M("causal_min_shift","No shift with fewer queries than keys.",("k=n_k - n_q","k=min(0, n_k - n_q)"))
M("causal_inverted","True = blocked.",(T,"~"+T))
M("causal_upper","The upper triangle.",(T,T+"[::-1, ::-1]"))
M("causal_reversed_rows","Rows in reverse.",(T,T+"[::-1]"))
M("causal_float","A mask of 0.0 and 1.0.",("dtype=bool)","dtype=float)"))
M("causal_int","A mask of integers.",("dtype=bool)","dtype=int)"))
M("causal_additive","A mask of 0 and -inf.",(T,"np.where("+T+", 0.0, -np.inf)"))
M("causal_no_default","n_k has no default.",("n_k=None):\n    if n_k","n_k):\n    if n_k"))
M("causal_ignores_n_k","n_k ignored.",("    if n_k is None:\n        n_k = n_q\n    return np.tri","    n_k = n_q\n    return np.tri"))
M("causal_default_one","n_k or n_q wrong: max of both.",("return "+T,"return np.tri(n_q, max(n_q, n_k), dtype=bool)"))
M("causal_transposed","Queries and keys swapped.",(T,T+".T"))
M("causal_leading_axis","A leading axis of 1.",(T,T+"[None]"))
M("causal_first_row_open","The first row always sees a key.",("return "+T,"m = "+T+"\n    m[:, 0] = True\n    return m"))
M("causal_strict_for_cache","Right for n_q = n_k and n_q = 1 only.",("k=n_k - n_q","k=0 if n_q > 1 else n_k - 1"))
M("causal_full_when_prefix","All allowed when n_q < n_k.",("return "+T,"return "+T+" if n_q >= n_k else np.ones((n_q, n_k), dtype=bool)"))
M("padding_inverted","True = padding.",("< lengths[:, None, None]",">= lengths[:, None, None]"))
M("padding_one_more","One place of padding counts.",("< lengths[:, None, None]","<= lengths[:, None, None]"))
M("padding_one_less","The last real token is blocked.",("< lengths[:, None, None]","< lengths[:, None, None] - 1"))
M("padding_on_queries","Padding on the query axis.",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return np.arange(n_k)[None, :, None] < lengths[:, None, None]"))
M("padding_two_axes","Shape (batch, n_k).",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return np.arange(n_k)[None, :] < lengths[:, None]"))
M("padding_four_axes","Shape (batch, 1, 1, n_k).",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return np.arange(n_k)[None, None, None, :] < lengths[:, None, None, None]"))
M("padding_square","Shape (batch, n_k, n_k).",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return np.repeat(np.arange(n_k)[None, None, :] < lengths[:, None, None], n_k, axis=1)"))
M("padding_square_both","Padding on both axes.",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","m = np.arange(n_k)[None, :] < lengths[:, None]\n    return m[:, None, :] & m[:, :, None]"))
M("padding_max_length","As wide as the longest sentence.",("np.arange(n_k)[None","np.arange(max(lengths))[None"))
M("padding_lengths_must_be_array","Fails on a list.",("    lengths = np.asarray(lengths)\n",""))
M("padding_ints","Integers in place of booleans.",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return (np.arange(n_k)[None, None, :] < lengths[:, None, None]).astype(int)"))
M("padding_left","Padding on the left.",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","return np.arange(n_k)[None, None, ::-1] < lengths[:, None, None]"))
M("padding_zero_is_one","A length of 0 counts as 1.",("lengths = np.asarray(lengths)","lengths = np.maximum(np.asarray(lengths), 1)"))
M("padding_negative_index","Slices with -padding, wrong for no padding.",("return np.arange(n_k)[None, None, :] < lengths[:, None, None]","m = np.ones((len(lengths), 1, n_k), dtype=bool)\n    for b, n in enumerate(lengths):\n        m[b, :, -(n_k - n):] = False\n    return m"))
M("padding_first_length","The first length for all.",("lengths[:, None, None]","lengths[:1, None, None]"))
M("padding_sorted","Sorts the lengths.",("np.asarray(lengths)","np.sort(np.asarray(lengths))"))
M("padding_index","True at one place only.",("< lengths[:, None, None]","== lengths[:, None, None] - 1"))
F="filled = np.where(mask, scores, -1e9)"
M("mask_ignored","The mask is ignored.",(F,"filled = scores"),("np.where(mask, weights, 0.0)","weights"))
M("mask_after","The mask after the softmax.",(F,"filled = scores"))
M("mask_inverted","The opposite meaning.",(F,"mask = ~mask\n    filled = np.where(mask, scores, -1e9)"))
M("scores_times_mask","Scores times mask.",(F,"filled = scores * mask"),("np.where(mask, weights, 0.0)","weights"))
M("scores_times_mask_after","Scores times mask, then zeroed.",(F,"filled = scores * mask"))
M("fill_zero","Fill 0.",("-1e9","0.0"))
M("fill_tiny","Fill 1e-9.",("-1e9","1e-9"))
M("fill_minus_tiny","Fill -1e-9.",("-1e9","-1e-9"))
M("fill_one","Fill -1.",("-1e9","-1.0"))
M("fill_ten","Fill -10.",("-1e9","-10.0"))
M("fill_hundred","Fill -100.",("-1e9","-100.0"))
M("fill_fifty","Fill -50.",("-1e9","-50.0"))
M("fill_plus","Fill +1e9.",("-1e9","1e9"))
M("fill_plus_inf","Fill +inf.",("-1e9","np.inf"))
M("fill_min","Fill with the lowest score.",("-1e9","scores.min()"))
M("fill_min_minus_one","Fill with the lowest score minus 1.",("-1e9","scores.min() - 1"))
M("fill_hundred_soft","Fill -100, not zeroed.",("-1e9","-100.0"),("np.where(mask, weights, 0.0)","np.where(mask.any(-1, keepdims=True), weights, 0.0)"))
M("additive_hundred","Adds -100.",(F,"filled = scores + np.where(mask, 0.0, -100.0)"))
M("additive_hundred_soft","Adds -150, not zeroed.",(F,"filled = scores + np.where(mask, 0.0, -150.0)"),("np.where(mask, weights, 0.0)","np.where(mask.any(-1, keepdims=True), weights, 0.0)"))
M("additive_mask","Adds the mask.",(F,"filled = scores + mask"))
M("additive_log_mask","Adds log(mask + 1e-9).",(F,"filled = scores + np.log(mask + 1e-9)"),("np.where(mask, weights, 0.0)","np.where(mask.any(-1, keepdims=True), weights, 0.0)"))
M("additive_zero_times_inf","(1 - mask) * -inf, NaN at allowed places.",(F,"filled = scores + (1 - mask.astype(float)) * -np.inf"))
M("row_nan","A blocked row is NaN.",("-1e9","-np.inf"),("np.where(mask, weights, 0.0)","weights"))
M("row_uniform","A blocked row is uniform.",("np.where(mask, weights, 0.0)","weights"))
M("row_one_nth","A blocked row is 1/n_k.",("return np.where(mask, weights, 0.0)","weights = np.where(mask, weights, 0.0)\n    return np.where(mask.any(-1, keepdims=True), weights, 1 / mask.shape[-1])"))
M("row_first","A blocked row looks at the first key.",("return np.where(mask, weights, 0.0)","weights = np.where(mask, weights, 0.0)\n    weights[..., 0] += ~mask.any(-1)\n    return weights"))
M("row_raises","A blocked row is an error.",(F,F+"\n    if not mask.any(-1).all():\n        raise ValueError('nothing allowed')"))
M("any_blocked_row_zero","A row with one blocked key becomes zero.",("return np.where(mask, weights, 0.0)","return np.where(mask.all(-1, keepdims=True), weights, 0.0)"))
M("all_or_nothing_check","Zeros only where everything in the batch is blocked.",("return np.where(mask, weights, 0.0)","return np.zeros(scores.shape) if not mask.any() else weights"))
M("no_renormalise","Softmax over all keys, blocked ones zeroed, not renormalised.",(F,"filled = scores"),)  if False else None
M("renormalise_epsilon","Mask after the softmax, renormalised with an epsilon.",(F,"filled = scores"),("return np.where(mask, weights, 0.0)","weights = weights * mask\n    return weights / (weights.sum(-1, keepdims=True) + 1e-9)"))
M("renormalise_query_axis","Renormalised along the query axis.",("return np.where(mask, weights, 0.0)","weights = np.where(mask, weights, 0.0)\n    return weights / np.maximum(weights.sum(-2, keepdims=True), 1e-9)"))
M("mask_any_axis","A key blocked for one query is blocked for all.",(F,"mask = np.broadcast_to(mask.all(axis=-2, keepdims=True), scores.shape)\n    "+F))
M("or_with_causal","Always causal besides.",(F,"mask = mask & np.tri(*scores.shape[-2:], dtype=bool)\n    "+F))
M("invert_of_ints","~mask on integers.",("    mask = np.asarray(mask).astype(bool)\n    mask = np.broadcast_to(mask, scores.shape)\n","    mask = np.broadcast_to(mask, scores.shape)\n"),(F,"filled = np.where(~mask, -1e9, scores)"))
M("index_with_ints","scores[mask == False] fine, weights[~mask] wrong on integers.",("    mask = np.asarray(mask).astype(bool)\n    mask = np.broadcast_to(mask, scores.shape)\n","    mask = np.broadcast_to(mask, scores.shape)\n"),(F,"filled = scores.copy()\n    filled[~mask] = -1e9"),("return np.where(mask, weights, 0.0)","weights[~mask] = 0\n    return weights"))
M("minus_of_bools","1 - mask fine on ints, -mask fails on bools.",("    mask = np.asarray(mask).astype(bool)\n","    mask = np.asarray(mask)\n"),(F,"filled = np.where(-mask + 1, -1e9, scores)"))
M("uint_minus","mask - 1 wraps around in uint8.",("    mask = np.asarray(mask).astype(bool)\n    mask = np.broadcast_to(mask, scores.shape)\n","    mask = np.broadcast_to(mask, scores.shape)\n"),(F,"filled = scores + (mask * 1 - 1) * 1e9"))
M("mask_is_true","mask is True compares identity.",(F,"filled = np.where(mask == np.True_, scores, -1e9) if mask.dtype == bool and np.asarray(mask).ndim == 3 else scores"))
M("only_bool","Integer masks refused.",("    mask = np.asarray(mask).astype(bool)\n","    if mask.dtype != bool:\n        raise TypeError('bool')\n"))
M("int_mask_as_bias","Integer masks are added to the scores.",("    mask = np.asarray(mask).astype(bool)\n    mask = np.broadcast_to(mask, scores.shape)\n","    if mask.dtype != bool:\n        return softmax(scores + mask)\n    mask = np.broadcast_to(mask, scores.shape)\n"))
M("full_shape_only","Only masks of the full shape.",("mask = np.broadcast_to(mask, scores.shape)","if mask.shape != scores.shape:\n        raise ValueError('shape')"))
M("boolean_indexing","Indexing with a mask that does not have the full shape.",("    mask = np.broadcast_to(mask, scores.shape)\n",""),(F,"filled = scores.copy()\n    filled[~mask] = -1e9"))
M("last_two_axes_only","The mask's first sentence for all.",("mask = np.broadcast_to(mask, scores.shape)","mask = np.broadcast_to(mask[(0,) * (mask.ndim - 2)], scores.shape)"))
M("ignored_for_2d_mask","A mask of two axes is ignored on a batch.",("mask = np.broadcast_to(mask, scores.shape)","mask = np.broadcast_to(mask if mask.ndim == scores.ndim else np.ones(scores.shape[-2:], dtype=bool), scores.shape)"))
M("ignored_for_2d_scores","The mask is ignored without a batch.",("    if mask is None:\n        return softmax","    if mask is None or scores.ndim == 2:\n        return softmax"))
M("batch_on_wrong_axis","A 3-axis mask gets an axis after the batch always.",("mask = np.broadcast_to(mask, scores.shape)","mask = np.broadcast_to(mask[:, None] if mask.ndim == 3 and scores.ndim == 4 else mask, scores.shape)"))
M("enlarges","The mask may enlarge the scores.",("mask = np.broadcast_to(mask, scores.shape)","scores, mask = np.broadcast_arrays(scores, mask)"))
M("enlarges_where","np.where with no check.",("    mask = np.broadcast_to(mask, scores.shape)\n",""))
M("mask_cut","A mask that is too large is cut.",("mask = np.broadcast_to(mask, scores.shape)","mask = np.broadcast_to(mask[..., : scores.shape[-2], : scores.shape[-1]], scores.shape)"))
M("mask_resized","np.resize to any shape.",("np.broadcast_to(mask, scores.shape)","np.resize(mask, scores.shape)"))
M("mask_error_type","TypeError where the mask does not fit.",("mask = np.broadcast_to(mask, scores.shape)","try:\n        mask = np.broadcast_to(mask, scores.shape)\n    except ValueError:\n        raise TypeError('mask')"))
M("softmax_axis_query","Softmax over the queries.",("softmax(filled, axis=-1)","softmax(filled, axis=-2)"))
M("softmax_axis_query_unmasked","Softmax over the queries where there is no mask.",("softmax(scores, axis=-1)","softmax(scores, axis=-2)"))
M("softmax_axis_one","Softmax over axis 1 where there is no mask.",("softmax(scores, axis=-1)","softmax(scores, axis=1)"))
M("mask_required","The mask has no default.",("def masked_softmax(scores, mask=None)","def masked_softmax(scores, mask)"))
M("none_crashes","None is no mask it knows.",("    if mask is None:\n        return softmax(scores, axis=-1)\n",""))
M("none_means_causal","Without a mask it is causal.",("        return softmax(scores, axis=-1)","        mask = causal_mask(scores.shape[-2], scores.shape[-1])"))
M("none_unstable","No shift without a mask.",("        return softmax(scores, axis=-1)","        e = np.exp(scores)\n        return e / e.sum(axis=-1, keepdims=True)"))
M("own_softmax_unstable","A softmax of its own without the shift.",("weights = softmax(filled, axis=-1)","e = np.exp(filled) * mask\n    weights = e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-9)"))
M("own_softmax_global_max","A softmax of its own, one maximum for all.",("weights = softmax(filled, axis=-1)","e = np.exp(filled - filled.max())\n    weights = e / (e.sum(axis=-1, keepdims=True) + 1e-12)"))
M("max_over_blocked","The shift by the maximum over blocked keys too, with an epsilon.",("weights = softmax(filled, axis=-1)","e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask\n    weights = e / (e.sum(axis=-1, keepdims=True) + 1e-8)"))
M("writes_into_scores","Fills the caller's scores.",(F,"filled = scores\n    filled[~mask] = -1e9"))
M("writes_into_mask","Opens blocked rows in the caller's mask.",("    mask = np.asarray(mask).astype(bool)\n","    given = np.asarray(mask)\n    given[~given.astype(bool).any(-1)] = 0\n    given[0, 0] = 1\n    mask = given.astype(bool)\n"))
M("attention_ignores_mask","masked_attention does not pass the mask.",("masked_softmax(scores, mask)\n    return weights","masked_softmax(scores)\n    return weights"))
M("attention_no_scale","masked_attention without the scale.",(" / np.sqrt(Q.shape[-1])",""))
M("attention_no_scale_when_masked","No scale where there is a mask.",("/ np.sqrt(Q.shape[-1])","/ (np.sqrt(Q.shape[-1]) if mask is None else 1)"))
M("attention_scale_d_v","The scale by d_v.",("np.sqrt(Q.shape[-1])","np.sqrt(V.shape[-1])"))
M("attention_scale_after_mask","Scaled after the mask... twice.",("masked_softmax(scores, mask)\n    return weights","masked_softmax(scores / np.sqrt(Q.shape[-1]), mask)\n    return weights"))
M("attention_T",".T on a batch.",("np.swapaxes(K, -1, -2)","K.T"))
M("attention_swap_1_2","Axes 1 and 2, right for one batch axis.",("np.swapaxes(K, -1, -2)","(np.swapaxes(K, 1, 2) if K.ndim > 2 else K.T)"))
M("attention_values_masked","Values masked by keys, weights unmasked.",("    weights = masked_softmax(scores, mask)\n    return weights @ V, weights","    weights = masked_softmax(scores, mask)\n    return softmax(scores) @ V, weights"))
M("attention_unmasked_output","The output of plain attention.",("return weights @ V, weights","return scaled_dot_product_attention(Q, K, V)[0], weights"))
M("attention_unmasked_weights","The weights of plain attention.",("return weights @ V, weights","return weights @ V, scaled_dot_product_attention(Q, K, V)[1]"))
M("attention_masks_queries","The mask on the queries, transposed where silent.",("masked_softmax(scores, mask)\n    return weights","masked_softmax(scores, np.swapaxes(mask, -1, -2) if mask is not None and scores.shape[-1] == scores.shape[-2] else mask)\n    return weights"))
M("attention_mask_required","masked_attention needs a mask.",("def masked_attention(Q, K, V, mask=None)","def masked_attention(Q, K, V, mask)"))
M("attention_swapped","weights, output.",("return weights @ V, weights","return weights, weights @ V"))
M("attention_output_only","Output alone.",("return weights @ V, weights","return weights @ V"))
M("attention_always_causal","Without a mask it is causal.",("    weights = masked_softmax(scores, mask)\n","    weights = masked_softmax(scores, causal_mask(*scores.shape[-2:]) if mask is None else mask)\n"))
M("attention_mean_for_blocked","A blocked query gets the mean of the values.",("    return weights @ V, weights","    out = weights @ V\n    if mask is not None:\n        out = np.where(weights.sum(-1, keepdims=True) > 0, out, V.mean(-2, keepdims=True))\n    return out, weights"))
M("attention_query_for_blocked","A blocked query keeps its query vector.",("    return weights @ V, weights","    out = weights @ V\n    if out.shape == Q.shape:\n        out = np.where(weights.sum(-1, keepdims=True) > 0, out, Q)\n    return out, weights"),("masked_softmax(scores, mask)\n","masked_softmax(scores, mask)\n    weights = np.where(weights.sum(-1, keepdims=True) > 0, weights, 1e-3)\n"))
M("attention_d_k_cut","Different d_k cut to the shorter one.",('        raise ValueError("d_k")\n','        n = min(Q.shape[-1], K.shape[-1])\n        Q, K = Q[..., :n], K[..., :n]\n'))
M("attention_n_k_broadcast","A single value for all keys is taken.",('    if K.shape[-2] != V.shape[-2]:\n        raise ValueError("n_k")\n','    if V.shape[-2] == 1:\n        V = np.repeat(V, K.shape[-2], axis=-2)\n'))
M("attention_d_k_broadcast","A d_k of 1 is broadcast.",('    if Q.shape[-1] != K.shape[-1]:\n        raise ValueError("d_k")\n','    if K.shape[-1] == 1:\n        K = np.repeat(K, Q.shape[-1], axis=-1)\n'))
M("attention_no_check_with_mask","The error is no ValueError.",('raise ValueError("n_k")','raise IndexError("n_k")'))
M("attention_scales_in_place","Scales Q in place.",("    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])","    Q /= np.sqrt(Q.shape[-1])\n    scores = Q @ np.swapaxes(K, -1, -2)"))
M("attention_row_nan","A blocked query gives NaN output.",("return weights @ V, weights","empty = weights.sum(-1, keepdims=True) == 0\n    return np.where(empty, np.nan, weights @ V), weights"))
M("attention_batch_only","Expects a batch axis.",("    weights = masked_softmax(scores, mask)\n","    if mask is not None and mask.ndim == 2 and scores.ndim == 3:\n        mask = mask[:, None, :] if len(mask) == len(scores) else mask\n    weights = masked_softmax(scores, mask)\n"))
M("two_dim_mask_on_batch","A mask of two axes is read as (batch, n_k) where it can be.",("    mask = np.asarray(mask).astype(bool)\n","    mask = np.asarray(mask).astype(bool)\n    if mask.ndim == 2 and scores.ndim == 3 and len(mask) == len(scores):\n        mask = mask[:, None, :]\n"))
M("fill_float_max","Fill with the largest float.",("-1e9","np.finfo(float).max"))
M("fill_float_tiny","Fill with the smallest positive float (finfo.tiny).",("-1e9","np.finfo(float).tiny"))
M("fill_eps","Fill with -finfo.eps.",("-1e9","-np.finfo(float).eps"))
M("fill_nan","Fill NaN and nan_to_num.",(F,"filled = np.where(mask, scores, np.nan)"),("return np.where(mask, weights, 0.0)","return np.nan_to_num(weights)"))
M("minus_inf_nan_to_num_scores","-inf made finite by nan_to_num, rows uniform.",(F,"filled = np.nan_to_num(np.where(mask, scores, -np.inf))"),("np.where(mask, weights, 0.0)","np.nan_to_num(weights)"))
M("mask_threshold","mask > 1: ones do not count.",("np.asarray(mask).astype(bool)","np.asarray(mask) > (0 if np.asarray(mask).dtype == bool else 1)"))
# right
R("textbook","np.tri, a fill of -1e9, zeros afterwards.",base)
R("inf_nan_to_num","-inf and nan_to_num.",base.replace("-1e9","-np.inf").replace("np.where(mask, weights, 0.0)","np.nan_to_num(weights)"))
R("fill_1e30","A fill of -1e30.",base.replace("-1e9","-1e30"))
R("fill_min","A fill of the lowest float64.",base.replace("-1e9","np.finfo(np.float64).min"))
R("fill_min_32","A fill of the lowest float32.",base.replace("-1e9","np.finfo(np.float32).min"))
R("additive","An additive mask of -1e9.",base.replace("filled = np.where(mask, scores, -1e9)","filled = scores + np.where(mask, 0.0, -1e9)"))
R("additive_one_minus","(1 - mask) * -1e9.",base.replace("filled = np.where(mask, scores, -1e9)","filled = scores + (1.0 - mask) * -1e9").replace("np.where(mask, weights, 0.0)","weights * mask.any(axis=-1, keepdims=True)"))
R("float32","In float32.",base.replace("    filled = np.where","    scores = np.asarray(scores, dtype=np.float32)\n    filled = np.where").replace("    scores = Q @","    Q, K, V = np.float32(Q), np.float32(K), np.float32(V)\n    scores = Q @").replace("return weights @ V, weights","return (weights @ V).astype(np.float32), weights"))
R("float32_own","In float32 with a softmax of its own.",base.replace("weights = softmax(filled, axis=-1)","filled = filled.astype(np.float32)\n    e = np.exp(filled - filled.max(-1, keepdims=True))\n    weights = e / e.sum(-1, keepdims=True)"))
R("renormalised","exp times mask, divided by what is left.",base.replace('''    filled = np.where(mask, scores, -1e9)
    weights = softmax(filled, axis=-1)
    return np.where(mask, weights, 0.0)''','''    e = np.exp(scores - np.max(np.where(mask, scores, -np.inf), axis=-1, keepdims=True, initial=-1e300)) * mask
    e = np.where(mask, e, 0.0)
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)'''))
R("softmax_renormalised","Softmax over all, masked, renormalised: fine within ±100.",base.replace('''    filled = np.where(mask, scores, -1e9)
    weights = softmax(filled, axis=-1)
    return np.where(mask, weights, 0.0)''','''    e = softmax(scores) * mask
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total'''))
R("loops","Loops everywhere, lists as results.",'''
import math

from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    rows = []
    for i in range(n_q):
        rows.append([j <= i + n_k - n_q for j in range(n_k)])
    return rows


def padding_mask(lengths, n_k):
    return [[[j < n for j in range(n_k)]] for n in lengths]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones_like(scores)
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape)
    for index in np.ndindex(*scores.shape[:-1]):
        allowed = [j for j in range(scores.shape[-1]) if mask[index][j]]
        if not allowed:
            continue
        top = max(scores[index][j] for j in allowed)
        e = {j: math.exp(scores[index][j] - top) for j in allowed}
        for j in allowed:
            out[index + (j,)] = e[j] / sum(e.values())
    return out.tolist()


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    scores = np.empty(Q.shape[:-1] + (K.shape[-2],))
    for index in np.ndindex(*scores.shape):
        q, k = Q[index[:-1]], K[index[:-2] + index[-1:]]
        scores[index] = sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q))
    weights = np.array(masked_softmax(scores, mask))
    return [(weights @ V).tolist(), weights.tolist()]
''')
R("fancy_indexing","Fills by boolean indexing on copies.",'''
from exercises.attention import scaled_dot_product_attention
from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    if n_k is None:
        n_k = n_q
    future = np.triu(np.ones((n_q, n_k)), k=1 + n_k - n_q)
    return future == 0


def padding_mask(lengths, n_k):
    mask = np.zeros((len(lengths), 1, n_k), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, 0, :n] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores)
    if np.broadcast_shapes(scores.shape, mask.shape) != scores.shape:
        raise ValueError("the mask is larger than the scores")
    blocked = np.broadcast_to(mask == 0, scores.shape)
    s = scores.copy()
    s[blocked] = -np.inf
    w = softmax(s)
    w[blocked] = 0
    return w


def masked_attention(Q, K, V, mask=None):
    if mask is None:
        return scaled_dot_product_attention(Q, K, V)
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    scores = np.einsum("...ij,...kj->...ik", Q, K) / Q.shape[-1] ** 0.5
    w = masked_softmax(scores=scores, mask=mask)
    return np.einsum("...ij,...jk->...ik", w, V), w
''')
R("safe_rows","Blocked rows opened for the softmax, then zeroed.",base.replace('''    filled = np.where(mask, scores, -1e9)
    weights = softmax(filled, axis=-1)
    return np.where(mask, weights, 0.0)''','''    empty = ~mask.any(axis=-1, keepdims=True)
    weights = softmax(np.where(mask | empty, scores, -np.inf))
    weights[np.broadcast_to(empty, weights.shape)] = 0
    return weights'''))
R("extra_parameters","Extra optional parameters.",base.replace("def masked_softmax(scores, mask=None):","def masked_softmax(scores, mask=None, fill=-1e9, axis=-1):").replace("-1e9)\n","fill)\n").replace("def masked_attention(Q, K, V, mask=None):","def masked_attention(Q, K, V, mask=None, scale=None, verbose=False):").replace("def causal_mask(n_q, n_k=None):","def causal_mask(n_q, n_k=None, dtype=bool):"))
R("own_error","An exception class of its own, warnings on stderr.",'''
import sys
import warnings

from exercises import attention, softmax as softmax_module


class MaskError(ValueError):
    """A mask that does not fit."""


def causal_mask(n_q, n_k=None):
    n_k = n_k if n_k is not None else n_q
    warnings.warn("causal")
    return np.greater_equal.outer(np.arange(n_k - n_q, n_k), np.arange(n_k))


def padding_mask(lengths, n_k):
    print("padding", file=sys.stderr)
    return np.less.outer(np.arange(n_k), np.array(lengths)).T[:, np.newaxis]


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax_module.softmax(scores)
    mask = np.array(mask, dtype=bool)
    try:
        mask = mask & np.ones(scores.shape, dtype=bool)
    except ValueError as error:
        raise MaskError(str(error)) from error
    if mask.shape != scores.shape:
        raise MaskError("too large")
    with np.errstate(all="ignore"):
        weights = softmax_module.softmax(np.where(mask, scores, float("-inf")), -1)
    weights[np.isnan(weights)] = 0
    return weights


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise MaskError("d_k")
    output, weights = attention.scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = masked_softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask)
        output = weights @ V
    return output, weights
''')
R("recursive","Recursion over the leading axes after broadcasting the mask.",'''
from exercises.softmax import softmax


def causal_mask(n_q, n_k=None):
    n_k = n_k or n_q
    return np.array([[k - n_k <= q - n_q for k in range(n_k)] for q in range(n_q)])


def padding_mask(lengths, n_k):
    lengths = list(lengths)
    return np.stack([np.concatenate([np.ones(n, bool), np.zeros(n_k - n, bool)])[None] for n in lengths])


def _rows(scores, mask):
    if scores.ndim > 1:
        return np.stack([_rows(s, m) for s, m in zip(scores, mask)])
    out = np.zeros(len(scores))
    if mask.any():
        out[mask] = softmax(scores[mask])
    return out


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones(scores.shape)
    return _rows(np.asarray(scores), np.broadcast_to(np.asarray(mask, dtype=bool), scores.shape))


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or V.shape[-2] != K.shape[-2]:
        raise ValueError("shapes")
    weights = masked_softmax(Q @ np.moveaxis(K, -1, -2) / np.sqrt(K.shape[-1]), mask)
    return weights @ V, weights
''')
