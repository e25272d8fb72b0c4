// The files of the page, as they stand in PoolWeb/Page. The compiler for Swift would need minutes for so long a list of bytes.

#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char alerts_js[] = {
#embed "../PoolWeb/Page/alerts.js"
};

static const unsigned char calibration_js[] = {
#embed "../PoolWeb/Page/calibration.js"
};

static const unsigned char channels_js[] = {
#embed "../PoolWeb/Page/channels.js"
};

static const unsigned char chart_js[] = {
#embed "../PoolWeb/Page/chart.js"
};

static const unsigned char device_js[] = {
#embed "../PoolWeb/Page/device.js"
};

static const unsigned char found_js[] = {
#embed "../PoolWeb/Page/found.js"
};

static const unsigned char house_js[] = {
#embed "../PoolWeb/Page/house.js"
};

static const unsigned char icon_svg[] = {
#embed "../PoolWeb/Page/icon.svg"
};

static const unsigned char keeping_js[] = {
#embed "../PoolWeb/Page/keeping.js"
};

static const unsigned char kit_js[] = {
#embed "../PoolWeb/Page/kit.js"
};

static const unsigned char lazy_js[] = {
#embed "../PoolWeb/Page/lazy.js"
};

static const unsigned char limits_js[] = {
#embed "../PoolWeb/Page/limits.js"
};

static const unsigned char live_js[] = {
#embed "../PoolWeb/Page/live.js"
};

static const unsigned char loads_js[] = {
#embed "../PoolWeb/Page/loads.js"
};

static const unsigned char manifest_webmanifest[] = {
#embed "../PoolWeb/Page/manifest.webmanifest"
};

static const unsigned char openapi_json[] = {
#embed "../PoolWeb/Page/openapi.json"
};

static const unsigned char owner_js[] = {
#embed "../PoolWeb/Page/owner.js"
};

static const unsigned char page_css[] = {
#embed "../PoolWeb/Page/page.css"
};

static const unsigned char page_html[] = {
#embed "../PoolWeb/Page/page.html"
};

static const unsigned char page_js[] = {
#embed "../PoolWeb/Page/page.js"
};

static const unsigned char people_js[] = {
#embed "../PoolWeb/Page/people.js"
};

static const unsigned char pools_js[] = {
#embed "../PoolWeb/Page/pools.js"
};

static const unsigned char servers_js[] = {
#embed "../PoolWeb/Page/servers.js"
};

static const unsigned char store_js[] = {
#embed "../PoolWeb/Page/store.js"
};

static const unsigned char water_js[] = {
#embed "../PoolWeb/Page/water.js"
};

static const unsigned char words_js[] = {
#embed "../PoolWeb/Page/words.js"
};

static const unsigned char worker_js[] = {
#embed "../PoolWeb/Page/worker.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("alerts.js", alerts_js),
    FILE("calibration.js", calibration_js),
    FILE("channels.js", channels_js),
    FILE("chart.js", chart_js),
    FILE("device.js", device_js),
    FILE("found.js", found_js),
    FILE("house.js", house_js),
    FILE("icon.svg", icon_svg),
    FILE("keeping.js", keeping_js),
    FILE("kit.js", kit_js),
    FILE("lazy.js", lazy_js),
    FILE("limits.js", limits_js),
    FILE("live.js", live_js),
    FILE("loads.js", loads_js),
    FILE("manifest.webmanifest", manifest_webmanifest),
    FILE("openapi.json", openapi_json),
    FILE("owner.js", owner_js),
    FILE("page.css", page_css),
    FILE("page.html", page_html),
    FILE("page.js", page_js),
    FILE("people.js", people_js),
    FILE("pools.js", pools_js),
    FILE("servers.js", servers_js),
    FILE("store.js", store_js),
    FILE("water.js", water_js),
    FILE("words.js", words_js),
    FILE("worker.js", worker_js),
};

unsigned page_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file page_file(unsigned number) { return files[number]; }
