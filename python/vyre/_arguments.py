"""Arguments of kernels: numbers, memory of the host, memory of a device."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple, Optional, Union

from ._errors import BadInputs

Size = Union[int, str]

# numpy's letters: T1's word, the library's word for memory of that type, struct's letter.
_TYPES = {
    "b1": ("bool", "bytes", "?"), "i1": ("int8", "bytes", "b"), "u1": ("uint8", "bytes", "B"),
    "i2": ("int16", "bytes", "h"), "u2": ("uint16", "bytes", "H"), "f2": ("half", "bytes", "e"),
    "i4": ("int32", "i32", "i"), "u4": ("uint32", "u32", "I"), "f4": ("float", "f32", "f"),
    "i8": ("int64", "i64", "q"), "u8": ("uint64", "u64", "Q"), "f8": ("double", "f64", "d"),
}


class Type(NamedTuple):
    """The type of a number or of elements."""

    letters: str  # numpy's without the byte order: "f4"

    @property
    def bytes(self) -> int:
        return int(self.letters[1:])

    @property
    def is_known(self) -> bool:
        return self.letters in _TYPES

    @property
    def t1(self) -> str:
        return _TYPES[self.letters][0] if self.is_known else "custom"

    @property
    def memory(self) -> str:
        return _TYPES[self.letters][1] if self.is_known else "bytes"

    def bits(self, number: Any) -> int:
        """The number in this type, as bits behind zeros."""
        packed = struct.pack("<" + _TYPES[self.letters][2], number)
        return int.from_bytes(packed, "little")


def letters_of(memory: str) -> str:
    """numpy's letters for the library's word; those of bytes are numpy's own."""
    return next((key for key, (_, word, _) in _TYPES.items() if word == memory), memory)


def type_of(dtype: Any) -> Type:
    """Of a numpy dtype, a type such as numpy.float32, or letters such as "float32" and "f4"."""
    if not hasattr(dtype, "str") or isinstance(dtype, str):
        import numpy  # only a name was given: numpy knows it

        dtype = numpy.dtype(dtype)
    return Type(_letters(dtype.str))


def _letters(typestr: str) -> str:
    if typestr[0] == ">":
        raise BadInputs("an array has big-endian elements; give x.astype(x.dtype.newbyteorder())")
    if typestr[1] in "UMmO":
        raise BadInputs(f"no kernel takes elements of type {typestr!r}; give numbers or structs")
    return typestr[1:]


class HostMemory(NamedTuple):
    type: Type
    address: int
    bytes: int
    is_read_only: bool


class OpenclMemory(NamedTuple):
    type: Optional[Type]  # None: only the bytes are known
    handle: int
    offset: int
    bytes: int


class CudaMemory(NamedTuple):
    type: Type
    address: int
    bytes: int


Memory = Union[HostMemory, OpenclMemory, CudaMemory]


def memory_of(value: Any) -> Optional[Memory]:
    """The memory behind an array; None for a number. The caller keeps the array alive."""
    if hasattr(value, "base_data") and hasattr(value, "offset"):  # pyopencl.array.Array
        if not value.flags.c_contiguous:
            raise BadInputs("an array on the device is not contiguous; give a copy of it")
        return OpenclMemory(type_of(value.dtype), value.base_data.int_ptr, value.offset,
                            value.nbytes)
    if hasattr(value, "int_ptr") and hasattr(value, "size"):  # pyopencl.Buffer
        return OpenclMemory(None, value.int_ptr, 0, value.size)
    if (cuda := getattr(value, "__cuda_array_interface__", None)) is not None:
        return CudaMemory(*_interface(cuda)[:3])
    host = getattr(value, "__array_interface__", None)
    if host is None or host["shape"] == ():
        return None
    return HostMemory(*_interface(host))


def _interface(interface: dict[str, Any]) -> tuple[Type, int, int, bool]:
    if interface.get("strides") is not None:
        raise BadInputs("an array is not contiguous; give numpy.ascontiguousarray of it")
    kind = Type(_letters(interface["typestr"]))
    elements = 1
    for length in interface["shape"]:
        elements *= length
    address, is_read_only = interface["data"]
    return kind, address, elements * kind.bytes, bool(is_read_only)


def number_of(value: Any) -> tuple[Union[bool, int, float], Optional[Type]]:
    """A number as Python's own, and its type if it has one."""
    interface = getattr(value, "__array_interface__", None)
    if interface is not None:
        return value.item(), Type(_letters(interface["typestr"]))
    if isinstance(value, (bool, int, float)):
        return value, None
    raise BadInputs(f"a {type(value).__name__} is no argument of a kernel; give a number, a numpy "
                    "array, or memory of pyopencl or cupy")


class _Memory:
    """An array with the way in which the kernel uses it."""

    access = ""

    def __init__(self, value: Any = None, *, size: Optional[Size] = None, dtype: Any = None):
        self.value = value
        self.memory = None if value is None else memory_of(value)
        if self.memory is None and value is not None:
            raise BadInputs(f"{type(self).__name__} takes an array, not a {type(value).__name__}")
        known = self.memory.type if self.memory else None
        kind = known if dtype is None else type_of(dtype)
        if kind is None:
            raise BadInputs("memory without a type; give dtype=, for example dtype=\"float32\"")
        if size is None and self.memory is None:
            raise BadInputs("memory without a size; give size=, for example size=\"n\"")
        self.type = kind
        self.size = self.memory.bytes // kind.bytes if size is None and self.memory else size


class In(_Memory):
    """Memory that the kernel only reads. `size`: its elements, a number or an expression."""

    access = "ReadOnly"


class Out(_Memory):
    """Memory that the kernel only writes; it is zeros before. Needs no array, only a size."""

    access = "WriteOnly"


class InOut(_Memory):
    """Memory that the kernel reads and writes. A plain array is taken as this."""

    access = "ReadWrite"


class Local:
    """Memory of one workgroup, for a `local` parameter; `size` may name parameters."""

    def __init__(self, dtype: Any, size: Size) -> None:
        self.type = type_of(dtype)
        self.size = size


class Number:
    """A scalar: a plain int is an int32, or an int64 if it is large; a plain float is a float."""

    def __init__(self, value: Any) -> None:
        self.value, kind = number_of(value)
        if kind is None:
            kind = Type("b1") if isinstance(self.value, bool) else _plain_type(self.value)
        self.type = kind

    @property
    def bits(self) -> int:
        return self.type.bits(self.value)


def _plain_type(value: Union[int, float]) -> Type:
    if isinstance(value, float):
        return Type("f4")
    if -(2**31) <= value < 2**31:
        return Type("i4")
    return Type("u4") if 0 <= value < 2**32 else Type("i8")


Argument = Union[_Memory, Local, Number]


def argument_of(value: Any) -> Argument:
    """Takes what a user gives for one parameter of a kernel."""
    if isinstance(value, (_Memory, Local, Number)):
        return value
    return Number(value) if memory_of(value) is None else InOut(value)
