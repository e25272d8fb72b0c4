import ZeroMQ

/// A watch's socket, with the events of its connection; both are closed together.
///
/// It belongs to the watch's thread.
final class WatchSocket {
    let dealer: Socket
    let monitor: Monitor

    /// Opens a socket that keeps connecting in the background.
    init(_ context: Context, to endpoint: Endpoint, options: SocketOptions) throws(ZeroMQError) {
        let dealer = try Socket(context, .dealer, options: options)
        // Before the socket connects, so that no event is missed.
        let monitor = try dealer.monitor([.handshake, .connection])
        try dealer.connect(to: endpoint)
        self.dealer = dealer
        self.monitor = monitor
    }

    /// Adds the socket's events and messages to a poller; returns the item for the messages.
    func add(to poller: inout Poller) -> Poller.Item {
        _ = poller.add(monitor.socket, for: .input)
        return poller.add(dealer, for: .input)
    }
}
