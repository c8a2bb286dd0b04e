// OpenEXRCore, the C interface of OpenEXR.
#pragma once

#include <openexr.h>
