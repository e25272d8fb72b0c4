/// Something of the configuration that is not the same at two revisions.
public struct ConfigurationDifference: Hashable, Codable, Sendable {
    /// What, such as `name of the device "Lagoon"`.
    public var subject: String
    /// What it is at the first revision, nil if it is not there.
    public var before: String?
    /// What it is at the second revision, nil if it is not there.
    public var after: String?
}
