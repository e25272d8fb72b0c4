#ifndef POOLSENSORS_CTURBOJPEG_SHIM_H
#define POOLSENSORS_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
