#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(FoundationInternationalization)
    import FoundationInternationalization
#endif

/// The local time of a time zone.
package struct LocalClock {
    /// The name for the zone of the machine that runs this.
    package static let ownName = "local"

    private let zone: TimeZone

    /// The local time of a zone: ``ownName``, or a name such as `Europe/Paris`; nil for an unknown name.
    package init?(_ name: String) {
        guard let zone = name == Self.ownName ? TimeZone.current : TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// The point in time of a local date and time.
    ///
    /// In the hour that occurs twice, it is the later one unless that is in the future. In the hour that is skipped,
    /// the clock counts as not yet put forward.
    ///
    /// - Parameters:
    ///   - shown: The local date and time, as if it were UTC.
    ///   - receivedAt: A time that is not before it.
    /// - Returns: The point in time.
    package func moment(showing shown: Timestamp, receivedAt: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000
        let offsets = [-day, day].map { offset(at: shown.advanced(byMilliseconds: $0)) }
        let candidates = offsets.map { shown.advanced(byMilliseconds: -$0) }
        let right = zip(offsets, candidates).filter { offset(at: $1) == $0 }.map(\.1).sorted()
        guard let last = right.last, let first = right.first else { return candidates[0] }
        return last <= receivedAt ? last : first
    }

    /// Whether the zone is UTC in winter and in summer.
    package var isUTC: Bool {
        [1_768_435_200_000, 1_784_073_600_000].allSatisfy { offset(at: Timestamp(milliseconds: $0)) == 0 }
    }

    private func offset(at moment: Timestamp) -> Int64 {
        let date: Date = .init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        return Int64(zone.secondsFromGMT(for: date)) * 1000
    }
}
