internal import CZeroMQ

/// One frame in libzmq's own memory.
///
/// Needed only where copying is too expensive: to send the same large frame to many peers, or to read a received one
/// in place. Like a socket, a message stays in one isolation. Source: zmq_msg_init(3), zmq_msg_copy(3),
/// zmq_msg_data(3).
@safe
public struct Message: ~Copyable {
    // On the heap, because libzmq stores small messages inside the struct, whose address must not change.
    let pointer: UnsafeMutablePointer<zmq_msg_t>

    /// Creates an empty message, to receive into.
    public init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe zmq_msg_init(pointer)
    }

    /// Creates a message from a copy of the bytes.
    public init(_ bytes: [UInt8]) {
        unsafe pointer = .allocate(capacity: 1)
        // It only fails for lack of memory, which ends a Swift program anyway.
        precondition(
            unsafe zmq_msg_init_size(pointer, bytes.count) == 0, "no memory for a message of \(bytes.count) bytes")
        unsafe bytes.withUnsafeBytes { unsafe pointer.contents.copyMemory(from: $0) }
    }

    deinit {
        unsafe zmq_msg_close(pointer)
        unsafe pointer.deallocate()
    }

    /// The number of bytes.
    public var byteCount: Int { unsafe zmq_msg_size(pointer) }

    /// Whether frames of the same received message follow.
    public var hasMore: Bool { unsafe zmq_msg_more(pointer) != 0 }

    /// A copy of the bytes.
    public var bytes: [UInt8] { unsafe pointer.bytes }

    /// The user id that the ZAP handler gave to the sender of this received frame; nil without ZAP.
    ///
    /// The routing id frame of a ROUTER may lack it; the frames of the peer have it.
    public var userID: String? { unsafe pointer.property("User-Id") }

    /// Gives access to the bytes in place.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = unsafe UnsafeBufferPointer(pointer.contents.assumingMemoryBound(to: UInt8.self))
        return try body(unsafe bytes.span)
    }

    /// Creates a message that shares these bytes; neither can change them.
    public func share() -> Message {
        let copy = Message()
        // It only fails for a message that was never initialised.
        _ = unsafe zmq_msg_copy(copy.pointer, pointer)
        return copy
    }
}

// libzmq counts the owners of shared bytes in a thread-safe way, but it does not protect the struct itself.
@available(*, unavailable)
extension Message: Sendable {}

extension UnsafeMutablePointer<zmq_msg_t> {
    /// The bytes of a message, valid until it changes; the address of an empty one is undefined.
    var contents: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: zmq_msg_data(self), count: zmq_msg_size(self))
    }

    var bytes: [UInt8] { unsafe Array(contents) }

    /// A property of the connection that a message came through; nil if it does not have the property.
    func property(_ name: StaticString) -> String? {
        let key = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        // libzmq's text lives as long as the message; it is copied at once.
        return unsafe zmq_msg_gets(self, key).map { unsafe String(cString: $0) }
    }
}
