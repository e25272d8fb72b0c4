// What all pages have in common, as it stands in Page. The compiler for Swift would need minutes for so long a list
// of bytes.

#include "CPageKit.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "Page/api.js"
};

static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};

static const unsigned char form_js[] = {
#embed "Page/form.js"
};

static const unsigned char login_js[] = {
#embed "Page/login.js"
};

static const unsigned char components_json[] = {
#embed "Page/components.json"
};

static const unsigned char schemas_json[] = {
#embed "Page/schemas.json"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("api.js", api_js),
    FILE("components.json", components_json),
    FILE("dom.js", dom_js),
    FILE("form.js", form_js),
    FILE("login.js", login_js),
    FILE("schemas.json", schemas_json),
};

unsigned page_kit_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file page_kit_file(unsigned number) { return files[number]; }
