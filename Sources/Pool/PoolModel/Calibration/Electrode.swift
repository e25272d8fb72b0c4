/// The ideal pH electrode.
public enum Electrode {
    /// The slope of an electrode in percent of the ideal one, if its raw values were computed with the ideal slope.
    public static func efficiency(ofSlope slope: Double) -> Double { 100 / slope }
}
