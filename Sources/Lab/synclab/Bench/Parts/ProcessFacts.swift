import CommandSupport
import Foundation

/// Facts about this process from the system.
enum ProcessFacts {
    /// The processor time that all its threads have spent, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        #if canImport(Glibc)
            let who = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let who = RUSAGE_SELF
        #endif
        // The call fills a structure of the type that it expects.
        _ = unsafe getrusage(who, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Its private memory, in bytes.
    ///
    /// - Throws: ``CommandFailure`` if the system does not report it.
    static func byteCount() throws -> Int {
        // Linux: "RssAnon:     1234 kB".
        guard let status = FileManager.default.contents(atPath: "/proc/self/status"),
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
                .first(where: { $0.hasPrefix("RssAnon:") }),
            let count = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw CommandFailure("this system does not tell how much memory a process holds") }
        return count * 1024
    }

    /// The present time, in seconds of a monotonic clock.
    static var now: Double {
        var time = timespec()
        // The call fills a structure of the type that it expects.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
