public import Primitives
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Moment {
    /// The present time.
    ///
    /// The monotonic clock includes the time in which the machine sleeps, because values age meanwhile.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(of: steadyClock)),
            wallMilliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000 + WallClockOffset.milliseconds)
    }

    #if os(Linux)
        // Linux's CLOCK_MONOTONIC stops while the machine sleeps.
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

extension Timestamp {
    /// What the wall clock shows.
    public static var now: Timestamp { Timestamp(milliseconds: Moment.now.wallMilliseconds) }
}

/// How far this process's wall clock is off on purpose, so that tests can have devices whose clocks differ.
package enum WallClockOffset {
    private static let offset = Atomic<Int64>(0)

    /// The milliseconds that are added to what the system's wall clock shows; 0 unless a test says otherwise.
    package static var milliseconds: Int64 {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}
