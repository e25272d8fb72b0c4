#ifndef POOLSENSORS_CZEROMQ_SHIM_H
#define POOLSENSORS_CZEROMQ_SHIM_H

#include <zmq.h>

/* Sums of macros, which Swift does not import. */
static const int poolsensors_zmq_eterm = ETERM;
static const int poolsensors_zmq_efsm = EFSM;

#endif
