/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plant.c - a warning of the kernel, so that the rig shows that it sees one
 */
#include <linux/bug.h>
#include <linux/module.h>

static int __init plant_init(void)
{
	WARN(1, "planted\n");
	return 0;
}

static void __exit plant_exit(void)
{
}

module_init(plant_init);
module_exit(plant_exit);
MODULE_LICENSE("GPL");
