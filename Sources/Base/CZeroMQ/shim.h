#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <zmq.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Sums of macros, which Swift does not import. */
static const int czeromq_eterm = ETERM;
static const int czeromq_efsm = EFSM;

/* ZMQ_ZAP_ENFORCE_DOMAIN, which the header declares for drafts only and which libzmq 4.3.4 knows. */
static const int czeromq_zap_enforce_domain = 93;

/* Gives memory that nobody uses back to the system, where the C library knows how. */
static inline void czeromq_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
