import ZeroMQ

/// A watch's socket, and the word of what happens to its connection; both close with it.
///
/// It belongs to the watch's thread.
final class WatchSocket {
    let dealer: Socket
    let monitor: Monitor

    /// Opens a socket that connects in the background, again and again.
    init(_ context: Context, to endpoint: Endpoint, options: SocketOptions) throws(ZeroMQError) {
        let dealer = try Socket(context, .dealer, options: options)
        // Before the socket connects, or the first events are missed.
        let monitor = try dealer.monitor([.handshake, .connection])
        try dealer.connect(to: endpoint)
        self.dealer = dealer
        self.monitor = monitor
    }

    /// Lets a poller wait for events and messages; gives the item of the messages.
    func add(to poller: inout Poller) -> Poller.Item {
        _ = poller.add(monitor.socket, for: .input)
        return poller.add(dealer, for: .input)
    }
}
