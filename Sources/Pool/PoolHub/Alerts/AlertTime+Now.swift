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

extension AlertTime {
    /// The time of this machine's clocks.
    ///
    /// The monotonic clock counts while the machine sleeps. It starts at zero with each boot, which the boot id
    /// identifies.
    static var now: AlertTime {
        let moment = Moment.now
        return AlertTime(
            wall: Timestamp(milliseconds: moment.wallMilliseconds),
            uptimeMilliseconds: moment.monotonic.nanoseconds / 1_000_000, bootID: bootID,
            utcOffsetSeconds: utcOffset(atSecond: moment.wallMilliseconds / 1000))
    }

    /// The identity of this boot; 0 on systems that have none, so that all boots count as one.
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
