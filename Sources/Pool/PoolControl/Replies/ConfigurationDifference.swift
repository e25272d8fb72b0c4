/// A difference between two revisions of the configuration.
package struct ConfigurationDifference: Hashable, Codable, Sendable {
    /// What differs, such as `name of the device "Lagoon"`.
    package var subject: String
    /// The value at the first revision; nil if it does not exist there.
    package var before: String?
    /// The value at the second revision; nil if it does not exist there.
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
