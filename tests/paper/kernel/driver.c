// SPDX-License-Identifier: GPL-2.0-only
/*
 * driver.c - a block device, /dev/e2drive, that is as slow as a modelled drive
 *
 * Each request is given to the model at the time when it arrives, and completes
 * at the time that the model says.  With User Mode Linux's time-travel=inf-cpu
 * that is virtual time: the clock jumps to the next completion.
 *
 *	e2drive.params=KEY=VALUE,...	as in the list of drives; disk= is the size
 *	/proc/e2drive			the counters
 *
 * The device has a write cache, no FUA and no discard, as the kernel sees a SATA
 * disk.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "e2lazy_model.h"
#include "store.h"

#define DEPTH		32

static char params_text[2048];
module_param_string(params, params_text, sizeof(params_text), 0444);

/* Of one request. */
struct pending {
	struct hrtimer	timer;
};

static struct e2lazy_params params;
static struct e2lazy_model *model;
static DEFINE_MUTEX(lock);		/* model, store and bounce */
static void *bounce;
static struct blk_mq_tag_set tags;
static struct gendisk *disk;

static enum hrtimer_restart finish(struct hrtimer *timer)
{
	struct pending *p = container_of(timer, struct pending, timer);

	blk_mq_complete_request(blk_mq_rq_from_pdu(p));
	return HRTIMER_NORESTART;
}

static void end_request(struct request *rq)
{
	blk_mq_end_request(rq, BLK_STS_OK);
}

/* ---------------------------------------------------------------- contents */

/* A piece of one block, to or from @data. */
static int copy_piece(u64 at, void *data, size_t length, bool write)
{
	u64 block = at / STORE_BLOCK;
	size_t within = at % STORE_BLOCK;

	if (write && length == STORE_BLOCK)
		return store_write(block, data);
	store_read(block, bounce);
	if (!write) {
		memcpy(data, bounce + within, length);
		return 0;
	}
	memcpy(bounce + within, data, length);
	return store_write(block, bounce);
}

static int copy_segment(u64 at, void *data, size_t length, bool write)
{
	int err = 0;

	while (!err && length) {
		size_t piece = min_t(size_t, length,
				     STORE_BLOCK - at % STORE_BLOCK);

		err = copy_piece(at, data, piece, write);
		at += piece;
		data += piece;
		length -= piece;
	}
	return err;
}

static int copy_request(struct request *rq)
{
	u64 at = blk_rq_pos(rq) << SECTOR_SHIFT;
	struct req_iterator iter;
	struct bio_vec vec;
	int err = 0;

	rq_for_each_segment(vec, rq, iter) {
		void *data = bvec_kmap_local(&vec);

		err = copy_segment(at, data, vec.bv_len,
				   req_op(rq) == REQ_OP_WRITE);
		kunmap_local(data);
		if (err)
			break;
		at += vec.bv_len;
	}
	return err;
}

/* ---------------------------------------------------------------- requests */

static int serve(struct request *rq, enum e2lazy_op *op)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		*op = E2LAZY_OP_READ;
		return copy_request(rq);
	case REQ_OP_WRITE:
		*op = E2LAZY_OP_WRITE;
		return copy_request(rq);
	case REQ_OP_FLUSH:
		*op = E2LAZY_OP_FLUSH;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static blk_status_t queue_rq(struct blk_mq_hw_ctx *hctx,
			     const struct blk_mq_queue_data *bd)
{
	struct request *rq = bd->rq;
	struct pending *p = blk_mq_rq_to_pdu(rq);
	u64 now, done = 0;
	enum e2lazy_op op;
	int err;

	blk_mq_start_request(rq);
	mutex_lock(&lock);
	now = ktime_get_ns();
	err = serve(rq, &op);
	if (!err)
		err = e2lazy_model_io(model, now, op, op == E2LAZY_OP_FLUSH ? 0 :
				      blk_rq_pos(rq) << SECTOR_SHIFT,
				      op == E2LAZY_OP_FLUSH ? 0 :
				      blk_rq_bytes(rq), &done);
	mutex_unlock(&lock);
	if (err)
		return errno_to_blk_status(err < 0 ? err : -err);
	hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	p->timer.function = finish;
	hrtimer_start(&p->timer, ns_to_ktime(done), HRTIMER_MODE_ABS);
	return BLK_STS_OK;
}

