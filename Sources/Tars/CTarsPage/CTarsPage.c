// The files of the page, as they stand in Page. The compiler for Swift would need minutes for so long a list of bytes.

#include "CTarsPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon_svg[] = {
#embed "Page/icon.svg"
};

static const unsigned char kit_js[] = {
#embed "Page/kit.js"
};

static const unsigned char openapi_json[] = {
#embed "Page/openapi.json"
};

static const unsigned char page_css[] = {
#embed "Page/page.css"
};

static const unsigned char page_html[] = {
#embed "Page/page.html"
};

static const unsigned char page_js[] = {
#embed "Page/page.js"
};

static const unsigned char store_js[] = {
#embed "Page/store.js"
};

static const unsigned char words_js[] = {
#embed "Page/words.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("icon.svg", icon_svg),
    FILE("kit.js", kit_js),
    FILE("openapi.json", openapi_json),
    FILE("page.css", page_css),
    FILE("page.html", page_html),
    FILE("page.js", page_js),
    FILE("store.js", store_js),
    FILE("words.js", words_js),
};

unsigned tars_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file tars_page_file(unsigned number) { return files[number]; }
