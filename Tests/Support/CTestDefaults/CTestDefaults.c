#include "CTestDefaults.h"

#include <stdlib.h>

// Runs before `main`, thus before Swift Testing reads the variable. What the caller has set stays.
__attribute__((constructor)) static void set_test_defaults(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", TEST_PARALLELIZATION_WIDTH, 0);
}
