// OpenEXRCore, the C interface of OpenEXR.
#pragma once

#include <OpenEXR/openexr.h>
