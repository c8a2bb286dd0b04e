// Linux's own header of V4L2.
#pragma once
#include <linux/videodev2.h>
