// Compression by zlib, whose own functions are not told in types that Swift could check.

#include "CCompression.h"
#include <zlib.h>

unsigned long gzip_bytes(const unsigned char *bytes, unsigned long byte_count, unsigned char *room, unsigned long room_count) {
    z_stream stream = {0};
    // 16 more than the window makes the format of gzip. Nothing of the time is in it, so equal bytes stay equal.
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = byte_count;
    stream.next_out = room;
    stream.avail_out = room_count;
    const int result = deflate(&stream, Z_FINISH);
    const unsigned long written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}
