# SPDX-License-Identifier: LGPL-2.1-or-later
"""The journal of an ext4 file system, read by libe2lazy.

    import e2lazy

    with e2lazy.open("/dev/sdb1") as journal:
        print(journal.verify().verdict)
        with journal.map().view().open("/etc/fstab") as file:
            print(file.read().decode())

Nothing here writes to a device. A Journal belongs to one device, and what comes
from it, a Map, a View, a file, can be used until the Journal is closed. Several
threads may use one Journal; they take turns, and let other threads of the program
run. Ctrl-C ends each call.

Errors of the system are OSError with its number, like FileNotFoundError; those of
the journal are Error, and DamagedError where the log or the file system is
damaged. Each has the place: device, logblk, fsblk, tid, as far as it is known.
"""
from __future__ import annotations

import datetime
import os
from typing import Any, NamedTuple, Optional, Union

from . import _e2lazy
from ._e2lazy import Copies, DamagedError, Error, __version__
from ._files import FileReader, Inode, View

__all__ = [
    "Copies", "DamagedError", "Deleted", "DeletedFile", "Error", "Event",
    "FileReader", "Finding", "Inode", "Journal", "Map", "Mapping", "Piece",
    "Transaction", "Verdict", "View", "open",
]

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def _when(sec: int, nsec: int = 0) -> Optional[datetime.datetime]:
    """A commit time; None: unknown."""
    if not sec:
        return None
    try:
        whole = datetime.datetime.fromtimestamp(sec, datetime.timezone.utc)
    except (OverflowError, ValueError, OSError):
        return None
    return whole.replace(microsecond=nsec // 1000)


class Mapping(NamedTuple):
    """A block whose newest copy is in the log. Map.mappings() has plain tuples of
    the same order, which take less time to make."""
    fsblk: int
    logblk: int
    physblk: int
    tid: int
    copies: int
    flags: int


class Transaction(NamedTuple):
    """A committed transaction of the log."""
    tid: int
    start: int
    end: int
    copies: int
    revokes: int
    csum: str
    sec: int
    nsec: int

    @property
    def time(self) -> Optional[datetime.datetime]:
        """The commit time; None: unknown."""
        return _when(self.sec, self.nsec)


class Event(NamedTuple):
    """What a transaction did to a file."""
    tid: int
    sec: int
    nsec: int
    kind: str
    ino: int
    path: Optional[str]
    old_path: Optional[str]

    @property
    def time(self) -> Optional[datetime.datetime]:
        """The commit time; None: unknown."""
        return _when(self.sec, self.nsec)


class Finding(NamedTuple):
    """A problem of the log; the id and the severity are those of e2lazyck."""
    id: str
    severity: str
    count: int
    logblk: Optional[int]
    fsblk: Optional[int]
    tid: Optional[int]


class Verdict(NamedTuple):
    """clean, sound-in-use, damaged or unusable, and why."""
    verdict: str
    findings: list[Finding]

    @property
    def sound(self) -> bool:
        """No data is lost, or would be."""
        return self.verdict in ("clean", "sound-in-use")


class Piece(NamedTuple):
    """A part of a deleted file; data is None where another file has used it."""
    offset: int
    length: int
    grade: str
    data: Optional[bytes]


class DeletedFile:
    """A file that was deleted, or earlier contents of one that lives on."""

    def __init__(self, found: _e2lazy.Deleted, index: int) -> None:
        self._found = found
        self._index = index
        facts = found[index]
        self.path: str = facts["path"]
        self.ino: int = facts["ino"]
        self.generation: int = facts["generation"]
        self.mode: int = facts["mode"]
        self.uid: int = facts["uid"]
        self.gid: int = facts["gid"]
        self.size: int = facts["size"]
        self.mtime: float = facts["mtime"]
        self.ctime: float = facts["ctime"]
        self.deleted: Optional[datetime.datetime] = _when(
            facts["deleted"] or 0)
        self.tid: int = facts["tid"]
        self.lived_on: bool = facts["lived_on"]
        self.map_whole: bool = facts["map_whole"]
        self.blocks: dict[str, int] = facts["blocks"]

    def __repr__(self) -> str:
        return "<DeletedFile %r, inode %d>" % (self.path, self.ino)

    @property
    def grade(self) -> str:
        """intact, or the worst grade of its blocks, before their contents are
        read: pieces() finds zeros, too."""
        if not self.map_whole:
            return "unknown"
        worst = [grade for grade, count in self.blocks.items() if count]
        return worst[-1] if worst else "intact"

    def pieces(self) -> list[Piece]:
        """Its contents; a hole has no piece."""
        return [Piece(*piece) for piece in self._found.pieces(self._index)]

    def read(self) -> bytes:
        """All of it, with zeros in holes. Error: not all of it is intact."""
        data = bytearray(self.size)
        for piece in self.pieces():
            if piece.grade != "intact" or piece.data is None:
                raise Error("%s: byte %d: %s" % (self.path, piece.offset,
                                                 piece.grade))
            end = min(self.size, piece.offset + len(piece.data))
            data[piece.offset:end] = piece.data[:end - piece.offset]
        if not self.map_whole:
            raise Error("%s: a part of its map is lost" % self.path)
        return bytes(data)


class Deleted:
    """The deleted files that the journal remembers, as a sequence."""

    def __init__(self, found: _e2lazy.Deleted) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: int) -> DeletedFile:
        return DeletedFile(self._found, index if index >= 0 else
                           index + len(self))


