/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cut.c - cut the power when a tracepoint is hit for the n-th time
 *
 * insmod cut.ko point=jbd2_lazy_home nth=3 writes to the port of QEMU's device
 * isa-debug-exit when that event happens: the machine is gone at this very
 * place, whatever was in flight.  stall=FUNCTION keeps whoever calls that first
 * busy for some seconds, so that the other processor gets far ahead; stall_calls
 * and stall_ms tell how many callers, and for how long each.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/tracepoint.h>

#define EXIT_PORT	0xf4

static char *point = "";
module_param(point, charp, 0444);
static int nth = 1;
module_param(nth, int, 0444);
static char *stall = "";
module_param(stall, charp, 0444);
static int stall_calls = 1;
module_param(stall_calls, int, 0444);
static int stall_ms = 4000;
module_param(stall_ms, int, 0444);

static atomic_t left;
static struct tracepoint *found;

/* Has more arguments, which differ from event to event. */
static void hit(void *data)
{
	if (atomic_dec_and_test(&left))
		outb(0, EXIT_PORT);
}

static int busy(struct kprobe *at, struct pt_regs *regs)
{
	static atomic_t calls;
	int ms;

	if (atomic_inc_return(&calls) <= stall_calls) {
		/* On a slow machine this takes longer than a watchdog waits. */
		for (ms = 0; ms < stall_ms; ms += 50) {
			mdelay(50);
			touch_softlockup_watchdog();
		}
		pr_emerg("cut: %s has waited\n", at->symbol_name);
	}
	return 0;
}

static struct kprobe probe = { .pre_handler = busy };

static int each_module(struct notifier_block *nb, unsigned long state,
		       void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;
	int i;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_OK;
	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp =
			tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, point) &&
		    !tracepoint_probe_register(tp, hit, NULL))
			found = tp;
	}
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = each_module };

/* The modules that are loaded are told to us at once. */
static int __init cut_init(void)
{
	int err;

	if (*stall) {
		probe.symbol_name = stall;
		err = register_kprobe(&probe);
		if (err)
			return err;
	}
	atomic_set(&left, nth);
	err = register_tracepoint_module_notifier(&notifier);
	if (!err && !found) {
		unregister_tracepoint_module_notifier(&notifier);
		err = -ENOENT;
	}
	if (err && *stall)
		unregister_kprobe(&probe);
	return err;
}
module_init(cut_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a power cut at a tracepoint");
