# SPDX-License-Identifier: GPL-2.0-only
"""Random journals, as text for mkjournal; the same for the same seed."""

import random

from kinds import FOREIGN, KINDS, text_of

# Options of mke2fs, and forms of the journal; `low` is a static block
# behind which nothing lies but bitmaps, inode tables and free blocks.
FORMS = [
    # name      block  blocks journal  low   share  mke2fs
    ('1k',       1024, 16384, 1024,    1200, 8, ()),
    ('1k-bare',  1024, 16384, 1024,    1200, 4,
     ('-O', '^64bit,^metadata_csum')),
    ('1k-ext3',  1024, 16384, 1024,    1200, 3,
     ('-O', '^extent,^64bit,^metadata_csum')),
    ('1k-fast',  1024, 16384, 2048,    2400, 4, ()),
    ('2k',       2048, 16384, 1024,    1200, 3, ()),
    ('4k',       4096, 16384, 1024,    1200, 4, ()),
    ('64k',     65536,  8192, 1024,    1200, 1, ()),
    ('1k-dev',   1024, 16384, 1100,    300,  3, ('external',)),
    ('4k-dev',   4096, 16384, 1100,    300,  2, ('external',)),
]
CSUMS = ['none', 'v1', 'v2', 'v3', 'v3']
WORDS = ['alpha', 'beta']


class Form:
    def __init__(self, row):
        (self.name, self.block_size, self.blocks, self.journal, self.low, _,
         self.options) = row
        self.external = self.options == ('external',)
        if self.external:
            self.options = ()


