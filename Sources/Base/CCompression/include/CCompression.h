#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

/// Compresses bytes in the format of gzip into a room; how many bytes it has then, 0 if the room is too small.
unsigned long gzip_bytes(
    const unsigned char *bytes, unsigned long byte_count, unsigned char *room, unsigned long room_count);

#endif
