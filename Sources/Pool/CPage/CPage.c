// The files of the page, as they stand in PoolWeb/Page. The compiler for Swift would need minutes for so long a list of bytes.

#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../PoolWeb/Page/openapi.json"
};

static const unsigned char page_html[] = {
#embed "../PoolWeb/Page/page.html"
};

static const struct page_file files[] = {
    {"openapi.json", openapi_json, sizeof openapi_json},
    {"page.html", page_html, sizeof page_html},
};

unsigned page_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file page_file(unsigned number) { return files[number]; }
