public import Foundation
import SyncCore

/// A configuration that phone and watches share: small texts that people edit on all of them, also without a link.
///
/// Names, programs and shortcuts belong here. What an app shows belongs in the application context, which differs by watch;
/// these records are the same for all watches. It is not part of Apple's API.
///
/// The phone decides. An edit on a watch is shown there at once, is durable before ``change(_:)`` returns, and reaches the phone
/// when there is a link. If the value was changed meanwhile by somebody whom its author had not seen, the newer one is shown
/// everywhere, and the other one stays in ``conflicts`` until a person settles that: nothing that a person entered is lost
/// without a trace.
///
/// Each value belongs to a ``Key``, and only what a ``Rule`` of ``SessionSetup/records`` names is shared. The limits are 2,048
/// bytes for a value that watches may write and 16,384 bytes for others; 16 values in one change; 1,024 edits of a watch that
/// wait for the phone; 100 open conflicts, half of them divided among the watches, beyond which edits wait at their watches;
/// and 720,896 bytes for all values with their keys and stamps, about 300 bytes each beside the text.
///
/// All members may be used on any thread.
public struct SharedRecords: Sendable {
    /// What a value is called: a kind of record, one record of that kind, and a group of fields that change together.
    public struct Key: Hashable, Sendable {
        /// The kind, such as `lamp`; 1…64 bytes, not beginning with `sync.`.
        public var kind: String
        /// The record; a deleted record's identifier is never used again.
        public var record: UUID
        /// The group, such as `name`; 1…64 bytes.
        public var group: String

        /// Creates a key.
        public init(kind: String, record: UUID, group: String) {
            self.kind = kind
            self.record = record
            self.group = group
        }
    }

    /// What a rule is for: a kind of record and a group of its fields.
    public struct Name: Hashable, Sendable {
        /// The kind.
        public var kind: String
        /// The group.
        public var group: String

        /// Creates a name.
        public init(kind: String, group: String) {
            self.kind = kind
            self.group = group
        }
    }

    /// Who may write a value.
    public enum Writer: Hashable, Sendable {
        /// Only the phone.
        case phone
        /// The phone and every watch.
        case anyone
        /// The phone and the one watch that owns the record, ``SharedRecords/record(of:)``.
        case owner
    }

    /// The rule for the values with one name.
    public struct Rule: Hashable, Sendable {
        /// Who may write them.
        public var writer: Writer
        /// The record versions that have them; watches of other versions do not see them.
        public var versions: ClosedRange<UInt32>

        /// Creates a rule, by default for all versions.
        public init(_ writer: Writer, versions: ClosedRange<UInt32> = 0...UInt32.max) {
            self.writer = writer
            self.versions = versions
        }
    }

    /// Which watch may change which of the values that the rules let watches write; two are equal if they are the same one.
    ///
    /// An edit that its watch may not make changes nothing, and is in ``conflicts`` with the rule `readOnly`. What counts is what
    /// the watch may do when its edit reaches the phone.
    public struct Permission: Hashable, Sendable {
        /// Every watch may change every value.
        public static let all = Permission { _, _ in true }

        private final class Identity: Sendable {}

        private let mayChange: @Sendable (SessionWatch, Key) -> Bool
        private let identity = Identity()

        /// Creates a permission.
        ///
        /// - Parameter mayChange: Whether the watch may change the value; it is asked on a thread of the link, and must return
        ///   at once.
        public init(_ mayChange: @escaping @Sendable (SessionWatch, Key) -> Bool) { self.mayChange = mayChange }

        /// Whether a watch may change a value.
        public func allows(_ watch: SessionWatch, _ key: Key) -> Bool { mayChange(watch, key) }

        /// Whether both are the same one.
        public static func == (left: Permission, right: Permission) -> Bool { left.identity === right.identity }

        /// Hashes what tells it from others.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
    }

    /// A value as it is shown.
    public struct Value: Hashable, Sendable {
        /// The text.
        public var text: String
        /// Whether it was written on this watch, and the phone has not confirmed it yet; false on the phone.
        public var isPending: Bool

        /// Creates a value.
        public init(text: String, isPending: Bool = false) {
            self.text = text
            self.isPending = isPending
        }
    }

