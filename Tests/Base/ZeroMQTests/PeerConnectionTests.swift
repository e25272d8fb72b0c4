import Testing

@testable import ZeroMQ

/// libzmq cannot close the connection of one peer; the system can.
@Suite(.timeLimit(.minutes(20))) struct PeerConnectionTests {
    @Test(arguments: ["tcp://127.0.0.1:*", "ipc://*"])
    func `one connection of a ROUTER ends, and the others stay`(_ address: String) throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let bound = try router.bind(endpoint(address))
        let options = SocketOptions { $0.reconnect = .never }
        let first = try Socket(context, .dealer, options: options)
        let second = try Socket(context, .dealer, options: options)
        let monitor = try first.monitor(.connection)
        try first.connect(to: bound)
        _ = try first.send([[1]])
        let message = try router.nextMessage()
        let line = try #require(message.fileDescriptor.flatMap { PeerConnection(fileDescriptor: $0, to: bound) })
        try second.connect(to: bound)
        _ = try second.send([[2]])
        let other = try router.nextMessage()
        #expect(other.fileDescriptor != message.fileDescriptor)

        #expect(line.end())
        _ = try monitor.next { $0 == .disconnected }
        let peer = try #require(message.routingID)
        // libzmq's own thread notices the end; how soon, the system decides.
        var poller = Poller()
        _ = poller.add(router, for: .input)
        let end = ContinuousClock.now.advanced(by: patience)
        while try router.send([[3]], to: peer) != .unroutable {
            guard ContinuousClock.now < end else { throw NothingHappened() }
            _ = try poller.wait(timeout: .milliseconds(5))
        }
        #expect(!line.end(), "a connection ends once, whoever has its file descriptor by then")

        #expect(try router.send([[4]], to: try #require(other.routingID)) == .sent)
        #expect(try second.nextMessage().frames == [[4]])
    }

    // A file descriptor that libzmq told of may be another socket of this process by the time it is looked at.
    @Test func `a socket that is not of the endpoint is no connection to it`() throws {
        let context = try Context()
        let router = try Socket(context, .router)
        let bound = try router.bind(endpoint("tcp://127.0.0.1:*"))
        let other = try Socket(context, .router)
        let elsewhere = try other.bind(endpoint("tcp://127.0.0.1:*"))
        let dealer = try Socket(context, .dealer)
        try dealer.connect(to: bound)
        _ = try dealer.send([[1]])
        let descriptor = try #require(try router.nextMessage().fileDescriptor)
        #expect(PeerConnection(fileDescriptor: descriptor, to: bound) != nil)
        #expect(PeerConnection(fileDescriptor: descriptor, to: elsewhere) == nil)
        // Of all sockets of this process only one is the connection: not the one that listens, nor the dealer's end.
        let last = max(1023, descriptor)
        let all = (0...last).compactMap { PeerConnection(fileDescriptor: $0, to: bound) }
        #expect(all.count == 1)
    }

    @Test func `what is no socket is no connection`() throws {
        #expect(PeerConnection(fileDescriptor: -1, to: try endpoint("tcp://127.0.0.1:1")) == nil)
    }
}
