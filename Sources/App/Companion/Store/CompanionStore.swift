import Platform
public import WatchConnectivity

/// What a host remembers across restarts: the commands that it performed, what each watch may do, and what arrived and was
/// not taken yet.
///
/// A change is durable when its call returns. One host at a time uses a store. All members may be called on any thread.
public final class CompanionStore: Sendable {
    private struct State: Sendable {
        var commands: CommandLog
        var grants: GrantTable
        var inbox: Inbox
    }

    private let storage: any CompanionStorage
    private let state: Lock<State>

    /// Reads a storage.
    ///
    /// - Throws: The storage's error.
    public init(_ storage: any CompanionStorage) throws {
        self.storage = storage
        let map = try storage.read()
        state = Lock(State(commands: CommandLog(map), grants: GrantTable(map), inbox: Inbox(map)))
    }

    /// Changes the state when the change is durable.
    private func change<Result: Sendable>(
        _ body: (inout State) -> (Result, [(key: String, value: [UInt8]?)])
    ) throws -> Result {
        try state.withLock { state in
            var next = state
            let (result, changes) = body(&next)
            if !changes.isEmpty { try storage.write(changes) }
            state = next
            return result
        }
    }

    // MARK: - Grants

    /// What was decided for a watch; nil for the app's first grants.
    public func grants(of watch: SessionWatch) -> Grants? { state.withLock { $0.grants.grants(of: watch) } }

    /// Decides what a watch may do; nil gives it the app's first grants again.
    ///
    /// A running host learns it with ``PhoneHost/setGrants(_:of:)`` only.
    ///
    /// - Throws: The storage's error; nothing is changed then.
    public func setGrants(_ grants: Grants?, of watch: SessionWatch) throws {
        try change { ((), $0.grants.set(grants, of: watch)) }
    }

    /// Forgets the watches that are gone.
    func keep(only watches: [SessionWatch]) throws {
        try change { state in
            let gone = state.inbox.devices.subtracting(watches.map(\.id)).sorted()
            return ((), state.grants.keep(only: watches) + gone.flatMap { state.inbox.forget($0) })
        }
    }

    // MARK: - Commands

    func entry(of id: CommandID) -> CommandLog.Entry? { state.withLock { $0.commands.entry(of: id) } }

    func begin(_ id: CommandID, at milliseconds: Int64) throws {
        try change { ((), $0.commands.begin(id, at: milliseconds)) }
    }

    func keep(_ reply: [UInt8], to id: CommandID) throws {
        try change { ((), $0.commands.keep(reply, to: id)) }
    }

    // MARK: - Arrivals

    func waiting(from device: String) -> [(number: UInt64, item: Inbox.Item)] {
        state.withLock { $0.inbox.waiting(from: device) }
    }

    /// Takes something in; returns its number, nil if it arrived before.
    func add(_ item: Inbox.Item, from device: String) throws -> UInt64? {
        try change { state in
            guard !state.inbox.knows(Array(item.id), from: device) else { return (nil, []) }
            let (number, changes) = state.inbox.add(item, from: device)
            return (number, changes)
        }
    }

    func remove(_ number: UInt64, from device: String) throws {
        try change { ((), $0.inbox.remove(number, from: device)) }
    }
}