static const struct blk_mq_ops ops = {
	.queue_rq	= queue_rq,
	.complete	= end_request,
};

static const struct block_device_operations fops = {
	.owner		= THIS_MODULE,
};

/* ---------------------------------------------------------------- counters */

static int show(struct seq_file *m, void *unused)
{
	const struct e2lazy_counters *c;

	mutex_lock(&lock);
	c = e2lazy_model_counters(model);
	seq_printf(m, "reads %llu\nread_bytes %llu\n",
		   c->requests[E2LAZY_OP_READ], c->bytes[E2LAZY_OP_READ]);
	seq_printf(m, "writes %llu\nwritten_bytes %llu\n",
		   c->requests[E2LAZY_OP_WRITE], c->bytes[E2LAZY_OP_WRITE]);
	seq_printf(m, "flushes %llu\nseeks %llu\n",
		   c->requests[E2LAZY_OP_FLUSH], c->seeks);
	seq_printf(m, "surface_read %llu\nsurface_written %llu\n",
		   c->read, c->written);
	seq_printf(m, "cached %llu\nstreamed %llu\ndirty_bands %llu\n",
		   c->cached, c->streamed, c->dirty);
	seq_printf(m, "cleaned_full %llu\ncleaned_between %llu\n",
		   c->cleaned_full, c->cleaned_between);
	seq_printf(m, "clean_ns %llu\nstore_bytes %llu\n",
		   c->clean_full_ns + c->clean_between_ns, store_bytes());
	mutex_unlock(&lock);
	return 0;
}

/* ------------------------------------------------------------------- start */

static int read_params(void)
{
	char *rest = params_text, *item;

	e2lazy_params_default(&params);
	while ((item = strsep(&rest, ","))) {
		if (*item && !e2lazy_params_set(&params, item,
						E2LAZY_ORIGIN_GIVEN, "")) {
			pr_err("e2drive: unknown or out of bounds: %s\n", item);
			return -EINVAL;
		}
	}
	return 0;
}

static int make_disk(void)
{
	int err;

	tags.ops = &ops;
	tags.nr_hw_queues = 1;
	tags.queue_depth = DEPTH;
	tags.numa_node = NUMA_NO_NODE;
	tags.cmd_size = sizeof(struct pending);
	tags.flags = BLK_MQ_F_SHOULD_MERGE | BLK_MQ_F_BLOCKING;
	err = blk_mq_alloc_tag_set(&tags);
	if (err)
		return err;
	disk = blk_mq_alloc_disk(&tags, NULL);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	strscpy(disk->disk_name, "e2drive", sizeof(disk->disk_name));
	disk->fops = &fops;
	disk->flags |= GENHD_FL_NO_PART;
	blk_queue_logical_block_size(disk->queue, 512);
	blk_queue_physical_block_size(disk->queue, STORE_BLOCK);
	blk_queue_max_hw_sectors(disk->queue, 2560);
	blk_queue_max_segments(disk->queue, 320);
	blk_queue_write_cache(disk->queue, true, false);
	set_capacity(disk, params.value[E2LAZY_PARAM_DISK] >> SECTOR_SHIFT);
	return add_disk(disk);
}

static int __init start(void)
{
	int err = read_params();

	if (!err)
		err = -(int)e2lazy_model_new(&params, &model);
	bounce = kmalloc(STORE_BLOCK, GFP_KERNEL);
	if (!err && !bounce)
		err = -ENOMEM;
	if (!err)
		err = store_init();
	if (!err)
		err = make_disk();
	if (!err)
		proc_create_single("e2drive", 0444, NULL, show);
	pr_info("e2drive: %d\n", err);
	return err;
}
device_initcall(start);
MODULE_LICENSE("GPL");
