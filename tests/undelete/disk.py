# SPDX-License-Identifier: GPL-2.0-only
"""A file system on a loop device, made and mounted by the running kernel."""

import ctypes
import os
import random
import shutil
import subprocess


_LIBC = ctypes.CDLL(None, use_errno=True)


def write_back(fd):
    """Have the contents written, as the kernel does in time, without a commit."""
    wait_before, write, wait_after = 1, 2, 4
    _LIBC.sync_file_range(fd, ctypes.c_int64(0), ctypes.c_int64(0),
                          wait_before | write | wait_after)


class Refused(Exception):
    """This kernel, or this mke2fs, does not do that."""


def run(*words, ok=(0,)):
    done = subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode not in ok:
        raise Refused(f"{' '.join(words)}: {done.stdout.decode(errors='replace')}")
    return done.stdout.decode(errors='replace')


def delete(disk, gone, names):
    disk.sync()
    gone(names)
    for name in names:
        disk.remove(name)
    disk.sync()


class Disk:
    def __init__(self, work, size="256M", mke2fs=(), options="", external=None):
        self.work = work
        self.image = os.path.join(work, "image")
        self.mount_point = os.path.join(work, "mnt")
        self.options = options
        self.loop = None
        self.mounted = False
        self.held = []
        self.flushed = True
        self.undelete = []      # options for it
        self.journal = self.journal_loop = None
        self.random = random.Random(1)
        os.makedirs(self.mount_point, exist_ok=True)
        run("truncate", "-s", size, self.image)
        if "-b" not in mke2fs:
            mke2fs = ("-b", "4096", *mke2fs)
        words = ["mke2fs", "-q", "-F", "-t", "ext4", *mke2fs]
        if external:
            self.journal = os.path.join(work, "journal")
            run("truncate", "-s", external, self.journal)
            self.journal_loop = self.attach(self.journal)
            size = mke2fs[mke2fs.index("-b") + 1]
            run("mke2fs", "-q", "-F", "-O", "journal_dev", "-b", size,
                self.journal_loop)
            words += ["-J", f"device={self.journal_loop}"]
        self.loop = self.attach(self.image)
        run(*words, self.loop)

    @staticmethod
    def attach(image):
        return run("losetup", "-f", "--show", image).strip()

    def commands(self, lines):
        """A file with them, for debugfs."""
        name = os.path.join(self.work, "commands")
        with open(name, "w", encoding="ascii") as f:
            f.writelines(line + "\n" for line in lines)
        return name

    def mount(self, more=""):
        options = ",".join(o for o in ("noatime", self.options, more) if o)
        run("mount", "-t", "ext4", "-o", options, self.loop, self.mount_point)
        self.mounted = True

    def umount(self):
        if self.mounted:
            run("umount", self.mount_point)
            self.mounted = False

    def remount(self):
        self.umount()
        self.mount()

    def crash(self):
        """Continue with the image that a power cut would leave now."""
        if self.flushed:
            self.sync()
        images = [i for i in (self.image, self.journal) if i]
        for image in images:
            run("cp", "--sparse=always", image, image + ".crashed")
        self.let_go()
        self.close()
        for image in images:
            os.replace(image + ".crashed", image)

    def hold(self, names):
        """Have them open, so that they are not freed when they are deleted."""
        self.held += [os.open(self.path(n), os.O_RDONLY) for n in names]

    def let_go(self):
        for fd in self.held:
            os.close(fd)
        self.held = []

    def close(self):
        """The image is at rest."""
        self.let_go()
        self.umount()
        for loop in (self.loop, self.journal_loop):
            if loop:
                subprocess.run(["losetup", "-d", loop], check=False,
                               stderr=subprocess.DEVNULL)
        self.loop = self.journal_loop = None

    # ------------------------------------------------ work on the mount

    def path(self, name):
        return os.path.join(self.mount_point, name.lstrip("/"))

    def write(self, name, data, mode=None, owner=None):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        if mode is not None:
            os.chmod(path, mode)
        if owner is not None:
            os.chown(path, owner, owner + 1)

    def sparse(self, name, pieces=40, step=8192, size=4096):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            for i in range(pieces):
                f.seek(i * step)
                f.write(self.random.randbytes(size))

    SIZES = (100, 3000, 4096, 20000, 70000, 300000, 1000000, 2500000)

    def files(self, count, prefix="f", directories=10, sizes=SIZES, every=16):
        """Files in all sizes, some of many extents."""
        names = []
        for i in range(count):
            name = f"/d{i % directories}/{prefix}{i}"
            names.append(name)
            if every and i % every == 1:
                self.sparse(name)
            else:
                self.write(name, self.random.randbytes(sizes[i % len(sizes)]))
            os.chmod(self.path(name), 0o600 + i % 64)
            os.chown(self.path(name), 1000 + i % 7, 2000 + i % 5)
        return names

    def fill(self, count, prefix, size=500, sync_every=0):
        """Small files that nobody asks for later."""
        for i in range(count):
            self.write(f"/{prefix}{i // 500}/{i}", self.random.randbytes(size))
            if sync_every and i % sync_every == sync_every - 1:
                self.sync()

    def remove(self, name):
        os.unlink(self.path(name))

    def remove_tree(self, name):
        shutil.rmtree(self.path(name))

    def transactions(self):
        """The numbers of those in the ring."""
        words = (os.environ.get("E2LAZY", "e2lazy"), "log", "--ring", "--raw",
                 "--no-headings", "--columns", "TID", self.image)
        done = subprocess.run(words, capture_output=True, check=False)
        # No failure of what is tested may end as Refused, which is a skip.
        assert done.returncode in (0, 4), f"{words}: {done.stderr.decode()}"
        return [int(tid) for tid in done.stdout.split()]

    def sync(self):
        """Of this file system alone: others are at work here, too."""
        fd = os.open(self.mount_point, os.O_RDONLY)
        _LIBC.syncfs(fd)
        os.close(fd)
