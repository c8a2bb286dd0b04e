// SPDX-License-Identifier: GPL-2.0
/* The backlight of a connector, with brightness 0 to 1000 and no lamp: virtual machines have none. */

#include <linux/backlight.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *connector;
module_param(connector, charp, 0444);
MODULE_PARM_DESC(connector, "the device of the connector, such as card0-Virtual-1");

static int scale = BACKLIGHT_SCALE_LINEAR;
module_param(scale, int, 0644);
MODULE_PARM_DESC(scale, "enum backlight_scale, from the next change of brightness on");

static struct backlight_device *light;

static int update(struct backlight_device *device)
{
	device->props.scale = scale;
	return 0;
}

static const struct backlight_ops ops = { .update_status = update };

/* Looks for the connector among a device and its descendants. */
static int find(struct device *device, void *found)
{
	if (strcmp(dev_name(device), connector))
		return device_for_each_child(device, found, find);
	*(struct device **)found = get_device(device);
	return 1;
}

static int __init begin(void)
{
	struct backlight_properties properties = {
		.type = BACKLIGHT_RAW, .scale = scale, .max_brightness = 1000, .brightness = 1000,
	};
	struct device *parent = NULL;

	if (!connector || !bus_for_each_dev(&pci_bus_type, NULL, &parent, find))
		return -ENODEV;
	light = backlight_device_register(KBUILD_MODNAME, parent, NULL, &ops, &properties);
	put_device(parent);
	return PTR_ERR_OR_ZERO(light);
}

static void __exit end(void)
{
	backlight_device_unregister(light);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Backlight of a virtual connector");
