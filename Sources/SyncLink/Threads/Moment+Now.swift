public import SyncCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Moment {
    /// What the clocks show now: the monotonic one does not count the time that the machine sleeps.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC)),
            wallMilliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000)
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