class Map:
    """The newest copy of each block in the log, and its transactions."""

    def __init__(self, built: _e2lazy.Map) -> None:
        self._built = built

    def __len__(self) -> int:
        return len(self._built)

    def mappings(self) -> list[tuple[int, int, int, int, int, int]]:
        """Plain tuples in the order of Mapping, by block."""
        return self._built.mappings()

    def __getitem__(self, fsblk: int) -> Mapping:
        """The mapping of a block. KeyError: the newest is in place."""
        found = self._built.lookup(fsblk)
        if found is None:
            raise KeyError(fsblk)
        return Mapping(*found)

    def __contains__(self, fsblk: object) -> bool:
        return isinstance(fsblk, int) and \
            self._built.lookup(fsblk) is not None

    def transactions(self) -> list[Transaction]:
        """The committed transactions, oldest first."""
        return [Transaction(*txn) for txn in self._built.transactions()]

    def block(self, fsblk: int) -> bytes:
        """A block, from its newest copy or else in place."""
        return self._built.block(fsblk)

    def copies(self, first: int = 0, count: Optional[int] = None) -> Copies:
        """The contents of these mappings: a buffer with a row for each, which
        memoryview() and numpy.asarray() read without copying. The journal cannot be
        closed as long as somebody uses it."""
        return self._built.copies(first, count)

    def stats(self) -> dict[str, Any]:
        """What was read, why it ended, and the damage."""
        return self._built.stats()

    def view(self, *, fast_commits: bool = True) -> View:
        """The file system as after a replay of the log."""
        return View(self._built.view(fast_commits=fast_commits))


class Journal:
    """An open device. Use it in a with statement, or call close()."""

    def __init__(self, handle: _e2lazy.Journal) -> None:
        self._handle = handle

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: Any, *error: object) -> None:
        try:
            self.close()
        except BufferError:
            # What is on its way says more.
            if kind is None:
                raise

    def __repr__(self) -> str:
        return "<Journal of %r%s>" % (self.device,
                                      ", closed" if self.closed else "")

    @property
    def device(self) -> str:
        """The name that it was opened by."""
        return self._handle.device

    @property
    def closed(self) -> bool:
        """Is it closed?"""
        return self._handle.closed

    def close(self) -> None:
        """Close the device, and all that came from it. BufferError while copies of it
        are in use as buffers."""
        self._handle.close()

    @property
    def geometry(self) -> dict[str, Any]:
        """The facts of the superblocks."""
        return self._handle.geometry()

    def map(self, *, until: Optional[int] = None, verify: bool = False) -> Map:
        """Read the log. until: the last transaction that counts; verify: read all
        copies, and verify their checksums."""
        return Map(self._handle.map(until=until, verify=verify))

    def verify(self, *, quick: bool = False) -> Verdict:
        """Judge the log, as e2lazyck does. quick: leave out the contents of live
        blocks."""
        verdict, findings = self._handle.verify(quick=quick)
        return Verdict(verdict, [Finding(*found) for found in findings])

    def events(self) -> list[Event]:
        """What happened to files in the log, oldest first."""
        view = self._handle.map().view(fast_commits=False)
        return [Event(*event) for event in view.events()]

    def deleted(self) -> Deleted:
        """Search all of the ring for deleted files."""
        return Deleted(self._handle.deleted())


def open(device: _Path, *, journal: Optional[_Path] = None, offset: int = 0,
         superblock: int = 0, blocksize: int = 0) -> Journal:
    """Open the journal of an ext4 file system, for reading only.

    device: a block device or an image file. journal: the device of an external
    journal. offset: bytes before the file system. superblock, blocksize: a backup
    superblock, and its block size."""
    return Journal(_e2lazy.open(device, journal=journal, offset=offset,
                                superblock=superblock, blocksize=blocksize))
