#ifndef POOLSENSORS_CSODIUM_SHIM_H
#define POOLSENSORS_CSODIUM_SHIM_H

#include <sodium.h>

#endif
