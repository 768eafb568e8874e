"""How a class that a notebook defines travels: an empty class first, then what is in it, methods included.

In that order, because a method may name its class. Enumerations, named tuples and dataclasses are made again by Python's own
means from what defines them, so that what Python derived of it is right by its own lights.
"""

import dataclasses
import enum
import types
from collections import namedtuple

_PYTHONS_OWN = {
    "__dict__",
    "__weakref__",
    "__module__",
    "__qualname__",
    "__firstlineno__",
    "__static_attributes__",
    "__annotate__",
    "__annotate_func__",
    "__annotations_cache__",
    "__slots__",
    "_abc_impl",
}
_OF_NAMEDTUPLE = {"_fields", "_field_defaults", "_make", "_replace", "_asdict", "__new__", "__repr__", "__getnewargs__"}
_OF_NAMEDTUPLE |= {"__match_args__", "__replace__", "__orig_bases__"}
_OF_ENUM = {"_generate_next_value_", "__new__", "__new_member__", "_new_member_", "_value_repr_", "_use_args_"}


def reduce_class(cls: type):
    """What pickle wants to know: how to make it, of what, what to fill in, and how."""
    about = (cls.__name__, cls.__qualname__, cls.__module__)
    if issubclass(cls, enum.Enum):
        members = {name: member.value for name, member in cls.__members__.items()}
        return _make_enum, (type(cls), about, cls.__bases__, members), _enum_contents(cls), None, None, _fill
    contents = {name: value for name, value in vars(cls).items() if not _left_out(name, value)}
    if cls.__bases__ == (tuple,) and hasattr(cls, "_fields"):
        contents = {n: v for n, v in contents.items() if n not in (*_OF_NAMEDTUPLE, *cls._fields)}
        return _make_namedtuple, (about, cls._fields, cls._field_defaults), contents, None, None, _fill
    if "__dataclass_fields__" in vars(cls):
        return _make, (type(cls), about, cls.__bases__, None), _dataclass_contents(cls, contents), None, None, _fill
    return _make, (type(cls), about, cls.__bases__, vars(cls).get("__slots__")), contents, None, None, _fill


def reduce_member(thing):
    """The parts of classes that pickle does not know."""
    if isinstance(thing, property):
        return property, (thing.fget, thing.fset, thing.fdel, thing.__doc__)
    if isinstance(thing, staticmethod | classmethod):
        return type(thing), (thing.__func__,)
    return type(thing), (thing.func,)  # a cached_property


def _left_out(name: str, value) -> bool:
    made = (types.MemberDescriptorType, types.GetSetDescriptorType)
    return name in _PYTHONS_OWN or isinstance(value, made)


def _enum_contents(cls) -> dict:
    own = {name: value for name, value in vars(cls).items() if not _left_out(name, value)}
    functions = (types.FunctionType, property, staticmethod, classmethod)
    return {n: v for n, v in own.items() if n not in _OF_ENUM and isinstance(v, functions) and not _derived(v)}


def _derived(value) -> bool:
    """Whether Python wrote this method itself."""
    value = getattr(value, "__wrapped__", value)
    code = getattr(value, "__code__", None)
    return code is not None and (code.co_filename == "<string>" or value.__module__ in ("enum", "dataclasses"))


def _dataclass_contents(cls, contents: dict) -> dict:
    about = ["__dataclass_fields__", "__dataclass_params__", "__match_args__", "__annotations__"]
    fields = {field.name: _field(field) for field in dataclasses.fields(cls)}
    own = dict(cls.__dict__.get("__annotations__", None) or getattr(cls, "__annotations__", {}))
    contents = {n: v for n, v in contents.items() if n not in (*about, *own) and not _derived(v) and v is not None}
    params = cls.__dataclass_params__
    how = {name: getattr(params, name) for name in ("init", "repr", "eq", "order", "unsafe_hash", "frozen")}
    return {**contents, "__course_dataclass__": (how, own, {name: fields[name] for name in own if name in fields})}


def _field(field) -> dict:
    names = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
    return {name: value for name in names if (value := getattr(field, name)) is not dataclasses.MISSING}


# ---- over there


def _make(meta, about, bases, slots):
    contents = {"__module__": about[2], "__qualname__": about[1]}
    return meta(about[0], bases, contents if slots is None else {**contents, "__slots__": slots})


def _make_enum(meta, about, bases, members):
    contents = meta.__prepare__(about[0], bases)
    contents.update({"__module__": about[2], "__qualname__": about[1]})
    for name, value in members.items():
        contents[name] = value
    return meta(about[0], bases, contents)


def _make_namedtuple(about, fields, defaults):
    made = namedtuple(about[0], fields, defaults=list(defaults.values()), module=about[2])
    made.__qualname__ = about[1]
    return made


def _fill(cls, contents):
    derived = contents.pop("__course_dataclass__", None)
    for name, value in contents.items():
        setattr(cls, name, value)
        if hasattr(type(value), "__set_name__"):
            value.__set_name__(cls, name)
    if derived:
        how, annotations, fields = derived
        cls.__annotations__ = annotations
        for name, given in fields.items():
            if given.keys() & {"default", "default_factory"} or not given["init"]:
                setattr(cls, name, dataclasses.field(**given))
        dataclasses.dataclass(**how)(cls)
