package import NIOCore
import Platform

/// The open connections: when there are too many, the one that has been idle for the longest makes room.
///
/// A connection is at work from the end of its request to the end of the answer; everything else is idle, also one that has
/// sent nothing, or half a request.
package final class ConnectionTable: Sendable {
    private struct Entry {
        let channel: any Channel
        let address: String
        /// Its place in the order in which connections became idle; nil while it is at work.
        var idleSince: UInt64?
        /// Whether a whole request has come.
        var hasAsked = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var byAddress: [String: Int] = [:]
        var last: UInt64 = 0
    }

    private let all: Int
    private let perAddress: Int
    private let state = Lock(State())

    package init(perAddress: Int, all: Int) {
        self.perAddress = perAddress
        self.all = all
    }

    /// The number of open connections.
    package var count: Int { state.withLock(\.entries.count) }

    /// Notes a new connection, and closes another one if there is no room.
    ///
    /// - Returns: Whether it may stay: no other one is idle.
    package func open(_ channel: any Channel, from address: String) -> Bool {
        let (mayStay, victim) = state.withLock { state -> (Bool, (any Channel)?) in
            var victim: ObjectIdentifier?
            if state.byAddress[address, default: 0] >= perAddress {
                victim = Self.oldestIdle(state) { $0.address == address }
                if victim == nil { return (false, nil) }
            } else if state.entries.count >= all {
                victim = Self.oldestIdle(state) { _ in true }
                if victim == nil { return (false, nil) }
            }
            let closed = victim.flatMap { Self.remove($0, &state) }
            state.last += 1
            state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, address: address, idleSince: state.last)
            state.byAddress[address, default: 0] += 1
            return (true, closed?.channel)
        }
        victim?.close(promise: nil)
        return mayStay
    }

    /// Notes that a whole request has come.
    package func begin(_ channel: any Channel) {
        state.withLock { state in
            state.entries[ObjectIdentifier(channel)]?.idleSince = nil
            state.entries[ObjectIdentifier(channel)]?.hasAsked = true
        }
    }

    /// Notes that an answer was sent.
    package func end(_ channel: any Channel) {
        state.withLock { state in
            state.last += 1
            state.entries[ObjectIdentifier(channel)]?.idleSince = state.last
        }
    }

    /// Whether a whole request has come on a connection.
    package func hasAsked(_ channel: any Channel) -> Bool {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.hasAsked ?? true }
    }

    /// Forgets a connection that is closed.
    package func close(_ channel: any Channel) {
        _ = state.withLock { Self.remove(ObjectIdentifier(channel), &$0) }
    }

    private static func oldestIdle(_ state: State, _ isMeant: (Entry) -> Bool) -> ObjectIdentifier? {
        state.entries.filter { $0.value.idleSince != nil && isMeant($0.value) }
            .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
    }

    private static func remove(_ id: ObjectIdentifier, _ state: inout State) -> Entry? {
        guard let entry = state.entries.removeValue(forKey: id) else { return nil }
        state.byAddress[entry.address] = state.byAddress[entry.address].flatMap { $0 > 1 ? $0 - 1 : nil }
        return entry
    }
}

/// Notes a connection in the table; closes it if there is no room, or if its first request takes too long.
// All is called on the channel's event loop.
package final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    package typealias InboundIn = Never

    private let connections: ConnectionTable
    private let isBehindProxy: Bool
    private let patience: Duration
    private var timer: Scheduled<Void>?

    package init(_ connections: ConnectionTable, isBehindProxy: Bool, patience: Duration) {
        self.connections = connections
        self.isBehindProxy = isBehindProxy
        self.patience = patience
    }

    package func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        // All clients of a proxy have its address, so nothing is counted by it.
        let address =
            isBehindProxy ? "\(ObjectIdentifier(channel))" : channel.remoteAddress.map { "\($0.ipAddress ?? "")" } ?? ""
        let counted = isBehindProxy ? address : ClientAddress.text(peer: address, forwarded: nil, isBehindProxy: false)
        let mayStay = connections.open(channel, from: counted)
        context.fireChannelActive()
        guard mayStay else { return context.close(promise: nil) }
        timer = context.eventLoop.scheduleTask(in: TimeAmount(patience)) { [connections] in
            if !connections.hasAsked(channel) { channel.close(promise: nil) }
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave(context.channel)
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { leave(context.channel) }

    private func leave(_ channel: any Channel) {
        timer?.cancel()
        timer = nil
        connections.close(channel)
    }
}
