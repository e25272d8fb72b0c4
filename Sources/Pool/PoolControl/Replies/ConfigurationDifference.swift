/// Something of the configuration that is not the same at two revisions.
package struct ConfigurationDifference: Hashable, Codable, Sendable {
    /// What, such as `name of the device "Lagoon"`.
    package var subject: String
    /// What it is at the first revision, nil if it is not there.
    package var before: String?
    /// What it is at the second revision, nil if it is not there.
    package var after: String?

    /// Creates a configuration difference.
    package init(
        subject: String, before: String? = nil, after: String? = nil
    ) {
        self.subject = subject
        self.before = before
        self.after = after
    }
}
