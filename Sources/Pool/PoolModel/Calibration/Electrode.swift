/// Electrodes, whose condition a calibration tells.
public enum Electrode {
    /// What an electrode measures.
    package enum Kind: Hashable, Sendable {
        case ph
        case redox
    }

    /// The slope of a pH electrode in percent of the ideal one, if its raw values were computed with the ideal slope.
    public static func efficiency(ofSlope slope: Double) -> Double { 100 / slope }
}
