# SPDX-License-Identifier: GPL-2.0-only
"""A disk under test: the image, and the journal's device where it has one."""

import os

CHUNK = 1 << 16


def copy_sparse(source, target):
    """Copy @source over @target, holes as holes."""
    with open(source, 'rb') as src, open(target, 'wb') as dst:
        size = os.fstat(src.fileno()).st_size
        os.ftruncate(dst.fileno(), size)
        at = 0
        while at < size:
            try:
                at = os.lseek(src.fileno(), at, os.SEEK_DATA)
            except OSError:     # no more data
                break
            end = os.lseek(src.fileno(), at, os.SEEK_HOLE)
            os.lseek(src.fileno(), at, os.SEEK_SET)
            os.lseek(dst.fileno(), at, os.SEEK_SET)
            while at < end:
                sent = os.sendfile(dst.fileno(), src.fileno(), None,
                                   end - at)
                at += sent


def data_chunks(file):
    """Numbers of the chunks of @file that are not holes."""
    size, at, chunks = os.fstat(file).st_size, 0, set()
    while at < size:
        try:
            at = os.lseek(file, at, os.SEEK_DATA)
        except OSError:         # no more data
            break
        end = os.lseek(file, at, os.SEEK_HOLE)
        chunks.update(range(at // CHUNK, -(-end // CHUNK)))
        at = end
    return chunks


class Contents:
    """The present bytes of a file."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.file).st_size

    def close(self):
        os.close(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def bytes_at(self, offset, size):
        return os.pread(self.file, size, offset)


def changed_blocks(one, other, block_size):
    """Numbers of the blocks that differ between two Contents.

    Bytes beyond the end of one of them count as different.
    """
    changed = []
    chunks = data_chunks(one.file) | data_chunks(other.file)
    if one.size != other.size:
        chunks.update(range(min(one.size, other.size) // CHUNK,
                            -(-max(one.size, other.size) // CHUNK)))
    for chunk in sorted(chunks):
        ours = one.bytes_at(chunk * CHUNK, CHUNK)
        theirs = other.bytes_at(chunk * CHUNK, CHUNK)
        if ours != theirs:
            changed += [(chunk * CHUNK + at) // block_size
                        for at in range(0, CHUNK, block_size)
                        if ours[at:at + block_size] !=
                        theirs[at:at + block_size]]
    return changed


class Disk:
    """Paths of an image and, or None, of its journal's device."""

    def __init__(self, image, device=None):
        self.image = image
        self.device = device
        self.laps = None        # of its ring, if they are known
        self.life = None        # a disk of its UUID, from before mke2fs
        self.contents = set()   # blocks of files, which no log has copies of

    def paths(self):
        return [path for path in (self.image, self.device) if path]

    def words(self):
        """The options of e2lazy and e2fsck for it."""
        return [*(['-j', self.device] if self.device else []), self.image]

    def copy_to(self, image):
        """A copy at @image, and @image.j"""
        copy = Disk(image, image + '.j' if self.device else None)
        for source, target in zip(self.paths(), copy.paths()):
            copy_sparse(source, target)
        return copy

    def same_as(self, other):
        for ours, theirs in zip(self.paths(), other.paths()):
            with Contents(ours) as a, Contents(theirs) as b:
                if a.size != b.size or changed_blocks(a, b, CHUNK):
                    return False
        return True
