/// Which release of PoolSensors this is.
public enum Release {
    /// The version, as `poolsensors --version` prints it and as announcements and web requests carry it; see semver.org.
    public static let version = "0.1.0-dev"
}
