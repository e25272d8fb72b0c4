import FoundationEssentials
import FoundationInternationalization

/// What the clocks on the walls of a place show.
package struct LocalClock {
    /// The name that stands for the zone of the machine that reads.
    static let ownName = "local"

    private let zone: TimeZone

    /// The clocks of a zone: ``ownName``, or a name such as `Europe/Paris`; nil for a name that no zone has.
    package init?(_ name: String) {
        guard let zone = name == Self.ownName ? TimeZone.current : TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// The moment at which these clocks show a date and time.
    ///
    /// In the hour that they show twice, it is the later one unless that has not come yet. In the hour that they leave
    /// out, the clock was not put forward yet.
    ///
    /// - Parameters:
    ///   - shown: The date and time, as if they were UTC.
    ///   - receivedAt: A moment that is not before it.
    /// - Returns: The moment.
    package func moment(showing shown: Timestamp, receivedAt: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000
        let offsets = [-day, day].map { offset(at: shown.advanced(byMilliseconds: $0)) }
        let candidates = offsets.map { shown.advanced(byMilliseconds: -$0) }
        let right = zip(offsets, candidates).filter { offset(at: $1) == $0 }.map(\.1).sorted()
        guard let last = right.last, let first = right.first else { return candidates[0] }
        return last <= receivedAt ? last : first
    }

    /// Whether they show UTC, in winter and in summer.
    package var isUTC: Bool {
        [1_768_435_200_000, 1_784_073_600_000].allSatisfy { offset(at: Timestamp(milliseconds: $0)) == 0 }
    }

    private func offset(at moment: Timestamp) -> Int64 {
        let date: Date = .init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        return Int64(zone.secondsFromGMT(for: date)) * 1000
    }
}
