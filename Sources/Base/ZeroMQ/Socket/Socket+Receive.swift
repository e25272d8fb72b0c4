internal import CZeroMQ

extension Socket {
    /// Receives the next complete message, or nil if nothing is waiting.
    ///
    /// Messages of one peer arrive in the order in which it sent them; peers take turns.
    ///
    /// - Parameter maxFrameCount: The most frames that are kept, at least 1, not counting the routing id of a ROUTER.
    ///   Further frames are read, dropped, and counted in ``ReceivedMessage/droppedFrameCount``.
    /// - Returns: The message, or nil if nothing is waiting.
    /// - Throws: ``ZeroMQError/contextTerminated``; ``ZeroMQError/outOfTurn(_:)`` on a REP that owes a reply.
    public func receive(maxFrameCount: Int = 16) throws(ZeroMQError) -> ReceivedMessage? {
        precondition(maxFrameCount >= 1, "a message has at least one frame")
        defer { handle.releaseIncoming() }
        var message = ReceivedMessage()
        if kind == .router {
            guard try handle.receiveFrame() else { return nil }
            message.routingID = RoutingID(received: handle.incomingBytes)
        }
        repeat {
            // A message arrives completely, so this only happens if the first frame is missing, or if the peer of a
            // PAIR disconnects between two frames; the message is lost then.
            guard try handle.receiveFrame() else { return nil }
            if message.frames.count < maxFrameCount {
                message.frames.append(handle.incomingBytes)
            } else {
                message.droppedFrameCount += 1
            }
        } while handle.incomingHasMore
        message.userID = handle.incomingProperty("User-Id")
        message.peerAddress = handle.incomingProperty("Peer-Address")
        message.fileDescriptor = handle.incomingFileDescriptor
        return message
    }

    /// Receives the next frame into a message, without copying its bytes; false if nothing is waiting.
    ///
    /// ``Message/hasMore`` says whether frames of the same message follow. The first frame that a ROUTER receives is
    /// the routing id.
    ///
    /// - Throws: ``ZeroMQError/contextTerminated``; ``ZeroMQError/outOfTurn(_:)`` on a REP that owes a reply.
    public func receiveFrame(into message: inout Message) throws(ZeroMQError) -> Bool {
        try handle.receiveFrame(into: message)
    }
}

extension SocketHandle {
    fileprivate func receiveFrame() throws(ZeroMQError) -> Bool {
        try unsafe receiveFrame(at: incoming)
    }

    fileprivate func receiveFrame(into message: borrowing Message) throws(ZeroMQError) -> Bool {
        try unsafe receiveFrame(at: message.pointer)
    }

    private func receiveFrame(at message: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) -> Bool {
        let outcome = try outcome(of: "zmq_msg_recv", on: "a \(kind) socket") {
            unsafe zmq_msg_recv(message, pointer, ZMQ_DONTWAIT)
        }
        return outcome != .wouldBlock
    }

    fileprivate var incomingBytes: [UInt8] { unsafe incoming.bytes }
    fileprivate var incomingHasMore: Bool { unsafe zmq_msg_more(incoming) != 0 }
    fileprivate var incomingFileDescriptor: Int32? {
        let descriptor = unsafe zmq_msg_get(incoming, ZMQ_SRCFD)
        return descriptor < 0 ? nil : descriptor
    }
    fileprivate func incomingProperty(_ name: StaticString) -> String? { unsafe incoming.property(name) }

    /// Returns the memory of a large message to the system now, not when the next message arrives.
    fileprivate func releaseIncoming() {
        unsafe zmq_msg_close(incoming)
        unsafe zmq_msg_init(incoming)
    }
}
