/// The release of PoolSensors.
public enum Release {
    /// The version, as in `poolsensors --version`, announcements and web requests; see semver.org.
    public static let version = "0.1.0"
}
