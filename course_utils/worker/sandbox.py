"""Locks a process in before it runs a learner's code, in a notebook's check and in grading alike.

Seccomp is the part of Linux that lets any process, with no rights at all, give up system calls. The list below is what
computing needs; whatever is not on it is refused. So a learner's code opens no connection, creates, changes or deletes no
file, starts no process and signals none, as root too, and inside a container. What it can still do: read the files that its
user can read, and use the time and memory it is given (`limits`).

A notebook's check goes on without the lock where the system has no libseccomp: the code is the learner's own, and so is the
machine. Who grades the code of others insists on it.
"""

import ctypes
import errno
import os

from ..language import Text

_ALLOWED = {
    "memory": "brk mmap munmap mremap mprotect madvise mincore membarrier get_mempolicy",
    "open files": "read readv pread64 preadv lseek write writev pwrite64 close close_range dup dup2 dup3 pipe pipe2 poll ppoll "
    "select pselect6 fadvise64 umask",
    "looking": "stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getdents64 "
    "getcwd uname sysinfo getrandom",
    "threads": "futex futex_waitv set_robust_list get_robust_list rseq set_tid_address sched_yield sched_getaffinity "
    "sched_getparam sched_getscheduler getcpu getpriority arch_prctl prctl exit exit_group",
    "itself": "gettid getpid getppid getpgrp getpgid getsid getuid geteuid getgid getegid getgroups getrusage getrlimit",
    "signals": "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack restart_syscall pause",
    "time": "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times setitimer getitimer alarm",
}

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NOTHING, _BAD_ARCHITECTURE = 0x00050000, 2  # SCMP_ACT_ERRNO(0); SCMP_FLTATR_ACT_BADARCH
_EQUAL, _MASKED = 4, 7  # SCMP_CMP_EQ; SCMP_CMP_MASKED_EQ
_WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY
_CLONE_THREAD = 0x00010000


class NoSandbox(RuntimeError):
    """This system cannot lock a process in."""

    def __init__(self, why: str):
        self.text = Text(
            f"这个系统锁不住学生的代码（{why}）。Debian 与 Ubuntu 上：apt install libseccomp2。",
            f"This system cannot lock learners' code in ({why}). On Debian and Ubuntu: apt install libseccomp2.",
        )
        super().__init__(str(self.text))


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    ]


def _library():
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError as error:
        raise NoSandbox(str(error)) from None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison)
    ]  # fmt: skip
    return library


class Filter:
    """Built before the fork, where memory is plenty; `lock` then takes one system call."""

    def __init__(self):
        self._library = _library()
        self._filter = self._library.seccomp_init(_NOTHING | errno.EPERM)
        if not self._filter:
            raise NoSandbox("seccomp_init")
        self._library.seccomp_attr_set(self._filter, _BAD_ARCHITECTURE, _KILL)
        for name in " ".join(_ALLOWED.values()).split():
            self._rule(name)
        self._rule("open", (1, _MASKED, _WRITING, 0))
        self._rule("openat", (2, _MASKED, _WRITING, 0))
        self._rule("clone", (0, _MASKED, _CLONE_THREAD, _CLONE_THREAD))  # threads, not processes
        self._rule("clone3", action=_NOTHING | errno.ENOSYS)  # its flags are out of sight: libraries then use clone
        self._rule("prlimit64", (2, _EQUAL, 0, 0))  # limits may be read
        self._rule("ioctl", action=_NOTHING | errno.ENOTTY)
        for command in (1, 2, 3, 4, 1030):  # F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
            self._rule("fcntl", (1, _EQUAL, command, 0))

    def _rule(self, name: str, *comparisons, action=_ALLOW) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        array = (_Comparison * len(comparisons))(*comparisons)
        # A call that this architecture lacks cannot be allowed, and need not be.
        self._library.seccomp_rule_add_array(self._filter, action, number, len(comparisons), array)

    def lock(self) -> None:
        os.nice(5)  # whoever has to stop it goes first
        for own in ("tgkill", "rt_tgsigqueueinfo"):  # so that abort() still says SIGABRT
            self._rule(own, (0, _EQUAL, os.getpid(), 0))
        if self._library.seccomp_load(self._filter) != 0:
            raise NoSandbox("seccomp_load")


def prepared(how: str):
    """What locks in the process that calls it: "must", or there is `NoSandbox`; "try", where the system can; "none"."""
    if how == "none":
        return lambda: None
    try:
        return Filter().lock
    except NoSandbox:
        if how == "must":
            raise
        return lambda: None
