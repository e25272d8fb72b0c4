internal import CZeroMQ

/// The result of sending a message.
public enum SendResult: Hashable, Sendable {
    /// libzmq has accepted the message and sends it while the connection lasts; there is no report of its arrival.
    case sent
    /// Nothing was sent: the queue is at its high-water mark, or there is no connection yet.
    ///
    /// ``PollEvents/output`` reports when to try again, except on a ROUTER, where it concerns any peer; there the
    /// peer's next message shows it.
    case wouldBlock
    /// Nothing was sent: the ROUTER has no connection with that routing id.
    case unroutable
}

extension Socket {
    /// Sends a message of one or more frames, either completely or not at all; not for a ROUTER.
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

    /// Sends a message to one peer of a ROUTER, either completely or not at all.
    ///
    /// An unknown peer or a full queue is reported at once, before libzmq accepts any frame
    /// (``SocketOptions/routerMandatory``). A peer that disconnects in the middle of the message looks like one that
    /// disconnects just after it.
    ///
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
    /// Sends a message of one frame, whose bytes are written directly to libzmq's memory; not for a ROUTER.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the frame.
    ///   - write: Writes all of the bytes; not called if nothing can be sent.
    /// - Returns: The result.
    /// - Precondition: The socket is not a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``; ``ZeroMQError/outOfTurn(_:)`` on a REP without a request.
    @safe
    public func send(
        byteCount: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) -> SendResult {
        precondition(kind != .router, "a ROUTER sends to a peer: use send(byteCount:to:_:)")
        var message = OutgoingMessage(handle)
        // The closure is responsible for writing the bytes correctly.
        try unsafe message.appendLast(byteCount: byteCount, write)
        return message.result
    }

    /// Sends a message of one frame to one peer of a ROUTER; the bytes are written directly to libzmq's memory.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the frame.
    ///   - peer: The peer.
    ///   - write: Writes all of the bytes; not called if the peer is unknown or its queue is full.
    /// - Returns: The result.
    /// - Precondition: The socket is a ROUTER.
    /// - Throws: ``ZeroMQError/contextTerminated``.
    @safe
    public func send(
        byteCount: Int, to peer: RoutingID, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) -> SendResult {
        precondition(kind == .router, "only a ROUTER sends to a routing id: use send(byteCount:_:)")
        var message = OutgoingMessage(handle)
        try message.append(peer.bytes, more: true)
        // The closure is responsible for writing the bytes correctly.
        try unsafe message.appendLast(byteCount: byteCount, write)
        return message.result
    }
}

/// An outgoing message, added frame by frame and sent either completely or not at all.
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
        // It only fails for lack of memory, which ends a Swift program anyway.
        precondition(
            unsafe zmq_msg_init_size(&message, byteCount) == 0, "no memory for a message of \(byteCount) bytes")
        // The message is empty once libzmq has accepted it; otherwise it is unchanged.
        defer { unsafe zmq_msg_close(&message) }
        unsafe write(UnsafeMutableRawBufferPointer(start: zmq_msg_data(&message), count: byteCount))
        let outcome = try outcome(of: "zmq_msg_send", on: "a \(handle.kind) socket") {
            unsafe zmq_msg_send(&message, handle.pointer, ZMQ_DONTWAIT)
        }
        note(outcome)
    }

    /// Whether the next frame must be passed to libzmq.
    ///
    /// If the connection of a DEALER (or a REQ, which is based on one) ends in the middle of a message, libzmq
    /// refuses one frame and then discards the rest of the message. It must get that rest, or it would discard the
    /// beginning of the next message instead.
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
