from make import *
W=lambda n,d,c: put("wrong","softmax",n,d,c)
R=lambda n,d,c: put("right","softmax",n,d,c)
base='''
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)
'''
M=lambda n,d,*p: mutant("wrong","softmax",n,d,base,*p)
M("axis_ignored","The axis is always the last one.",("axis=axis","axis=-1"))
M("axis_zero","The axis is always the first one.",("axis=axis","axis=0"))
M("default_axis_zero","The default axis is 0.",("axis=-1):","axis=0):"))
M("one_sum_for_all","One sum for the whole array.",("np.sum(e, axis=axis, keepdims=True)","np.sum(e)"))
M("one_max_for_all","One maximum for all rows.",("np.max(x, axis=axis, keepdims=True)","np.max(x)"))
M("no_max","No maximum subtracted.",("x - np.max(x, axis=axis, keepdims=True)","x"))
M("no_keepdims_sum","No keepdims in the sum.",("np.sum(e, axis=axis, keepdims=True)","np.sum(e, axis=axis)"))
M("no_keepdims_max","No keepdims in the maximum.",("np.max(x, axis=axis, keepdims=True)","np.max(x, axis=axis)"))
M("no_keepdims_both","No keepdims at all.",(", keepdims=True",""))
M("max_zero","The shift is max(0, max).",("np.max(x, axis=axis, keepdims=True)","np.maximum(0, np.max(x, axis=axis, keepdims=True))"))
M("min_subtracted","Subtracts the minimum.",("np.max(","np.min("))
M("mean_subtracted","Subtracts the mean.",("np.max(","np.mean("))
M("max_added","Adds the maximum.",("x - np.max","x + np.max"))
M("negative","exp(-x).",("np.exp(shifted)","np.exp(-shifted)"))
M("base_two","2**x for e**x.",("np.exp(shifted)","np.exp2(shifted)"))
M("expm1","expm1 for exp.",("np.exp(shifted)","np.expm1(shifted)"))
M("epsilon","An epsilon in the denominator.",("np.sum(e, axis=axis, keepdims=True)","(np.sum(e, axis=axis, keepdims=True) + 1e-3)"))
M("epsilon_small","A smaller epsilon in the denominator.",("np.sum(e, axis=axis, keepdims=True)","(np.sum(e, axis=axis, keepdims=True) + 1e-4)"))
M("log_softmax","Returns the log-softmax.",("return e / np.sum(e, axis=axis, keepdims=True)","return shifted - np.log(np.sum(e, axis=axis, keepdims=True))"))
M("twice","Softmax of the softmax.",("return e / np.sum(e, axis=axis, keepdims=True)","p = e / np.sum(e, axis=axis, keepdims=True)\n    e = np.exp(p)\n    return e / e.sum(axis=axis, keepdims=True)"))
M("norm_two","Divides by the root of the sum of squares.",("np.sum(e, axis=axis, keepdims=True)","np.sqrt(np.sum(e**2, axis=axis, keepdims=True))"))
M("max_norm","Divides by the largest.",("np.sum(e, axis=axis, keepdims=True)","np.max(e, axis=axis, keepdims=True)"))
M("mean_norm","Divides by the mean.",("np.sum(e,","np.mean(e,"))
M("no_exp","Forgets the exponential.",("np.exp(shifted)","x"))
M("not_normalised","Never divides.",("return e / np.sum(e, axis=axis, keepdims=True)","return e"))
M("temperature","A temperature of 2.",("np.exp(shifted)","np.exp(shifted / 2)"))
M("clipped","Clips the scores to ±50 in place of a shift.",("x - np.max(x, axis=axis, keepdims=True)","np.clip(x, -50, 50)"))
M("clip_700","Clips the scores to ±700 in place of a shift.",("x - np.max(x, axis=axis, keepdims=True)","np.clip(x, -700, 700)"))
M("clip_shifted_low","Clips the shifted scores at -3.",("x - np.max(x, axis=axis, keepdims=True)","np.clip(x - np.max(x, axis=axis, keepdims=True), -3, 0)"))
M("max_other_axis","The maximum along the last axis, the sum along the axis asked for.",("np.max(x, axis=axis,","np.max(x, axis=-1,"))
M("sum_other_axis","The sum along the last axis, the maximum along the axis asked for.",("np.sum(e, axis=axis,","np.sum(e, axis=-1,"))
M("axis_one","The axis is 1, right for matrices only.",("axis=axis","axis=1 if x.ndim > 1 else 0"))
M("abs_max","Shifts by the largest absolute value.",("np.max(x,","np.max(np.abs(x),"))
M("rounded","Rounds to four digits.",("return e / np.sum(e, axis=axis, keepdims=True)","return np.round(e / np.sum(e, axis=axis, keepdims=True), 4)"))
M("half","Works in float16.",("dtype=float","dtype=np.float16"))
M("integers_refused","Works in the dtype of the argument: integers fail at the division in place.",("x = np.asarray(x, dtype=float)\n","x = np.array(x)\n"),("return e / np.sum(e, axis=axis, keepdims=True)","out = np.zeros_like(x)\n    out[...] = e / np.sum(e, axis=axis, keepdims=True)\n    return out"))
M("writes_into_argument","Shifts the caller's array in place.",("x = np.asarray(x, dtype=float)\n    shifted = x - np.max(x, axis=axis, keepdims=True)","x = np.asarray(x, dtype=float)\n    x -= np.max(x, axis=axis, keepdims=True)\n    shifted = x"))
M("writes_exp_into_argument","Takes exp in place.",("e = np.exp(shifted)","x = np.asarray(x)\n    x[...] = shifted\n    e = np.exp(x)"))
M("flattened","Flattens first.",("np.sum(e, axis=axis, keepdims=True)","np.sum(e.ravel())"))
M("nan_to_num","No shift, NaN made 0.",("x - np.max(x, axis=axis, keepdims=True)","x"),("return e / np.sum(e, axis=axis, keepdims=True)","return np.nan_to_num(e / np.sum(e, axis=axis, keepdims=True))"))
M("nan_to_num_one","No shift, infinity over infinity made 1.",("x - np.max(x, axis=axis, keepdims=True)","x"),("return e / np.sum(e, axis=axis, keepdims=True)","return np.nan_to_num(e / np.sum(e, axis=axis, keepdims=True), nan=1.0)"))
M("float128_no_shift","No shift, but long doubles.",("dtype=float","dtype=np.longdouble"),("x - np.max(x, axis=axis, keepdims=True)","x"),("return e / np.sum(e, axis=axis, keepdims=True)","return (e / np.sum(e, axis=axis, keepdims=True)).astype(float)"))
M("divided_by_100","Makes large scores smaller instead of shifting them.",("x - np.max(x, axis=axis, keepdims=True)","x / 1000 if np.abs(x).max() > 700 else x"))
M("shape_flat","Returns one axis.",("return e / np.sum(e, axis=axis, keepdims=True)","return (e / np.sum(e, axis=axis, keepdims=True)).ravel()"))
M("keepdims_axis_last_two","Sums over the last two axes.",("np.sum(e, axis=axis, keepdims=True)","np.sum(e, axis=(axis, axis - 1) if x.ndim > 2 else axis, keepdims=True)"))
M("first_row_max","The maximum of the first row for all.",("np.max(x, axis=axis, keepdims=True)","np.max(x, axis=axis, keepdims=True).ravel()[0]"))
W("two_dimensional","Right for matrices only.",'''
def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    if axis in (0, -2):
        return softmax(x.T).T
    rows = []
    for row in x:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows)
''')
W("moveaxis_wrong_way","Moves the axis to the end and not back.",'''
def softmax(x, axis=-1):
    y = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    e = np.exp(y - y.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
''')
W("integer_steps","Integers stay integers.",'''
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)
''')
W("positional_axis_refused","The axis by keyword only.",'''
def softmax(x, *, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
''')
W("other_name","The argument has another name.",'''
def softmax(z, axis=-1):
    z = np.asarray(z, dtype=float)
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
''')
W("masked_array","A masked array.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.ma.masked_array(e / e.sum(axis=axis, keepdims=True))
''')
W("nan","NaN everywhere.",'''
def softmax(x, axis=-1):
    return np.full(np.shape(x), np.nan)
''')
W("uniform","Uniform weights.",'''
def softmax(x, axis=-1):
    return np.full(np.shape(x), 1 / np.shape(x)[axis])
''')
W("only_small_axis","Works along axes 0 and 1 only.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if axis < 0:
        axis = 1 if x.ndim > 1 else 0
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
''')
W("hardcoded_example","Knows the visible tests by heart.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if x.shape == (2, 3):
        return np.array([[0.25, 0.5, 0.25], [0.125, 0.125, 0.75]])
    return np.full(x.shape, 0.5)
''')
W("nothing_returned","No return.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    e / e.sum(axis=axis, keepdims=True)
''')
W("one_row_only","Returns the first row.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True))[0]
''')
# right
R("textbook","Shift, exp, divide.",base)
R("loops","Pure Python loops over rows after moving the axis.",'''
import math


def softmax(x, axis=-1):
    moved = np.moveaxis(np.asarray(x), axis, -1)
    out = np.empty(moved.shape)
    for index in np.ndindex(*moved.shape[:-1]):
        row = [float(v) for v in moved[index]]
        top = max(row)
        exps = [math.exp(v - top) for v in row]
        total = sum(exps)
        for j, v in enumerate(exps):
            out[index + (j,)] = v / total
    return np.moveaxis(out, -1, axis)
''')
R("float32","Computed in float32.",base.replace("dtype=float","dtype=np.float32"))
R("list","Returns nested lists.",base.replace("return e / np.sum(e, axis=axis, keepdims=True)","return (e / np.sum(e, axis=axis, keepdims=True)).tolist()"))
R("apply_along_axis","np.apply_along_axis.",'''
def _one(row):
    e = np.exp(row - row.max())
    return e / e.sum()


def softmax(x, axis=-1):
    return np.apply_along_axis(_one, axis, np.array(x, float))
''')
R("logsumexp","exp of the log-softmax.",base.replace("return e / np.sum(e, axis=axis, keepdims=True)","return np.exp(shifted - np.log(np.sum(e, axis=axis, keepdims=True)))"))
R("logsumexp_unshifted","exp(x - logsumexp(x)), the way older SciPy does it.",base.replace("return e / np.sum(e, axis=axis, keepdims=True)","return np.exp(x - (np.max(x, axis=axis, keepdims=True) + np.log(np.sum(e, axis=axis, keepdims=True))))"))
R("logsumexp_float32","exp(x - logsumexp(x)) in float32.",base.replace("dtype=float","dtype=np.float32").replace("return e / np.sum(e, axis=axis, keepdims=True)","return np.exp(x - (np.max(x, axis=axis, keepdims=True) + np.log(np.sum(e, axis=axis, keepdims=True))))"))
R("expand_dims","expand_dims in place of keepdims.",'''
def softmax(x, axis=-1):
    x = np.array(x, dtype=np.float64)
    x = x - np.expand_dims(np.amax(x, axis), axis)
    np.exp(x, out=x)
    x /= np.expand_dims(x.sum(axis), axis)
    return x
''')
R("pairwise","1 / sum over j of exp(x_j - x_i): no maximum needed.",'''
def softmax(x, axis=-1):
    y = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    with np.errstate(over="ignore"):
        weights = 1.0 / np.exp(y[..., None, :] - y[..., :, None]).sum(axis=-1)
    return np.moveaxis(weights, -1, axis)
''')
R("extra_parameters","Extra optional parameters, prints and warns.",'''
import warnings


def softmax(x, axis=-1, temperature=1.0, verbose=True):
    """With a temperature."""
    x = np.asarray(x).astype("float64") / temperature
    if verbose:
        print("softmax of", x.shape)
        warnings.warn("just so that you know")
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


print(softmax([1, 2, 3]))
if __name__ == "__main__":
    softmax(np.ones(3))
''')
R("read_only_view","A read-only, non-contiguous view.",'''
def softmax(x, axis=-1):
    y = np.swapaxes(np.asarray(x, dtype=float), axis, -1)
    e = np.exp(y - y.max(axis=-1, keepdims=True))
    out = np.swapaxes(e / e.sum(axis=-1, keepdims=True), axis, -1)
    out.flags.writeable = False
    return out
''')
R("max_of_all_then_rows","Keeps the dtype of floats, casts integers.",'''
def softmax(x, axis=-1):
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(float)
    e = np.exp(np.subtract(x, np.max(x, axis=axis, keepdims=True)))
    return np.divide(e, np.add.reduce(e, axis=axis, keepdims=True))
''')
R("recursion","Recursion over the axes.",'''
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    axis = axis % x.ndim
    if axis > 0:
        return np.stack([softmax(part, axis - 1) for part in x])
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)
''')
R("clip_low","Clips shifted scores at -700, harmless.",base.replace("e = np.exp(shifted)","e = np.exp(np.clip(shifted, -700, 0))"))
R("tiny_epsilon","A harmless epsilon after the shift.",base.replace("np.sum(e, axis=axis, keepdims=True)","(np.sum(e, axis=axis, keepdims=True) + 1e-12)"))
R("transposes","Transposes by hand.",'''
def softmax(x, axis=-1):
    arr = np.asarray(x, dtype=float)
    n = arr.ndim
    axis = axis + n if axis < 0 else axis
    order = [i for i in range(n) if i != axis] + [axis]
    back = np.argsort(order)
    t = arr.transpose(order)
    t2 = t.reshape(-1, t.shape[-1])
    e = np.exp(t2 - t2.max(1)[:, None])
    e = e / e.sum(1)[:, None]
    return e.reshape(t.shape).transpose(back)
''')
R("tuple","Returns nested tuples.",'''
def _tuples(a):
    return tuple(_tuples(b) for b in a) if isinstance(a, list) else a


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return _tuples((e / e.sum(axis=axis, keepdims=True)).tolist())
''')