class Log:
    """One random log: `text`, for an image of `form`."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        # One in four is of a kind, in turn.
        self.kind = None
        if seed % 4 == 0:
            self.kind = KINDS[seed // 4 % len(KINDS)]
            self._of_kind()
            return
        self.form = Form(self.rng.choices(
            FORMS, [row[5] for row in FORMS])[0])
        self.lines = []
        self.txns = []          # (tid, copies, has revokes)
        self.pool = [self._block() for _ in range(8)]
        self._journal()
        if self.chance(.06):
            self._bulk()
        else:
            self._transactions()
        self._leftovers()
        self._fast_commits()
        self._damages()
        self.text = '\n'.join(self.lines) + '\n'

    def _of_kind(self):
        self.form = Form(next(row for row in FORMS if row[0] == self.kind[0]))
        tid = self.rng.choice([1, 77, 0xfffffffe, self.rng.randrange(1 << 32)])
        self.text = text_of(self.kind, self.rng, self.form.low, tid)

    def chance(self, probability):
        return self.rng.random() < probability

    def say(self, *words):
        self.lines.append(' '.join(str(word) for word in words))

    def _block(self):
        return self.rng.randrange(self.form.low, self.form.blocks - 64)

    # ------------------------------------------------------ the journal ---

    def _journal(self):
        rng, form = self.rng, self.form
        self.csum = rng.choice(CSUMS)
        words = ['csum', self.csum]
        old = self.csum == 'none' and self.chance(.15)
        if old:
            words += ['sb', 'v1']
        else:
            words += [rng.choice(['64bit', '32bit'])]
            words += ['norevoke'] if self.chance(.2) else []
            words += ['async_commit'] if self.chance(.15) else []
        self.fast = 0
        if form.name == '1k-fast' and not old and self.chance(.8):
            self.fast = rng.choice([16, 200, 256, 1000, 1024, 1025, 2000]
                                   if self.chance(.3) else [16, 256, 0])
            words += ['fast_commit', self.fast]
            words += ['cleared'] if self.chance(.2) else []
            self.fast = self.fast or 256
        self.say('journal', *words)
        self.end = form.journal - self.fast
        self.first_tid = rng.choice([1, 5, 0xfffffffd, 0x7ffffffe,
                                     rng.randrange(1 << 32)])
        if self.chance(.7):
            self.say('start', f'end-{rng.randrange(1, 60)}'
                     if self.chance(.6) else rng.randrange(4, 1000))
        self.say('sequence', self.first_tid)
        self._super()

    def _super(self):
        if self.chance(.06):
            self.say('super', 'errno', self.rng.choice([-5, -117, 1]))
        if self.chance(.05):
            self.say('super', 'head', self.rng.randrange(2000))
        if self.chance(.08):
            self.say('needs_recovery', self.rng.choice(['on', 'off']))

    # ------------------------------------------------- the transactions ---

    def _list(self, pool):
        rng = self.rng
        how = rng.random()
        if how < .6 and pool:
            blocks = rng.sample(pool, rng.randrange(1, min(5, len(pool) + 1)))
            for block in blocks:
                pool.remove(block)
            return ' '.join(map(str, blocks)), len(blocks)
        if how < .63:           # the same block twice, as no jbd2 would
            block = rng.choice(self.pool)
            return f'{block} {block}', 2
        most = 90 if self.form.block_size == 1024 else 12
        count = rng.randrange(1, most if self.chance(.2) else 8)
        first = self._block()
        return f'{first}-{first + count - 1}', count

    def _items(self):
        rng = self.rng
        words, copies, revokes = [], 0, False
        pools = {True: self.pool[:], False: self.pool[:]}
        for _ in range(rng.choices(range(5), [1, 6, 5, 3, 1])[0]):
            kind = rng.choices(['write', 'escape', 'deleted', 'revoke'],
                               [10, 3, .4, 4])[0]
            blocks, count = self._list(pools[kind == 'revoke'])
            words += [kind, blocks]
            copies += count if kind != 'revoke' else 0
            revokes |= kind == 'revoke'
        if self.chance(.12):
            words += ['perdesc', rng.randrange(1, 5)]
        elif self.chance(.1):
            words += ['nolast']
        if self.chance(.05):
            words += ['sparse']
        if self.chance(.05):
            words += ['data', rng.choice(WORDS)]
        if self.chance(.1):
            words += ['time', 1700000000 + rng.randrange(-5, 20),]
        elif self.chance(.03):
            words += ['debugfstime']
        return words, copies, revokes

    def _transactions(self):
        count = self.rng.choice([0, 1, 2, 3, 4, 6, 8, 12])
        for i in range(count):
            tid = self.first_tid + i & 0xffffffff
            words, copies, revokes = self._items()
            last = i == count - 1
            if self.chance(.25 if last else .01):
                words += ['nocommit']
            self.say('txn', tid, *words)
            self.txns.append((tid, copies, revokes))

    def _bulk(self):
        """A log that comes near filling its ring, fills it, or laps itself."""
        rng = self.rng
        self.lines = [line for line in self.lines
                      if not line.startswith('start')]
        first = 1
        if self.form.external:
            first = 3 if self.form.block_size == 1024 else 2
        ring = self.end - first
        start = first + rng.randrange(ring)
        self.say('start', start)
        each = rng.choice([3, 9, 30])
        most = ring // (each + 2)
        if self.form.block_size > 4096:
            most = min(most, 9)
        laps = self.chance(.4)
        count = most + rng.randrange(1, most + 1) if laps else most
        if laps:
            self.say('lap')
        low = self._block() // 2
        self.say('bulk', count, 'tags', each, 'from', low, 'mod',
                 rng.choice([7, 50, 400]))
        rest = ring - most * (each + 2)
        if not laps and rest >= 3 and self.chance(.8):
            # Up to the last block, or not quite.
            copies = rest - 2 - rng.randrange(2)
            tid = self.first_tid + count & 0xffffffff
            if 0 < copies <= 12:
                self.say('txn', tid, 'write',
                         f'{low}-{low + copies - 1}',
                         *(['nocommit'] if self.chance(.3) else []))
        if laps:
            left = rng.randrange(1, most)
            self.say('tail', self.first_tid + count - left & 0xffffffff)
        self.txns = [(self.first_tid + count - back & 0xffffffff, each, False)
                     for back in range(1, 5)]

    def _leftovers(self):
        rng = self.rng
        if not self.chance(.35):
            return
        if self.chance(.3):
            self.say('leftoveruuid', FOREIGN)
        last = self.txns[-1][0] if self.txns else self.first_tid
        tid = last + rng.choice([-9, -3, 1, 1, 1, 1, 2, 5, 3000]) & 0xffffffff
        for i in range(rng.randrange(1, 4)):
            words, _, _ = self._items()
            if self.chance(.4):
                words += ['time', 1600000000]
            self.say('leftover', tid + i & 0xffffffff, *words)

    def _fast_commits(self):
        if not self.fast or not self.chance(.5):
            return
        last = self.txns[-1][0] if self.txns else self.first_tid - 1
        tid = last + self.rng.choice([1, 1, 1, 0, 2]) & 0xffffffff
        for _ in range(self.rng.randrange(1, 4)):
            words = []
            for _ in range(self.rng.randrange(1, 4)):
                words += [self.rng.choice([
                    'creat 2 12 name', 'link 2 12 other', 'unlink 2 12 name',
                    'range 12 0 4 9000', 'del 12 0 4', 'inode 2', 'pad 10'])]
            words += [self.rng.choice(['tail', 'tail', 'tail', 'tail badcrc',
                                       ''])]
            self.say('fc', tid, *words)

    # ----------------------------------------------------------- damage ---

    def _place(self):
        if self.chance(.07) or not self.txns:
            return f'@{self.rng.randrange(1, 1000)}'
        tid, copies, revokes = self.rng.choice(self.txns)
        kinds = ['commit', 'commit']
        kinds += ['desc', 'data'] if copies else []
        kinds += ['revoke'] if revokes else []
        kind = self.rng.choice(kinds)
        index = ''
        if kind == 'data':
            index = f'[{self.rng.randrange(copies)}]'
        elif kind == 'desc' and copies > 2 and self.chance(.2):
            index = '[1]'
        return f'{tid}.{kind}{index}'

    def _of(self, kind):
        """A place of that kind, if there is one."""
        column = 2 if kind == 'revoke' else 1
        some = [txn for txn in self.txns if txn[column]]
        tid = self.rng.choice(some)[0] if some else self.first_tid
        return f'{tid}.{kind}'

    def _damages(self):
        if not self.chance(.6):
            return
        for _ in range(self.rng.choices([1, 2, 3], [8, 2, 1])[0]):
            self.say('damage', *self._damage())
        if self.chance(.3):
            self.say('damage home', self._of('data') + '[0]',
                     self.rng.choice(self.pool))

    def _damage(self):
        rng = self.rng
        raw = ['raw'] if self.chance(.15) else []
        verb = rng.choices(
            ['block', 'flip', 'copy', 'tid', 'type', 'count', 'tag',
             'tagflags', 'super', 'inode8'],
            [12, 3, 2, 2, 2, 2, 3, 2, 1.2, .4])[0]
        if verb == 'block':
            return [rng.choice(['csum', 'csum', 'zero', 'garbage', 'magic',
                                'torn']), self._place()]
        if verb == 'flip':
            return ['flip', self._place(), rng.choice(
                [rng.randrange(64), rng.randrange(self.form.block_size)])]
        if verb == 'copy':
            return ['copy', self._place(), self._place()]
        if verb == 'tid':
            return ['tid', self._place(),
                    rng.choice(self.txns or [(7,)])[0] +
                    rng.choice([0, 1, 2, -1]) & 0xffffffff, *raw]
        if verb == 'type':
            return ['type', self._place(), rng.choice([0, 1, 2, 3, 4, 5, 6,
                                                       77]), *raw]
        if verb == 'count':
            return ['count', self._of('revoke'),
                    rng.choice([0, 15, 16, 20, 24, 1000, 1020, 1021, 1024,
                                1025, 4092, 4093, 1 << 31]), *raw]
        if verb == 'tag':
            target = rng.choice(['journal', self.form.blocks,
                                 self.form.blocks - 1, 1 << 31,
                                 self._block(), rng.choice(self.pool)])
            return ['tag', self._of('desc'), rng.choice([0, 0, 1, 5]), target,
                    *raw]
        if verb == 'tagflags':
            return ['tagflags', self._of('desc'), rng.choice([0, 0, 1, 5]),
                    rng.randrange(16), *raw]
        if verb == 'inode8':
            return ['inode8', 'clear']
        return ['super', *self._damaged_super(), *raw]

    def _damaged_super(self):
        rng = self.rng
        values = {
            'magic': [0], 'type': [1, 3, 4, 7], 'blocksize': [512, 4096],
            'maxlen': [0, 1000, 1023, 1024, 5000], 'first': [0, 1, 5, 4000],
            'sequence': [0, self.first_tid, self.first_tid + 1 & 0xffffffff],
            'start': [0, 1, 2, 1023, 1024, 5000], 'errno': [-30],
            'compat': [0, 1, 2], 'incompat': [0, 1, 0x11, 0x40, 0x18, 0x1000],
            'ro_compat': [0, 1], 'csumtype': [0, 1, 4], 'users': [0, 1, 2, 48],
            'user': [0, 1],
            'fcblocks': [0, 1, 1 << 31], 'head': [1, 1 << 30], 'csum': [0],
        }
        field = rng.choice(list(values))
        return field, rng.choice(values[field])
