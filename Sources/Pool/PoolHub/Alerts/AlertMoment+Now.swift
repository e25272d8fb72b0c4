import Platform
import PoolAlerts
import PoolModel
import SyncCore
import SyncTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension AlertMoment {
    /// What the clocks of this machine show.
    ///
    /// The monotonic one counts while the machine sleeps, and begins anew with each boot, which has a name of its own.
    static var now: AlertMoment {
        let moment = Moment.now
        return AlertMoment(
            wall: Timestamp(milliseconds: moment.wallMilliseconds),
            uptimeMilliseconds: moment.monotonic.nanoseconds / 1_000_000, bootID: bootID,
            utcOffsetSeconds: utcOffset(atSecond: moment.wallMilliseconds / 1000))
    }

    /// The name of this run of the machine: 0 where the system does not tell, so that it looks like one long run.
    private static let bootID: UInt64 = {
        let path = "/proc/sys/kernel/random/boot_id"
        return FileManager.default.contents(atPath: path).map { ReadingKey.hash(of: Array($0)) } ?? 0
    }()

    private static func utcOffset(atSecond second: Int64) -> Int {
        var time = time_t(second)
        var local = unsafe tm()
        guard unsafe localtime_r(&time, &local) != nil else { return 0 }
        return unsafe Int(local.tm_gmtoff)
    }
}
