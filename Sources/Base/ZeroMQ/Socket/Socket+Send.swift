internal import CZeroMQ

/// What became of a message that was sent.
public enum SendResult: Hashable, Sendable {
    /// libzmq has it. It travels as long as the connection lives; nobody says whether it arrives.
    case sent
    /// Nothing was sent: the queue is at its high-water mark, or there is no connection yet.
    ///
    /// ``PollEvents/output`` tells when it can be tried again, but not on a ROUTER, where it speaks of any peer:
    /// there the peer's next message is the sign.
    case wouldBlock
    /// Nothing was sent: the ROUTER has no connection with that routing id.
    case unroutable
}

extension Socket {
    /// Sends a message of one or more frames, whole or not at all; not for a ROUTER.
    ///
    /// - Precondition: `frames` is not empty, and the socket is not a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``; ``ZeroMQError/outOfTurn(_:)`` on a REP without a request.
    public func send(_ frames: [[UInt8]]) throws(ZeroMQError) -> SendResult {
        precondition(kind != .router, "a ROUTER sends to a peer: use send(_:to:)")
        precondition(!frames.isEmpty, "a message has at least one frame")
        var message = OutgoingMessage(handle)
        for (index, frame) in frames.enumerated() {
            try message.append(frame, more: index < frames.count - 1)
        }
        return message.result
    }

    /// Sends a message to one peer of a ROUTER, whole or not at all.
    ///
    /// A peer that is unknown or whose queue is full shows at once, before any frame is taken
    /// (``SocketOptions/routerMandatory``). A peer that goes away in between looks like one that goes away just after.
    /// - Precondition: `frames` is not empty, and the socket is a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public func send(_ frames: [[UInt8]], to peer: RoutingID) throws(ZeroMQError) -> SendResult {
        precondition(kind == .router, "only a ROUTER sends to a routing id: use send(_:)")
        precondition(!frames.isEmpty, "a message has at least one frame")
        var message = OutgoingMessage(handle)
        try message.append(peer.bytes, more: true)
        for (index, frame) in frames.enumerated() {
            try message.append(frame, more: index < frames.count - 1)
        }
        return message.result
    }

    /// Sends frames and, as the last frame, a message whose bytes are shared and not copied; not for a ROUTER.
    ///
    /// - Precondition: The socket is not a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public func send(_ frames: [[UInt8]] = [], sharing last: borrowing Message) throws(ZeroMQError) -> SendResult {
        precondition(kind != .router, "a ROUTER sends to a peer: use send(_:sharing:to:)")
        var message = OutgoingMessage(handle)
        for frame in frames { try message.append(frame, more: true) }
        try message.appendLast(sharing: last)
        return message.result
    }

    /// Sends frames and, as the last frame, a message whose bytes are shared and not copied, to one peer of a ROUTER.
    ///
    /// - Precondition: The socket is a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public func send(
        _ frames: [[UInt8]] = [], sharing last: borrowing Message, to peer: RoutingID
    ) throws(ZeroMQError) -> SendResult {
        precondition(kind == .router, "only a ROUTER sends to a routing id: use send(_:sharing:)")
        var message = OutgoingMessage(handle)
        try message.append(peer.bytes, more: true)
        for frame in frames { try message.append(frame, more: true) }
        try message.appendLast(sharing: last)
        return message.result
    }
}

extension Socket {
    /// Sends a message of one frame, whose bytes are written where libzmq keeps them; not for a ROUTER.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of the frame.
    ///   - write: Writes all of them; it is not called where nothing can be sent.
    /// - Returns: What became of it.
    /// - Precondition: The socket is not a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``; ``ZeroMQError/outOfTurn(_:)`` on a REP without a request.
    @safe
    public func send(
        byteCount: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) -> SendResult {
        precondition(kind != .router, "a ROUTER sends to a peer: use send(byteCount:to:_:)")
        var message = OutgoingMessage(handle)
        // The closure answers for what it does with the room.
        try unsafe message.appendLast(byteCount: byteCount, write)
        return message.result
    }

    /// Sends a message of one frame, whose bytes are written where libzmq keeps them, to one peer of a ROUTER.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of the frame.
    ///   - peer: The peer.
    ///   - write: Writes all of them; it is not called where the peer is unknown or has no room.
    /// - Returns: What became of it.
    /// - Precondition: The socket is a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    @safe
    public func send(
        byteCount: Int, to peer: RoutingID, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) -> SendResult {
        precondition(kind == .router, "only a ROUTER sends to a routing id: use send(byteCount:_:)")
        var message = OutgoingMessage(handle)
        try message.append(peer.bytes, more: true)
        // The closure answers for what it does with the room.
        try unsafe message.appendLast(byteCount: byteCount, write)
        return message.result
    }
}

/// A message on its way out, frame by frame, that is sent whole or not at all.
struct OutgoingMessage {
    private let handle: SocketHandle
    private var frameCount = 0
    private(set) var result = SendResult.sent

    init(_ handle: SocketHandle) {
        self.handle = handle
    }

    mutating func append(_ bytes: [UInt8], more: Bool) throws(ZeroMQError) {
        guard wantsFrame else { return }
        let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
        let outcome = try outcome(of: "zmq_send", on: "a \(handle.kind) socket") {
            unsafe bytes.withUnsafeBytes { unsafe zmq_send(handle.pointer, $0.baseAddress, $0.count, flags) }
        }
        note(outcome)
    }

    mutating func appendLast(sharing message: borrowing Message) throws(ZeroMQError) {
        guard wantsFrame else { return }
        let copy = message.share()
        let outcome = try outcome(of: "zmq_msg_send", on: "a \(handle.kind) socket") {
            unsafe zmq_msg_send(copy.pointer, handle.pointer, ZMQ_DONTWAIT)
        }
        note(outcome)
    }

    mutating func appendLast(
        byteCount: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) {
        guard wantsFrame else { return }
        var message = zmq_msg_t()
        // It fails only for want of memory, which ends a Swift program anyway.
        precondition(
            unsafe zmq_msg_init_size(&message, byteCount) == 0, "no memory for a message of \(byteCount) bytes")
        // Empty once libzmq has taken it, else as it was made.
        defer { unsafe zmq_msg_close(&message) }
        unsafe write(UnsafeMutableRawBufferPointer(start: zmq_msg_data(&message), count: byteCount))
        let outcome = try outcome(of: "zmq_msg_send", on: "a \(handle.kind) socket") {
            unsafe zmq_msg_send(&message, handle.pointer, ZMQ_DONTWAIT)
        }
        note(outcome)
    }

    /// Whether the next frame must still be given to libzmq.
    ///
    /// A DEALER (and a REQ, which is one underneath) whose connection ends in the middle of a message refuses one
    /// frame and then swallows the rest of the message. It must be given that rest, or it would swallow the beginning
    /// of the next message instead.
    private var wantsFrame: Bool {
        switch handle.kind {
        case .dealer, .req: result == .sent || frameCount > 1
        case .router, .pair, .rep: result == .sent
        }
    }

    private mutating func note(_ outcome: Outcome) {
        frameCount += 1
        guard result == .sent else { return }
        switch outcome {
        case .done: break
        case .wouldBlock: result = .wouldBlock
        case .unroutable: result = .unroutable
        }
    }
}
