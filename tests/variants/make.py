"""Writes variants: make(kind, exercise, name, doc, body) and mutants of a base text by replacement."""
import os, shutil, textwrap
ROOT="/tmp/variants"
def put(kind, ex, name, doc, code):
    d=f"{ROOT}/{kind}/{ex}"; os.makedirs(d,exist_ok=True)
    code=textwrap.dedent(code).strip("\n")
    if "import numpy" not in code: code="import numpy as np\n\n"+code
    p=f"{d}/{name}.py"
    assert p not in SEEN, p
    SEEN.add(p)
    open(p,"w").write(f'"""{doc}"""\n\n{code}\n'); compile(open(p).read(),p,"exec")
SEEN=set()
def mutant(kind, ex, name, doc, base, *pairs):
    code=base
    for a,b in pairs:
        assert code.count(a)>=1,(ex,name,a)
        code=code.replace(a,b)
    assert code!=base,(ex,name)
    put(kind,ex,name,doc,code)
