#ifndef CTESTDEFAULTS_H
#define CTESTDEFAULTS_H

/// How many tests run at a time unless the environment says otherwise.
///
/// Many tests start brokers, hubs and watches. Swift Testing 6.3 starts all tests at once by default, and nothing would
/// then happen in time.
#define TEST_PARALLELIZATION_WIDTH "16"

#endif
