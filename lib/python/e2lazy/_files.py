# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files and directories of a view."""
from __future__ import annotations

import io
import os
import stat
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Union

if TYPE_CHECKING:
    from collections.abc import Buffer

    from . import _e2lazy

_Name = Union[int, str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Inode(NamedTuple):
    """An inode, with the fields of os.stat_result and some of ext4."""
    st_ino: int
    st_mode: int
    st_nlink: int
    st_uid: int
    st_gid: int
    st_size: int
    st_atime: float
    st_mtime: float
    st_ctime: float
    st_birthtime: float | None
    generation: int
    flags: int

    @property
    def is_directory(self) -> bool:
        """Is it a directory?"""
        return stat.S_ISDIR(self.st_mode)


def _inode(facts: dict[str, Any]) -> Inode:
    return Inode(facts["ino"], facts["mode"], facts["nlink"], facts["uid"],
                 facts["gid"], facts["size"], facts["atime"], facts["mtime"],
                 facts["ctime"], facts["crtime"], facts["generation"],
                 facts["flags"])


class FileReader(io.RawIOBase):
    """The contents of a file as a Python file of bytes."""

    def __init__(self, file: _e2lazy.File, name: _Name) -> None:
        super().__init__()
        self._file = file
        self._at = 0
        self.name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Fill the buffer from the present place on."""
        self._check()
        got = self._file.readinto(self._at, buffer)
        self._at += got
        return got

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to another place."""
        self._check()
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at,
                 os.SEEK_END: self._file.size()}[whence]
        if start + offset < 0:
            raise ValueError("a place before the file")
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        """The present place."""
        return self._at

    def _check(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")


class View:
    """The file system as after a replay of its log. A file is named by its path or by
    the number of its inode."""

    def __init__(self, seen: _e2lazy.View) -> None:
        self._seen = seen

    def _ino(self, name: _Name, follow: bool = True) -> int:
        if isinstance(name, int):
            return name
        return self._seen.lookup(name, follow=follow)

    def lookup(self, path: _Name, *, follow: bool = True) -> int:
        """The inode that a path names."""
        return self._ino(path, follow)

    def stat(self, name: _Name = "/") -> Inode:
        """The inode of a file, behind symbolic links."""
        return _inode(self._seen.inode(self._ino(name)))

    def lstat(self, name: _Name = "/") -> Inode:
        """The same of the link itself."""
        return _inode(self._seen.inode(self._ino(name, False)))

    def exists(self, path: _Name) -> bool:
        """Does the path lead to a file?"""
        try:
            self._ino(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def listdir(self, name: _Name = "/") -> list[str]:
        """The names in a directory, sorted, without "." and ".."."""
        return sorted(entry[0] for entry in self._entries(name))

    def _entries(self, name: _Name) -> list[tuple[str, int, int]]:
        return [entry for entry in self._seen.entries(self._ino(name))
                if entry[0] not in (".", "..")]

    def readlink(self, name: _Name) -> str:
        """The target of a symbolic link."""
        return self._seen.target(self._ino(name, False))

    def open(self, name: _Name) -> io.BufferedReader:
        """Open a regular file for reading."""
        file = self._seen.open(self._ino(name))
        return io.BufferedReader(FileReader(file, name), 1 << 17)

    def read_bytes(self, name: _Name) -> bytes:
        """All of a file's contents."""
        with self.open(name) as file:
            return file.read()

    def walk(self, top: str = "/") -> Iterator[tuple[str, list[str],
                                                     list[str]]]:
        """As os.walk(): path, names of directories and of all else, from the top down.
        A directory is visited once, whatever links lead to it."""
        seen = set()
        waiting = [(top, self._ino(top))]
        while waiting:
            path, ino = waiting.pop()
            if ino in seen:
                continue
            seen.add(ino)
            below, names, inodes = [], [], {}
            for name, child, _ in sorted(self._entries(ino)):
                if self.lstat(child).is_directory:
                    below.append(name)
                    inodes[name] = child
                else:
                    names.append(name)
            yield path, below, names
            waiting += [(path.rstrip("/") + "/" + name, inodes[name])
                        for name in reversed(below) if name in inodes]

    def read(self, offset: int, count: int) -> bytes:
        """Bytes of the device, as after a replay."""
        return self._seen.read(offset, count)

    @property
    def size(self) -> int:
        """Bytes of the device."""
        return self._seen.size()
