#ifndef CIMTPAGE_H
#define CIMTPAGE_H

#include "CPageKit.h"

/// The number of files.
unsigned imt_page_file_count(void);

/// The file of a number below `imt_page_file_count()`.
struct page_file imt_page_file(unsigned number);

#endif
