#ifndef CRIDES_H
#define CRIDES_H

#include "CPageKit.h"

/// The number of files: the migrations in their order, then those of the page.
unsigned rides_file_count(void);

/// The file of a number below `rides_file_count()`.
struct page_file rides_file(unsigned number);

#endif
