// The files of the page, as they stand in ImtPage/Page.

#include "CImtPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "../ImtPage/Page/api.js"
};

static const unsigned char camera_js[] = {
#embed "../ImtPage/Page/camera.js"
};

static const unsigned char compare_js[] = {
#embed "../ImtPage/Page/compare.js"
};

static const unsigned char dom_js[] = {
#embed "../ImtPage/Page/dom.js"
};

static const unsigned char exif_js[] = {
#embed "../ImtPage/Page/exif.js"
};

static const unsigned char eyes_js[] = {
#embed "../ImtPage/Page/eyes.js"
};

static const unsigned char folds_js[] = {
#embed "../ImtPage/Page/folds.js"
};

static const unsigned char icon_svg[] = {
#embed "../ImtPage/Page/icon.svg"
};

static const unsigned char intake_js[] = {
#embed "../ImtPage/Page/intake.js"
};

static const unsigned char list_js[] = {
#embed "../ImtPage/Page/list.js"
};

static const unsigned char login_js[] = {
#embed "../ImtPage/Page/login.js"
};

static const unsigned char log_js[] = {
#embed "../ImtPage/Page/log.js"
};

static const unsigned char page_css[] = {
#embed "../ImtPage/Page/page.css"
};

static const unsigned char page_html[] = {
#embed "../ImtPage/Page/page.html"
};

static const unsigned char page_js[] = {
#embed "../ImtPage/Page/page.js"
};

static const unsigned char patient_js[] = {
#embed "../ImtPage/Page/patient.js"
};

static const unsigned char words_js[] = {
#embed "../ImtPage/Page/words.js"
};

#define FILE_OF(name, bytes) { name, bytes, sizeof bytes }

static const struct page_file files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("camera.js", camera_js),
    FILE_OF("compare.js", compare_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("exif.js", exif_js),
    FILE_OF("eyes.js", eyes_js),
    FILE_OF("folds.js", folds_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("intake.js", intake_js),
    FILE_OF("list.js", list_js),
    FILE_OF("login.js", login_js),
    FILE_OF("log.js", log_js),
    FILE_OF("page.css", page_css),
    FILE_OF("page.html", page_html),
    FILE_OF("page.js", page_js),
    FILE_OF("patient.js", patient_js),
    FILE_OF("words.js", words_js),
};

unsigned imt_page_file_count(void) { return sizeof files / sizeof *files; }

struct page_file imt_page_file(unsigned number) { return files[number]; }
