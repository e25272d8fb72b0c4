// The migrations and the files of the page, as they stand in RidesServer.

#include "CRides.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char tables_sql[] = {
#embed "../RidesServer/Migrations/0001-tables.sql"
};

static const unsigned char rides_sql[] = {
#embed "../RidesServer/Migrations/0002-rides.sql"
};

static const unsigned char roles_sql[] = {
#embed "../RidesServer/Migrations/0003-roles.sql"
};

static const unsigned char policies_sql[] = {
#embed "../RidesServer/Migrations/0004-policies.sql"
};

static const unsigned char reasons_sql[] = {
#embed "../RidesServer/Migrations/0005-reasons.sql"
};

static const unsigned char commands_sql[] = {
#embed "../RidesServer/Migrations/0006-commands.sql"
};

static const unsigned char openapi_json[] = {
#embed "../RidesServer/Page/openapi.json"
};

static const unsigned char page_css[] = {
#embed "../RidesServer/Page/page.css"
};

static const unsigned char page_html[] = {
#embed "../RidesServer/Page/page.html"
};

static const unsigned char page_js[] = {
#embed "../RidesServer/Page/page.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("0001-tables.sql", tables_sql), FILE("0002-rides.sql", rides_sql), FILE("0003-roles.sql", roles_sql),
    FILE("0004-policies.sql", policies_sql), FILE("0005-reasons.sql", reasons_sql),
    FILE("0006-commands.sql", commands_sql), FILE("openapi.json", openapi_json), FILE("page.css", page_css), FILE("page.html", page_html), FILE("page.js", page_js),
};

unsigned rides_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file rides_file(unsigned number) { return files[number]; }
