/// The calibrations of one quantity of one device; each is valid until the next one begins.
public struct CalibrationSeries: Codable, Hashable, Sendable {
    /// The calibrations, sorted by ``Calibration/validFrom``, which is unique; at most ``countMax``.
    public private(set) var versions: [Calibration]

    /// The most calibrations that are kept: one per fortnight for two years.
    public static let countMax = 52

    /// Creates a series; of calibrations that begin at the same time, the last one counts.
    public init(_ versions: [Calibration] = []) {
        var sorted: [Calibration] = []
        for version in versions.sorted(by: { $0.validFrom < $1.validFrom }) {
            if sorted.last?.validFrom == version.validFrom { sorted.removeLast() }
            sorted.append(version)
        }
        self.versions = sorted
    }

    /// The calibration that is valid for a sample of this time; nil before the first one.
    public func calibration(at moment: Timestamp) -> Calibration? { versions.last { $0.validFrom <= moment } }

    /// The corrected value for a raw one sampled at this time; the raw value if no calibration is valid.
    public func corrected(_ raw: Double, sampledAt moment: Timestamp) -> Double {
        calibration(at: moment)?.corrected(raw) ?? raw
    }
}

extension CalibrationSeries {
    /// Reads a series in any order.
    ///
    /// Two calibrations that begin at the same time are an error, because one of them would be lost.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let stored = try container.decode([Calibration].self, forKey: .versions)
        self.init(stored)
        guard versions.count == stored.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .versions, in: container,
                debugDescription: "Two calibrations begin at the same moment: remove one of them.")
        }
    }
}
