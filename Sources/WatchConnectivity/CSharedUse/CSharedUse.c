// Functions with the names of two getters of Foundation, which the linker finds first: they tell of the call, then call
// Foundation's own. They are weak, so that a program into which Foundation is linked statically has Foundation's, and nothing is
// told. If Foundation renamed its getters, nothing would be told either; a test looks for that.
#define _GNU_SOURCE
#include "CSharedUse.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

typedef SWIFT_CALL void *(*getter)(SWIFT_SELF void *);

static _Atomic(void (*)(int)) known_observer;

void shared_use_observe(void (*observer)(int object)) { atomic_store(&known_observer, observer); }

// Foundation uses the objects itself, whatever the app does.
static int is_foundation(void *caller) {
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "libFoundation") != NULL;
}

static void tell(enum shared_object object, void *caller) {
    void (*observer)(int) = atomic_load(&known_observer);
    if (observer != NULL && !is_foundation(caller)) observer(object);
}

#define USER_DEFAULTS "$s10Foundation12UserDefaultsC8standardACvgZ"
#define NOTIFICATION_CENTER "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ"

SWIFT_CALL void *shared_use_user_defaults(SWIFT_SELF void *self) __asm__(USER_DEFAULTS) __attribute__((weak));
SWIFT_CALL void *shared_use_notification_center(SWIFT_SELF void *self) __asm__(NOTIFICATION_CENTER) __attribute__((weak));

SWIFT_CALL void *shared_use_user_defaults(SWIFT_SELF void *self) {
    static _Atomic(void *) original;
    if (atomic_load(&original) == NULL) atomic_store(&original, dlsym(RTLD_NEXT, USER_DEFAULTS));
    tell(shared_user_defaults, __builtin_return_address(0));
    return ((getter)atomic_load(&original))(self);
}

SWIFT_CALL void *shared_use_notification_center(SWIFT_SELF void *self) {
    static _Atomic(void *) original;
    if (atomic_load(&original) == NULL) atomic_store(&original, dlsym(RTLD_NEXT, NOTIFICATION_CENTER));
    tell(shared_notification_center, __builtin_return_address(0));
    return ((getter)atomic_load(&original))(self);
}
