"""Run a command that the kernel kills at its first attempt to open an internet socket.

    python no_network.py PROGRAM [ARGUMENT...]

A seccomp filter looks at every ``socket`` call of the program, its threads and its children, in
native code too, so that nothing has to be patched and nothing can look away.  Local sockets are
let through.  Needs no rights.  Exits 77 where the kernel has no such filter.

Source: the kernel's Documentation/userspace-api/seccomp_filter.rst and linux/filter.h.
"""

import ctypes
import os
import platform
import socket
import struct
import sys

NOT_POSSIBLE = 77

#: uname's machine -> (number of this architecture in linux/audit.h, number of socket(2)).
MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2
KILL_PROCESS, ALLOW = 0x80000000, 0x7FFF0000
#: linux/filter.h: load a word of the data; jump if equal to a constant; return a constant.
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
#: Offsets in struct seccomp_data: the call's number, the architecture, the first argument.
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, 16


def program(architecture: int, call: int) -> bytes:
    """The filter: instructions of (code, jump if true, jump if false, constant)."""
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 0, 5, architecture),
        (LOAD, 0, 0, NUMBER),
        (JUMP_EQUAL, 0, 3, call),
        (LOAD, 0, 0, ARGUMENT),
        (JUMP_EQUAL, 2, 0, socket.AF_INET),
        (JUMP_EQUAL, 1, 0, socket.AF_INET6),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, KILL_PROCESS),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class Filter(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("count", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def forbid_internet() -> str:
    """Put the filter on this process for good; why it couldn't be done, or an empty text."""
    if platform.machine() not in MACHINES:
        return f"no filter written for {platform.machine()}"
    code = program(*MACHINES[platform.machine()])
    libc = ctypes.CDLL(None, use_errno=True)
    rule = Filter(len(code) // 8, code)
    for option, value, pointer in (
        (PR_SET_NO_NEW_PRIVS, 1, None),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(rule)),
    ):
        if libc.prctl(option, ctypes.c_ulong(value), pointer, 0, 0) != 0:
            return f"the kernel refuses a seccomp filter: {os.strerror(ctypes.get_errno())}"
    return ""


if __name__ == "__main__":
    reason = forbid_internet()
    if reason:
        sys.stderr.write(reason + "\n")
        sys.exit(NOT_POSSIBLE)
    os.execvp(sys.argv[1], sys.argv[1:])
