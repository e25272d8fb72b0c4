#ifndef CRIDES_H
#define CRIDES_H

/// A file that is inside the program.
struct rides_file {
    /// Its name, such as `0001-tables.sql`; constant, ends with a zero.
    const char *name;
    /// Its bytes; constant.
    const unsigned char *bytes;
    /// How many bytes it has.
    unsigned long byte_count;
};

/// The number of files: the migrations in their order, then those of the page.
unsigned rides_file_count(void);

/// The file of a number below `rides_file_count()`.
struct rides_file rides_file(unsigned number);

#endif
