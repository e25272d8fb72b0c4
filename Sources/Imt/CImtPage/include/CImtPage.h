#ifndef CIMTPAGE_H
#define CIMTPAGE_H

/// A file of the page, which is inside the program.
struct imt_page_file {
    /// Its name, such as `page.html`; constant, ends with a zero.
    const char *name;
    /// Its bytes; constant.
    const unsigned char *bytes;
    /// How many bytes it has.
    unsigned long byte_count;
};

/// The number of files.
unsigned imt_page_file_count(void);

/// The file of a number below `imt_page_file_count()`.
struct imt_page_file imt_page_file(unsigned number);

#endif
