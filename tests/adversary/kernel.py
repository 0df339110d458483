# SPDX-License-Identifier: GPL-2.0-only
"""Bases made by the running kernel: loop devices, a mount, a sudden copy."""

import os
import subprocess
import time
from contextlib import contextmanager

from disk import Disk, copy_sparse

UUID = '5a3b1c00-e21a-4000-8000-00000000e2fc'
OLD_UUID = '01234567-89ab-cdef-0123-456789abcdee'

USUAL = ['mkdirs a 1 90 6', 'files b 1 20 3000', 'symlinks l 1 6', 'fsync b',
         'rename b 1 5 c', 'xattr b 6 12 300', 'fsync b', 'rmdirs a 1 12',
         'fsync a', 'files d 1 12 2000', 'fsync d', 'mkdirs e 1 8 2',
         'truncate b 13 16 100', 'fsync e']
# Small commits until the ring has come round.
AROUND = ['mkdirs a 1 260 4', 'files b 1 30 2500', 'fsync b',
          'rmdirs a 1 60', 'fsync a', 'mkdirs f 1 120 4', 'rename b 1 9 c',
          'fsync b', 'rmdirs f 1 30', 'fsync f', 'files g 1 30 900',
          'fsync g', 'mkdirs h 1 150 4', 'fsync h']
LATER = ['mkdirs later 1 24 3', 'files late 1 9 2500', 'fsync late',
         'rename late 1 4 over', 'fsync over', 'rmdirs later 1 6',
         'fsync later']

NO_CSUMS = ('-O', '^64bit,^metadata_csum')

BASES = [
    # name               block  mke2fs    options                  before
    ('kernel-1k-v3',      1024, (),       '',                      'new'),
    ('kernel-1k-v3-lap',  1024, (),       '',                      'lap'),
    ('kernel-4k-v3-lap',  4096, (),       '',                      'lap'),
    ('kernel-1k-none',    1024, NO_CSUMS, '',                      'new'),
    ('kernel-1k-none-lap', 1024, NO_CSUMS, '',                     'lap'),
    ('kernel-4k-none',    4096, NO_CSUMS, '',                      'remount'),
    ('kernel-1k-v1',      1024, NO_CSUMS, 'journal_checksum',      'new'),
    ('kernel-1k-beneath', 1024, NO_CSUMS, '',                      'beneath'),
    ('kernel-4k-beneath', 4096, (),       '',                      'beneath'),
    ('kernel-1k-data',    1024, (),       'data=journal',          'new'),
    ('kernel-4k-async',   4096, (),
     'data=writeback,journal_async_commit',                        'remount'),
]


class Impossible(Exception):
    """The kernel's part cannot be done here; the text says why."""


def why_not(directory):
    """Why no file system can be mounted here, or None."""
    if os.geteuid():
        return 'needs root'
    probe = os.path.join(directory, 'probe')
    try:
        _mke2fs(probe, 1024, (), UUID)
        with _mounted(probe, ''):
            pass
    except (Impossible, OSError) as why:
        return str(why)
    finally:
        if os.path.exists(probe):
            os.unlink(probe)
    return None


def make(name, directory, tools):
    row = next(row for row in BASES if row[0] == name)
    _, block_size, options, mount, before = row
    path = os.path.join(directory, name)
    live = path + '.live'
    if before == 'beneath':
        _mke2fs(live, block_size, options, OLD_UUID, 1500000000)
        with _mounted(live, mount) as where:
            _work(tools, where, USUAL)
        # No commit of the old journal is younger than the new file system.
        time.sleep(1.1)
    _mke2fs(live, block_size, options, UUID,
            int(time.time()) if before == 'beneath' else 1690000000)
    if before == 'remount':
        with _mounted(live, mount) as where:
            _work(tools, where, USUAL)
    with _mounted(live, mount) as where:
        _work(tools, where, LATER if before in ('beneath', 'remount')
              else AROUND if before == 'lap' else USUAL)
        copy_sparse(live, path)
    os.unlink(live)
    return Disk(path)


def _run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True,
                          text=True, check=False, **more)
    if done.returncode:
        raise Impossible(f'{words[0]}: {done.stderr.strip()}')
    return done.stdout.strip()


def _mke2fs(path, block_size, options, uuid, made=1690000000):
    if not os.path.exists(path):
        with open(path, 'wb') as file:
            file.truncate(16 << 20)
    # -F: mke2fs does not ask about an existing file system.
    _run('mke2fs', '-q', '-F', '-t', 'ext4', '-b', block_size, '-U', uuid,
         '-J', f'size={block_size >> 10}', '-N', 1024,
         '-E', 'lazy_journal_init=1,nodiscard,hash_seed=' + UUID, *options,
         path, env=dict(os.environ, E2FSPROGS_FAKE_TIME=str(made)),
         stdin=subprocess.DEVNULL)


@contextmanager
def _mounted(path, options):
    where = path + '.mnt'
    os.makedirs(where, exist_ok=True)
    try:
        loop = _run('losetup', '-f', '--show', path)
    except OSError as why:
        raise Impossible('losetup is missing') from why
    try:
        _run('mount', '-t', 'ext4', '-o', ','.join(filter(None, (
            'noatime,nodelalloc,commit=3000', options))), loop, where)
        try:
            yield where
        finally:
            try:
                _run('umount', where)
            except Impossible:  # somebody looks at it
                _run('umount', '-l', where)
    finally:
        _run('losetup', '-d', loop)
        os.rmdir(where)


def _work(tools, where, statements):
    _run(tools.fswork, where, *statements)
