#ifndef POOLSENSORS_CPOSTGRES_SHIM_H
#define POOLSENSORS_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
