import torch
from course_utils.exercises.tensors import tensor
def bf(x): return x.to(torch.bfloat16)
def attn(q,k,v,scale,narrow):
    qs = (bf(bf(q).float()*scale).float() if narrow else q.float()*scale)
    return (torch.softmax(qs@k.float().T,-1)@v.float()).to(torch.bfloat16)
best=[]
for tq in (2,3,4,6,8):
  for tk in (2,3,4,6,8):
    for seed in range(1,40):
      for scale in (0.3,0.35,0.7):
        q=tensor(f"3x8 seed {seed} times {tq} bfloat16",{}); k=tensor(f"14x8 times {tk} bfloat16",{}); v=tensor("14x8 seed 3 bfloat16",{})
        a,b=attn(q,k,v,scale,False),attn(q,k,v,scale,True)
        d=((a.double()-b.double()).abs()/(2e-2*a.double().abs()+2e-2)).max().item()
        best.append((d,tq,tk,seed,scale))
best.sort(reverse=True); print(best[:12])
