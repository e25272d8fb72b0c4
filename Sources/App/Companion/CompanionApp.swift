public import WatchConnectivity

/// What one app's phone and watch say to each other: five types, a name and a version.
///
/// Phone and watch are two processes of one app, which compile the same type. Values travel as JSON, so the types are plain
/// values; a member that is added later is optional.
public protocol CompanionApp: Sendable {
    /// What a watch shows; the newest one replaces all earlier ones. At most 262,144 bytes as JSON.
    associatedtype View: Codable & Sendable & Equatable
    /// What a watch wants done now; never queued. At most 65,024 bytes as JSON.
    associatedtype Command: Codable & Sendable
    /// The answer to a command. At most 65,024 bytes as JSON.
    associatedtype Reply: Codable & Sendable
    /// What must not be lost, in both directions: queued, in order. At most 65,024 bytes as JSON.
    associatedtype Event: Codable & Sendable
    /// What is known of a file beside its contents. At most 65,024 bytes as JSON.
    associatedtype FileInfo: Codable & Sendable

    /// The app's name, 1…64 of `a`…`z`, `0`…`9` and full stops; devices of another app are refused at pairing.
    static var name: String { get }
    /// The version of the five types, from 1; raise it when an older program could no longer read them.
    static var version: Int { get }
    /// What a new watch may do until the phone says otherwise; nothing by default.
    static var firstGrants: Grants { get }
    /// The grant without which the host refuses a command; nil, the default, for commands that every watch may send.
    static func grant(toPerform command: Command) -> String?
    /// Whether a command changes nothing, so that it may be performed again if it comes again; false by default.
    ///
    /// Of such a command the phone keeps neither that it came nor its reply, which may be secret.
    static func isRepeatable(_ command: Command) -> Bool
    /// The grant without which the phone does not take an edit of a shared record; nil, the default, for values that every
    /// watch may edit.
    static func grant(toChange name: SharedRecords.Name) -> String?
    /// The grant without which a watch does not get an event that goes to all; nil, the default, for everybody.
    static func grant(toSee event: Event) -> String?
}

extension CompanionApp {
    /// Nothing.
    public static var firstGrants: Grants { Grants() }

    /// Nil.
    public static func grant(toPerform command: Command) -> String? { nil }

    /// False.
    public static func isRepeatable(_ command: Command) -> Bool { false }

    /// Nil.
    public static func grant(toChange name: SharedRecords.Name) -> String? { nil }

    /// Nil.
    public static func grant(toSee event: Event) -> String? { nil }
}

/// What a watch may do.
public struct Grants: Hashable, Codable, Sendable {
    /// The names of the grants, such as `lamps.switch`.
    public var names: Set<String>
    /// Whom the watch stands for in the app, such as a person; nil for nobody.
    public var subject: String?

    /// Creates a set of grants.
    public init(_ names: Set<String> = [], subject: String? = nil) {
        self.names = names
        self.subject = subject
    }

    /// Whether a grant is among them; true if none is needed.
    public func allow(_ name: String?) -> Bool { name.map(names.contains) ?? true }
}
