# SPDX-License-Identifier: GPL-2.0-only
"""The recorded files, and those that came back."""

import hashlib
import os
import stat


def sum_of(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest() \
            if hasattr(hashlib, "file_digest") else \
            hashlib.sha256(f.read()).hexdigest()


def is_user_attribute(name):
    return name.startswith("user.") or name.startswith("system.posix_acl")


class Entry:
    """All that is asked of a file, by its path."""

    def __init__(self, path):
        st = os.lstat(path)
        self.ino = st.st_ino
        self.mode = st.st_mode
        self.owner = (st.st_uid, st.st_gid)
        self.size = st.st_size
        self.mtime = st.st_mtime_ns
        self.content = None
        if stat.S_ISREG(st.st_mode):
            self.content = sum_of(path)
        elif stat.S_ISLNK(st.st_mode):
            self.content = os.readlink(path)
        self.attributes = {}
        if not stat.S_ISLNK(st.st_mode):
            self.attributes = {a: os.getxattr(path, a)
                               for a in os.listxattr(path)
                               if is_user_attribute(a)}

    def differs(self, other):
        """The differences in words; "" if there is none."""
        wrong = []
        if stat.S_IFMT(self.mode) != stat.S_IFMT(other.mode):
            return "type"
        if self.content != other.content:
            wrong.append("content")
        if self.owner != other.owner:
            wrong.append("owner")
        if not stat.S_ISLNK(self.mode):
            if self.mode != other.mode:
                wrong.append(f"mode {other.mode:o} for {self.mode:o}")
            if self.attributes != other.attributes:
                wrong.append("attributes")
        # A deletion in a directory changes its mtime before it goes itself.
        if stat.S_ISDIR(self.mode) and other.mtime > self.mtime:
            return " ".join(wrong)
        if self.mtime != other.mtime:
            wrong.append("mtime")
        return " ".join(wrong)


def tree(root):
    """Path from the root -> Entry, for all files."""
    found = {}
    for directory, names, files in os.walk(root):
        for name in names + files:
            path = os.path.join(directory, name)
            found[path[len(root):]] = Entry(path)
    return found
