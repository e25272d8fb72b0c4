#ifndef CPAGEKIT_H
#define CPAGEKIT_H

/// A file of a page, which is inside the program.
struct page_file {
    /// Its name, such as `page.html`; constant, ends with a zero.
    const char *name;
    /// Its bytes; constant.
    const unsigned char *bytes;
    /// How many bytes it has.
    unsigned long byte_count;
};

/// The number of the files that all pages have in common.
unsigned page_kit_file_count(void);

/// The file of a number below `page_kit_file_count()`.
struct page_file page_kit_file(unsigned number);

#endif
