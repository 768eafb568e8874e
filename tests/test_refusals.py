"""What no operator of the course can do is said in both languages, and no error is shown that led to the error."""

import re

import pytest
import torch
from test_attention import tensors
from test_softmax import DEVICE, FLOATS, TAUGHT, normal
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad

from course_utils import backend
from course_utils.attention import attention, decode_attention
from course_utils.softmax import cross_entropy, log_softmax, softmax, softmax_backward
from course_utils.softmax.linear_loss import linear_loss

INTEGERS, COMPLEX = (
    torch.ones(3, 5, dtype=torch.int64, device=DEVICE),
    torch.ones(3, dtype=torch.complex64, device=DEVICE),
)
X, TARGET = normal(2, 5), torch.tensor([0, 1], device=DEVICE)
WEIGHT = normal(7, 5)
Q, K, V = tensors(*[(4, 8, 16)] * 3)


def in_forward_mode(function, *rest):
    with forward_ad.dual_level():
        function(forward_ad.make_dual(X, X), *rest)


def twice():
    x = X.clone().requires_grad_()
    torch.autograd.grad(cross_entropy(x, TARGET), x, create_graph=True)[0].sum().backward()


REFUSED = [  # the call, the kind of error, and what is said
    (lambda: softmax([1.0, 2.0]), TypeError, "softmax takes dense torch.Tensors of float32, bfloat16, float16 or float64, not list"),
    (lambda: softmax(INTEGERS), TypeError, "not torch.int64"),
    (lambda: softmax(COMPLEX), TypeError, "not torch.complex64"),
    (lambda: softmax(X.to_sparse()), TypeError, "torch.sparse_coo"),
    (lambda: softmax(torch.ones(3, device="meta")), ValueError, "A tensor is on meta"),
    (lambda: softmax(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])), TypeError, "nested"),
    (lambda: softmax(FakeTensorMode().from_tensor(X)), TypeError, "no memory of its own"),
    *[(lambda: softmax(torch.ones(3)), ValueError, "A tensor is on cpu")] * (backend.mode == "cuda"),
    *[(lambda bad=bad: log_softmax(bad), TypeError, "log_softmax takes dense") for bad in (TARGET, [1], X.to_sparse())],
    *[(lambda bad=bad: cross_entropy(bad, TARGET), TypeError, "cross_entropy takes dense") for bad in (TARGET, [1])],
    *[(lambda bad=bad: cross_entropy(X, bad), ValueError, "M int64 targets") for bad in (TARGET.int(), TARGET[:1], 3, X)],
    (lambda: cross_entropy(X[0], TARGET[0]), ValueError, "shape (M, N)"),
    (lambda: cross_entropy(X, TARGET, reduction="average"), ValueError, "'average'"),
    (lambda: cross_entropy(X, TARGET, label_smoothing=2), ValueError, "between 0 and 1"),
    (lambda: softmax_backward(X, X[:1]), ValueError, "agree in shape"),
    (lambda: softmax_backward(X, X.double()), ValueError, "dtype"),
    (lambda: torch.func.grad(lambda x: log_softmax(x)[0])(X[0]), TypeError, "no memory"),
    (lambda: torch.func.vmap(softmax)(X), TypeError, "torch.softmax"),
    (lambda: in_forward_mode(softmax), RuntimeError, "forward mode"),
    (lambda: in_forward_mode(log_softmax), RuntimeError, "forward mode"),
    (lambda: in_forward_mode(cross_entropy, TARGET), RuntimeError, "forward mode"),
    (twice, RuntimeError, "cannot be differentiated again"),
    *[(lambda bad=bad: attention(Q, *bad), TypeError, "of one type") for bad in ((K.double(), V), (K, V.double()))],
    (lambda: attention(*[Q.double()] * 3), TypeError, "float32"),
    *[(lambda bad=bad: attention(*bad), ValueError, "heads")
      for bad in ([Q[..., :9]] * 3, (Q, K[:3], V[:3]), (Q, K[:, :5], V[:, :5]), (Q, K, V[:2]), [Q[0, 0]] * 3)],
    (lambda: attention(Q.clone().requires_grad_(), K, V), RuntimeError, "gradient"),
    *[(lambda bad=bad: decode_attention(*bad), ValueError, "heads")
      for bad in ((K, K, V), (Q[:, :1, :8], K, V), (Q[:, :1], K[:3], V))],
    (lambda: decode_attention(Q[:, :1].clone().requires_grad_(), K, V), RuntimeError, "gradient"),
    *[(lambda bad=bad: linear_loss(*bad), ValueError, "takes")
      for bad in ((X, WEIGHT[:, :4], TARGET), (X, WEIGHT.double(), TARGET), (X, WEIGHT, TARGET[1:]), (X, WEIGHT, TARGET.int()))],
]  # fmt: skip
NO_MATRIX = [
    (INTEGERS, TypeError),
    (X.clone().requires_grad_(), RuntimeError),
    (normal(2, 3, 5), ValueError),
    (normal(5), ValueError),
    (normal(3, 0), ValueError),
    *[(X.double(), ValueError)] * (torch.float64 in FLOATS),
]
REFUSED += [(lambda f=f, x=x: f(x), error, "softmax") for f in TAUGHT[1:] for x, error in NO_MATRIX]


@pytest.mark.parametrize("call, error, said", REFUSED)
def test_what_would_go_wrong_is_refused(call, error, said):
    with pytest.raises(error) as caught:
        call()
    zh, en = str(caught.value).splitlines()
    assert re.search("[\u4e00-\u9fff]", zh) and said in en
    assert caught.value.__context__ is None, "a learner sees no error that led to the error"


def test_a_known_shape_is_refused_too():
    """What is launched again for a shape that was launched before looks at the tensor all the same."""
    for _ in range(2):
        softmax(X)
    for transformed in (torch.func.vmap(softmax), lambda x: torch.func.jvp(softmax, (x,), (x,))):
        with pytest.raises((TypeError, RuntimeError), match="torch.softmax"):
            transformed(X)
