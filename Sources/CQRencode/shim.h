// libqrencode as a Clang module.
#pragma once
#include <qrencode.h>
