# SPDX-License-Identifier: GPL-2.0-only
"""The two checksums of a jbd2 journal, in nothing but Python.

crc32c() is reflected and neither begins nor ends with an inversion: the
caller passes ~0 or a seed, as the format's rules are worded.
"""

import array
import functools
import sys
import zlib

ALL_ONES = 0xffffffff
CASTAGNOLI = 0x82f63b78         # bit-reversed


def _remainder(value, bits, polynomial):
    for _ in range(bits):
        value = value >> 1 ^ (polynomial if value & 1 else 0)
    return value


# By two bytes at a step: a table of one byte costs twice the time.
_BYTE = [_remainder(i, 8, CASTAGNOLI) for i in range(256)]
_PAIR = [_BYTE[step & 0xff] ^ step >> 8
         for step in (_BYTE[i & 0xff] ^ i >> 8 for i in range(65536))]


# Most blocks of one journal are those of the next one, too.
@functools.lru_cache(maxsize=4096)
def crc32c(crc, data):
    pair = _PAIR
    even = len(data) & ~1
    words = array.array('H', data[:even])
    if sys.byteorder == 'big':
        words.byteswap()
    for word in words:
        crc = crc >> 16 ^ pair[(crc ^ word) & 0xffff]
    for byte in data[even:]:
        crc = crc >> 8 ^ _BYTE[(crc ^ byte) & 0xff]
    return crc


_MIRRORED = bytes(int(f'{i:08b}'[::-1], 2) for i in range(256))


def _mirror(word):
    return int(f'{word:032b}'[::-1], 2)


def crc32_be(crc, data):
    """Most significant bit first, as checksum v1 has it.

    zlib's runs the other way round, on mirrored bytes, and inverts its state
    before and after.
    """
    state = _mirror(crc) ^ ALL_ONES
    state = zlib.crc32(bytes(data).translate(_MIRRORED), state)
    return _mirror(state ^ ALL_ONES)
