/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plant.c - what the rig must see: a warning of the kernel, or two locks that are
 * taken in one order and then in the other
 */
#include <linux/bug.h>
#include <linux/module.h>
#include <linux/mutex.h>

static bool inversion;
module_param(inversion, bool, 0444);

static DEFINE_MUTEX(plant_a);
static DEFINE_MUTEX(plant_b);

static void plant_take(struct mutex *first, struct mutex *second)
{
	mutex_lock(first);
	mutex_lock(second);
	mutex_unlock(second);
	mutex_unlock(first);
}

static int __init plant_init(void)
{
	if (!inversion) {
		WARN(1, "planted\n");
		return 0;
	}
	plant_take(&plant_a, &plant_b);
	plant_take(&plant_b, &plant_a);
	return 0;
}

static void __exit plant_exit(void)
{
}

module_init(plant_init);
module_exit(plant_exit);
MODULE_LICENSE("GPL");
