#ifndef CTARSPAGE_H
#define CTARSPAGE_H

#include "CPageKit.h"

/// The number of files of the page.
unsigned tars_page_file_count(void);

/// The file of a number below `tars_page_file_count()`.
struct page_file tars_page_file(unsigned number);

#endif
