public import SyncCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Moment {
    /// What the clocks show now; the monotonic one goes on while the machine sleeps, since values age meanwhile.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(of: steadyClock)),
            wallMilliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000 + WallClockOffset.milliseconds)
    }

    #if os(Linux)
        // Linux's CLOCK_MONOTONIC stops in its sleep.
        private static var steadyClock: clockid_t { CLOCK_BOOTTIME }
    #else
        private static var steadyClock: clockid_t { CLOCK_MONOTONIC }
    #endif

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
