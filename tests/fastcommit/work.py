# SPDX-License-Identifier: GPL-2.0-only
"""What a case does on the mounted file system before its last fsync."""

import ctypes
import os
import stat

_LIBC = ctypes.CDLL(None, use_errno=True)

KEEP_SIZE, PUNCH, COLLAPSE, ZERO = 1, 2, 8, 16
BLOCK = 4096
AT_FDCWD, FOLLOW = -100, 0x400


def _fallocate(fd, mode, offset, length):
    if _LIBC.fallocate(fd, mode, ctypes.c_long(offset), ctypes.c_long(length)):
        raise OSError(ctypes.get_errno(), "fallocate")


def _done(fd):
    """Write the data, without a commit: other files are not fsync'ed."""
    if _LIBC.sync_file_range(fd, ctypes.c_long(0), ctypes.c_long(0), 7):
        raise OSError(ctypes.get_errno(), "sync_file_range")
    os.close(fd)


class Work:
    """The files of one case; an operation acts on the newest one it can."""

    def __init__(self, top, rng):
        self.top = top
        self.random = rng
        self.number = 0
        self.dir = ""
        self.files = []
        self.dirs = []
        self.victims = []
        self.held = []

    def close(self):
        for fd in self.held:
            os.close(fd)

    def path(self, name):
        return os.path.join(self.top, name)

    def _new(self, kind):
        self.number += 1
        return os.path.join(self.dir, f"{kind}{self.number}")

    def _write(self, name, data, flags=os.O_CREAT | os.O_WRONLY, at=0):
        fd = os.open(self.path(name), flags, 0o644)
        os.pwrite(fd, data, at)
        _done(fd)

    def base(self):
        """What the full commit before the case holds."""
        for i in range(4):
            self._write(f"base{i}", os.urandom(5 * BLOCK + 100 * i))
            self.files.append(f"base{i}")
        for i in range(4):
            self._write(f"victim{i}", os.urandom(3 * BLOCK))
            self.victims.append(f"victim{i}")
        for i in range(3):
            os.mkdir(self.path(f"dir{i}"))
            self.dirs.append(f"dir{i}")
        self._write("dir0/inside", b"inside")
        self._write("anchor", b"anchor")

    def fsync(self):
        """Commit all that was done so far, by a file that surely changed."""
        fd = os.open(self.path("anchor"), os.O_WRONLY)
        os.pwrite(fd, b"%08d" % self.random.randrange(10 ** 8), 0)
        os.fsync(fd)
        os.close(fd)

    def _open(self):
        return os.open(self.path(self.files[-1]), os.O_RDWR)

    # -------------------------------------------------------- operations

    def create(self):
        name = self._new("new")
        self._write(name, b"")
        self.files.append(name)

    def write(self):
        self._write(self.files[-1], os.urandom(2 * BLOCK + 17), os.O_WRONLY,
                    BLOCK + 5)

    def append(self):
        fd = self._open()
        os.pwrite(fd, os.urandom(BLOCK + 77), os.fstat(fd).st_size)
        _done(fd)

    def truncate(self):
        fd = self._open()
        size = os.fstat(fd).st_size
        os.ftruncate(fd, size // 2 if size else 3 * BLOCK)
        _done(fd)

    def fallocate(self):
        fd = self._open()
        _fallocate(fd, self.random.choice((0, KEEP_SIZE)),
                   os.fstat(fd).st_size, 6 * BLOCK)
        _done(fd)

    def punch(self):
        fd = self._open()
        _fallocate(fd, PUNCH | KEEP_SIZE, BLOCK, 2 * BLOCK)
        _done(fd)

    def collapse(self):
        fd = self._open()
        if os.fstat(fd).st_size <= 2 * BLOCK:
            os.pwrite(fd, os.urandom(4 * BLOCK), 0)
        _fallocate(fd, COLLAPSE, BLOCK, BLOCK)
        _done(fd)

    def zero_range(self):
        fd = self._open()
        _fallocate(fd, ZERO, BLOCK // 2, 3 * BLOCK)
        _done(fd)

    def link(self):
        name = self._new("link")
        os.link(self.path(self.files[-1]), self.path(name))
        self.files.append(name)

    def unlink(self):
        os.unlink(self.path(self.files.pop()))
        if not self.files:
            self.create()

    def rename(self):
        name = self._new("renamed")
        os.rename(self.path(self.files[-1]), self.path(name))
        self.files[-1] = name

    def rename_over(self):
        if not self.victims:
            name = self._new("victim")
            self._write(name, b"victim" * 1000)
            self.victims.append(name)
        name = self.victims.pop()
        os.rename(self.path(self.files[-1]), self.path(name))
        self.files[-1] = name

    def mkdir(self):
        name = self._new("made")
        os.mkdir(self.path(name))
        self.dirs.append(name)
        self.dir = name

    def rmdir(self):
        for name in reversed(self.dirs):
            if not os.listdir(self.path(name)):
                os.rmdir(self.path(name))
                self.dirs.remove(name)
                if self.dir == name:
                    self.dir = os.path.dirname(name)
                return
        name = self._new("brief")
        os.mkdir(self.path(name))
        os.rmdir(self.path(name))

    def symlink(self):
        os.symlink("to/nowhere", self.path(self._new("symlink")))

    def mknod(self):
        name = self.path(self._new("node"))
        kind = self.random.choice((stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK))
        os.mknod(name, kind | 0o640, os.makedev(7, 300 + self.number))

    def setattr(self):
        name = self.path(self.files[-1])
        os.chmod(name, 0o4751)
        os.chown(name, 70000, 12)
        os.utime(name, ns=(1_234_567_890_123_456_789, 987_654_321_000_000_001))

    def setxattr(self):
        os.setxattr(self.path(self.files[-1]), "user.case",
                    b"v%d" % self.number)

    def fragment(self):
        """Single blocks with gaps: the map needs a tree."""
        name = self._new("pieces")
        fd = os.open(self.path(name), os.O_CREAT | os.O_WRONLY, 0o600)
        for i in range(0, 60, 2):
            os.pwrite(fd, os.urandom(BLOCK), i * 2 * BLOCK)
        _done(fd)
        self.files.append(name)

    def reuse(self):
        """A file, deleted, and another one that gets its inode."""
        first, second = self._new("first"), self._new("second")
        self._write(first, os.urandom(3 * BLOCK))
        self.fsync()
        os.unlink(self.path(first))
        self._write(second, b"short")
        self.files.append(second)

    # ------------------------------------------------- of stories only

    def _long(self, i):
        return os.path.join(self.dir, f"{'n' * 40}{i}")

    def many_names(self):
        for i in range(300):
            self._write(self._long(i), b"")

    def more_names(self):
        for i in range(300, 700):
            self._write(self._long(i), b"")

    def many_gone(self):
        for i in range(0, 300, 3):
            os.unlink(self.path(self._long(i)))

    def small_files(self):
        for i in range(40):
            name = self.path(self._new("small"))
            fd = os.open(name, os.O_CREAT | os.O_WRONLY, 0o640)
            os.write(fd, b"%d" % i * 100 * i)
            os.fsync(fd)
            os.close(fd)

    def open_and_unlink(self):
        name = self.files.pop()
        self.held.append(os.open(self.path(name), os.O_RDWR))
        os.unlink(self.path(name))

    def tmpfile(self):
        fd = os.open(self.top, os.O_TMPFILE | os.O_RDWR, 0o600)
        self.held.append(fd)
        os.write(fd, b"once without a name" * 1000)
        _LIBC.sync_file_range(fd, ctypes.c_long(0), ctypes.c_long(0), 7)
        if _LIBC.linkat(AT_FDCWD, f"/proc/self/fd/{fd}".encode(), AT_FDCWD,
                        self.path(self._new("named")).encode(), FOLLOW):
            raise OSError(ctypes.get_errno(), "linkat")

    def long_xattr(self):
        os.setxattr(self.path(self.files[-1]), "user.long", b"x" * 700)

    def shared_xattr(self):
        for name in self.files[-2:]:
            os.setxattr(self.path(name), "user.long", b"x" * 700)


OPERATIONS = ("create", "write", "append", "truncate", "fallocate", "punch",
              "collapse", "zero_range", "link", "unlink", "rename",
              "rename_over", "mkdir", "rmdir", "symlink", "mknod", "setattr",
              "setxattr", "fragment", "reuse")
# Without those that a kernel answers with a full commit.
FAST = tuple(o for o in OPERATIONS
             if o not in ("collapse", "symlink", "mknod", "setxattr"))
