#ifndef C_SHARED_USE_H
#define C_SHARED_USE_H

/// The objects that Foundation gives to all code of a process.
enum shared_object {
    shared_user_defaults = 0,
    shared_notification_center = 1,
};

/// Calls a function each time when code outside of Foundation takes `UserDefaults.standard` or `NotificationCenter.default`.
///
/// It is called on the thread of that code, before the code gets the object. There is one such function in a process.
void shared_use_observe(void (*_Nonnull observer)(int object));

#endif
