/// Who does something: an account of the page, a watch, or the command line.
package struct Author: Hashable, Sendable {
    /// The name of the account or of the watch, or `command line`.
    package var who: String
    /// The identity of the watch; nil for others.
    package var watch: String?

    package init(_ who: String, watch: String? = nil) {
        self.who = who
        self.watch = watch
    }

    /// The command line on the phone's machine.
    package static let commandLine = Author("command line")
}

/// What the log notes (IMT34).
package enum AuditAction: String, CaseIterable, Codable, Hashable, Sendable {
    case add, edit, view, send, recall, delete, erase, export, consent, backup, restore, grant
}

/// An entry of the log: no name of a patient is in it, so that it can stay after an erase.
package struct AuditEntry: Hashable, Codable, Sendable {
    package var number: Int64
    package var at: String
    package var who: String
    package var watch: String?
    package var action: String
    /// The id of what it is about.
    package var subject: String
    package var detail: String
}
