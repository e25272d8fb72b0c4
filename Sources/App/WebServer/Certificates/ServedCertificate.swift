package import Text

/// The certificate with which the page is served.
package struct ServedCertificate: Sendable {
    /// The command of the page.
    package var command: String
    /// The hosts that it is for.
    package var hosts: [String]
    /// When it ends.
    package var end: Timestamp

    /// Describes a certificate.
    package init(command: String, hosts: [String], end: Timestamp) {
        self.command = command
        self.hosts = hosts
        self.end = end
    }

    /// How long before its end a warning is shown, in milliseconds: 30 days.
    private static let warningMilliseconds: Int64 = 30 * 86_400_000

    /// Whether it ends soon, or has ended.
    package func isEnding(at now: Timestamp) -> Bool { end.milliseconds(since: now) <= Self.warningMilliseconds }

    /// The command that makes the next one, for the same hosts.
    package var renewal: String { "\(command) certificate" + hosts.map { " --host \($0)" }.joined() }

    /// The warning for the terminal; nil if it does not end soon.
    package func warning(at now: Timestamp) -> String? {
        guard isEnding(at: now) else { return nil }
        return "the certificate \(end <= now ? "ended" : "ends") at \(end.iso8601): make another one with "
            + "`\(renewal)`, then start the page again"
    }
}
