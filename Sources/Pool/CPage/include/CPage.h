#ifndef CPAGE_H
#define CPAGE_H

#include "CPageKit.h"

/// The number of files of the pool's page.
unsigned page_file_count(void);

/// The file of a number below `page_file_count()`.
struct page_file page_file(unsigned number);

#endif