    /// A value that a person entered and that is not shown.
    public struct Conflict: Hashable, Sendable, Identifiable {
        /// The identity, for ``SharedRecords/settle(_:restoring:)``.
        public var id: UUID
        /// What it is a value of.
        public var key: Key
        /// The value that lost; nil for a deletion.
        public var lost: String?
        /// The value that stood when it lost; nil for none.
        public var stands: String?
        /// Who wrote the value that lost: a watch's name, or `phone`.
        public var author: String
        /// Why it lost, such as `newest`, `owner` or `deleted`.
        public var rule: String
    }

    /// What became of a change.
    public enum Outcome: Hashable, Sendable {
        /// It is durable here and shown; a watch sends it to the phone.
        case accepted
        /// Everything was as wished already.
        case unchanged
        /// Nothing was changed, for this reason.
        case refused(String)
    }

    let board: RecordsBoard

    init(_ board: RecordsBoard) {
        self.board = board
    }

    /// What is shown now: on a watch, what the phone sent last and this watch's own pending edits on top.
    public var values: [Key: Value] { board.contents.values }

    /// What lost and is not settled, oldest key first; the same on all devices that are linked.
    public var conflicts: [Conflict] { board.contents.conflicts }

    /// An element at once, and another one whenever ``values`` or ``conflicts`` may have changed; a slow reader gets one for
    /// several changes.
    ///
    /// Each use makes a stream of its own.
    public var changes: AsyncStream<Void> { board.signals.stream }

    /// Changes values, all or none of them; nil deletes a value.
    ///
    /// - Parameter wishes: At most 16 values.
    /// - Returns: The outcome. What was accepted is durable, and in ``values``.
    /// - Throws: ``SharedRecordsError``; nothing was changed then, as far as is known.
    @discardableResult
    public func change(_ wishes: [Key: String?]) async throws(SharedRecordsError) -> Outcome {
        let driver = try board.driver()
        if let fault = board.fault(of: wishes) { return .refused(fault) }
        let now = values
        guard wishes.contains(where: { now[$0.key]?.text != $0.value }) else { return .unchanged }
        let changes = wishes.map { CellChange(key: CellKey($0.key), value: $0.value) }.sorted { $0.key < $1.key }
        return try await driver.change(changes)
    }

    /// Settles a conflict: restores the value that lost together with its whole edit, or lets it go.
    ///
    /// - Throws: ``SharedRecordsError``.
    @discardableResult
    public func settle(_ conflict: Conflict.ID, restoring: Bool) async throws(SharedRecordsError) -> Outcome {
        try await board.driver().settle(RandomID(conflict), restoring: restoring)
    }

    /// The record that a watch owns, in every kind with the writer ``Writer/owner``.
    ///
    /// - Parameter watch: On a phone, the watch; a watch knows only its own record, whatever it asks for.
    /// - Returns: Nil if there is no such watch.
    public func record(of watch: SessionWatch.ID? = nil) -> UUID? {
        board.peerKey(of: watch).map { UUID(Schema.record(of: $0)) }
    }
}

/// Why records could not be changed.
@nonexhaustive
public enum SharedRecordsError: Error, Hashable, Sendable {
    /// ``SessionSetup/records`` names none.
    case noRules
    /// The process was not set up as a device, or its device has ended.
    case noDevice
    /// The watch is not paired with a phone.
    case notPaired
    /// The device ended before the change was durable; whether it is, is seen at the next start.
    case interrupted
}

extension SharedRecordsError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .noRules: "This app shares no records: name them in SessionSetup.records on both sides."
        case .noDevice:
            "This process is not set up as a device: call WCSession.setUp(_:), or set the environment variables."
        case .notPaired: "This watch is not paired with a phone: pair it first."
        case .interrupted: "The device ended before the change was stored: look at the values after the next start."
        }
    }
}

extension WCSession {
    /// The records that this app's phone and watches share; the rules are in ``SessionSetup/records``.
    ///
    /// It is not part of Apple's API.
    public static var records: SharedRecords {
        _ = WCSession.default
        return SharedRecords(SessionRegistry.current.records)
    }
}
