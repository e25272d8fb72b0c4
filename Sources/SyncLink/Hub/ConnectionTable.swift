import SyncCore
import ZeroMQ

/// The connections that messages came through, so that those can be closed that the engine wants closed.
struct ConnectionTable {
    /// The closed connections that are remembered, since libzmq may have messages of them still.
    private static let closedCountMax = 4096

    /// By the name of the connection.
    private var lines: [ConnectionID: PeerConnection] = [:]
    /// Which connection has a file descriptor: there are no more of them than the process has.
    private var names: [Int32: ConnectionID] = [:]
    private var closed: Set<ConnectionID> = []
    /// The same in the order of their ends.
    private var closedInOrder: [ConnectionID] = []

    /// A message came through a connection; false if that is closed, and the message is nobody's.
    mutating func note(_ name: ConnectionID, _ fileDescriptor: Int32?) -> Bool {
        guard !closed.contains(name) else { return false }
        guard let fileDescriptor, names[fileDescriptor] != name,
            let line = PeerConnection(fileDescriptor: fileDescriptor)
        else { return true }
        if let earlier = names[fileDescriptor] {
            // It has the descriptor still, so the message was read before it had.
            guard lines[earlier] != line else { return true }
            lines[earlier] = nil
        }
        names[fileDescriptor] = name
        lines[name] = line
        return true
    }

    /// Ends a connection.
    mutating func end(_ name: ConnectionID) {
        lines.removeValue(forKey: name)?.end()
        // A name that ROUTER made begins with 0 and never comes again. One that a watch chose may.
        guard name.bytes.first == 0, closed.insert(name).inserted else { return }
        closedInOrder.append(name)
        // Seldom, so that it costs little.
        guard closedInOrder.count > 2 * Self.closedCountMax else { return }
        closed.subtract(closedInOrder.prefix(Self.closedCountMax))
        closedInOrder.removeFirst(Self.closedCountMax)
    }
}
