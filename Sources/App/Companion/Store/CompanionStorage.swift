import Platform

/// A durable map from texts to bytes, in which a host keeps what must survive the end of its process.
public protocol CompanionStorage: Sendable {
    /// The whole map.
    func read() throws -> [String: [UInt8]]
    /// Applies changes in their order, nil removes a key: all of them or none, durable when it returns.
    func write(_ changes: [(key: String, value: [UInt8]?)]) throws
}

/// A map in memory, for tests: it outlives a host, as a disk does, but not the process.
public final class MemoryStorage: CompanionStorage {
    private let map = Lock<[String: [UInt8]]>([:])

    /// Creates an empty map.
    public init() {}

    /// The whole map.
    public func read() -> [String: [UInt8]] { map.withLock(\.self) }

    /// Applies changes.
    public func write(_ changes: [(key: String, value: [UInt8]?)]) {
        map.withLock { map in
            for (key, value) in changes { map[key] = value }
        }
    }
}
