internal import CZeroMQ

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a socket or a file descriptor is ready for.
public struct PollEvents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A message, or a byte, can be received.
    public static let input = PollEvents(rawValue: 1)
    /// A message can be sent to at least one peer, or a byte can be sent.
    ///
    /// A ROUTER always reports this.
    public static let output = PollEvents(rawValue: 2)
    /// A file descriptor is broken; always reported, and only for file descriptors.
    public static let error = PollEvents(rawValue: 4)

    fileprivate init(_ events: Int16) {
        self.init(rawValue: UInt8(truncatingIfNeeded: events) & 7)
    }
}

/// Waits until one of several sockets and file descriptors is ready.
///
/// It belongs to the same thread as its sockets. It keeps the memory of a closed socket alive but not the socket:
/// remove closed sockets before the next wait, which traps otherwise. It does not own the file descriptors. Source:
/// zmq_poll(3).
@safe
public struct Poller {
    /// A socket or file descriptor in its poller.
    public struct Item: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let item: Item
        let target: Target
        var events: PollEvents
        var ready: PollEvents = []
    }

    private enum Target {
        case socket(SocketHandle)
        case fileDescriptor(Int32)
    }

    private var entries: [Entry] = []
    private var nextNumber = 0
    /// The array for libzmq; filled again for each wait, and kept to reuse its memory.
    private var polled: [zmq_pollitem_t] = unsafe []

    /// Creates a poller without items.
    public init() {}

    /// Adds a socket.
    public mutating func add(_ socket: borrowing Socket, for events: PollEvents) -> Item {
        add(.socket(socket.handle), events)
    }

    /// Adds a file descriptor; the caller keeps it open until it is removed.
    public mutating func add(fileDescriptor: Int32, for events: PollEvents) -> Item {
        add(.fileDescriptor(fileDescriptor), events)
    }

    /// Changes the awaited events; an empty set pauses the item.
    public mutating func setEvents(_ events: PollEvents, of item: Item) {
        entries[index(of: item)].events = events
    }

    /// Removes a socket or file descriptor.
    public mutating func remove(_ item: Item) {
        entries.remove(at: index(of: item))
    }

    /// Waits until an item is ready, and returns the number of ready items; 0 after the timeout.
    ///
    /// Signals do not end the wait early. Afterwards, the subscript returns the events of an item.
    ///
    /// - Parameter timeout: The longest wait, rounded up to milliseconds, at most 24 days; zero returns at once, nil
    ///   waits without limit.
    /// - Returns: The number of items that are ready.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public mutating func wait(timeout: Duration?) throws(ZeroMQError) -> Int {
        precondition(timeout != nil || !entries.isEmpty, "an empty poller would wait indefinitely")
        fillPolled()
        // Most waits need no clock: those that return at once, and those without a timeout.
        let clock = ContinuousClock()
        let longest = timeout.map { max(.zero, min($0, .milliseconds(Int32.max))) }
        let deadline = longest.flatMap { $0 > .zero ? clock.now + $0 : nil }
        var rest = longest
        while true {
            if let count = try poll(rest) {
                for index in entries.indices {
                    entries[index].ready = PollEvents(unsafe polled[index].revents)
                }
                return count
            }
            if let deadline { rest = max(clock.now.duration(to: deadline), .zero) }
        }
    }

    /// The events for which an item was ready when the last wait ended.
    public subscript(item: Item) -> PollEvents {
        entries[index(of: item)].ready
    }

    private mutating func fillPolled() {
        unsafe polled.removeAll(keepingCapacity: true)
        for entry in entries {
            var polledItem = unsafe zmq_pollitem_t()
            unsafe polledItem.events = Int16(entry.events.rawValue)
            switch entry.target {
            case .socket(let handle): unsafe polledItem.socket = handle.pointer
            case .fileDescriptor(let number): unsafe polledItem.fd = number
            }
            unsafe polled.append(polledItem)
        }
    }

    /// Polls once; nil if a signal interrupted it.
    private mutating func poll(_ timeout: Duration?) throws(ZeroMQError) -> Int? {
        let milliseconds = timeout.map { Int($0.milliseconds ?? .max) } ?? -1
        let result = unsafe zmq_poll(&polled, Int32(polled.count), milliseconds)
        if result >= 0 { return Int(result) }
        let number = zmq_errno()
        if number == EINTR { return nil }
        throw failure(of: "zmq_poll", on: "\(entries.count) items", number)
    }

    private mutating func add(_ target: Target, _ events: PollEvents) -> Item {
        let item = Item(number: nextNumber)
        nextNumber += 1
        entries.append(Entry(item: item, target: target, events: events))
        return item
    }

    private func index(of item: Item) -> Int {
        guard let index = entries.firstIndex(where: { $0.item == item }) else {
            preconditionFailure("the item was removed from this poller, or belongs to another")
        }
        return index
    }
}

// A poller calls its sockets, which are not thread-safe.
@available(*, unavailable)
extension Poller: Sendable {}
