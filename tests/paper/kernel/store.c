// SPDX-License-Identifier: GPL-2.0-only
/* store.c - the contents of the drive, in memory; see store.h */
#include <linux/lz4.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>

#include "store.h"

struct kept {
	u32	length;			/* STORE_BLOCK: not compressed */
	u8	bytes[];
};

static DEFINE_XARRAY(blocks);
static void *scratch, *packed;
static u64 bytes;

int store_init(void)
{
	scratch = vmalloc(LZ4_MEM_COMPRESS);
	packed = vmalloc(LZ4_COMPRESSBOUND(STORE_BLOCK));
	return scratch && packed ? 0 : -ENOMEM;
}

static void drop(struct kept *old)
{
	if (!old)
		return;
	bytes -= ksize(old);
	kfree(old);
}

static struct kept *pack(const void *buf)
{
	int length = LZ4_compress_default(buf, packed, STORE_BLOCK,
					  LZ4_COMPRESSBOUND(STORE_BLOCK),
					  scratch);
	const void *from = packed;
	struct kept *new;

	if (length <= 0 || length >= STORE_BLOCK) {
		length = STORE_BLOCK;
		from = buf;
	}
	new = kmalloc(struct_size(new, bytes, length), GFP_NOIO);
	if (!new)
		return NULL;
	new->length = length;
	memcpy(new->bytes, from, length);
	bytes += ksize(new);
	return new;
}

int store_write(u64 block, const void *buf)
{
	struct kept *new;
	void *old;

	if (!memchr_inv(buf, 0, STORE_BLOCK)) {
		drop(xa_erase(&blocks, block));
		return 0;
	}
	new = pack(buf);
	if (!new)
		return -ENOMEM;
	old = xa_store(&blocks, block, new, GFP_NOIO);
	if (xa_is_err(old)) {
		drop(new);
		return xa_err(old);
	}
	drop(old);
	return 0;
}

void store_read(u64 block, void *buf)
{
	const struct kept *kept = xa_load(&blocks, block);

	if (!kept)
		memset(buf, 0, STORE_BLOCK);
	else if (kept->length == STORE_BLOCK)
		memcpy(buf, kept->bytes, STORE_BLOCK);
	else if (LZ4_decompress_safe(kept->bytes, buf, kept->length,
				     STORE_BLOCK) != STORE_BLOCK)
		WARN_ONCE(1, "e2drive: a block does not unpack\n");
}

u64 store_bytes(void)
{
	return bytes;
}
