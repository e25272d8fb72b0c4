#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <zmq.h>

/* Sums of macros, which Swift does not import. */
static const int czeromq_eterm = ETERM;
static const int czeromq_efsm = EFSM;

#endif
