internal import CZeroMQ

/// Owns a libzmq socket, and the message that the socket receives into.
///
/// ``Socket`` closes it in its `deinit` at the latest. Poll items and monitors refer to it as well; through it they
/// learn that the socket was closed, instead of holding a dangling pointer.
@safe
final class SocketHandle {
    let context: Context
    let kind: SocketKind
    private(set) var isOpen = true
    /// The destination of the present monitor's events; nil without a monitor.
    private var monitorEndpoint: Endpoint?
    private let socket: UnsafeMutableRawPointer
    /// Small messages are stored inside the struct, so its address must never change.
    let incoming: UnsafeMutablePointer<zmq_msg_t>

    init(_ context: Context, _ kind: SocketKind) throws(ZeroMQError) {
        self.context = context
        self.kind = kind
        unsafe socket = try context.openSocket(kind)
        unsafe incoming = .allocate(capacity: 1)
        unsafe zmq_msg_init(incoming)
    }

    deinit {
        close()
        unsafe zmq_msg_close(incoming)
        unsafe incoming.deallocate()
    }

    /// The socket, for a C call.
    var pointer: UnsafeMutableRawPointer {
        precondition(isOpen, "the \(kind) socket was closed; remove it from its poller first")
        return unsafe socket
    }

    func close() {
        guard isOpen else { return }
        // This comes first, because libzmq's closing threads would wait for a reader of their last events, which may
        // not exist any more.
        if let monitorEndpoint { stopMonitor(monitorEndpoint) }
        isOpen = false
        // It only fails for a handle that is not a socket.
        _ = unsafe zmq_close(socket)
    }

    /// Sends events to an endpoint, in place of the one before.
    func startMonitor(_ endpoint: Endpoint, _ events: MonitorEvents) throws(ZeroMQError) {
        try perform("zmq_socket_monitor", on: endpoint.text) {
            unsafe zmq_socket_monitor(pointer, endpoint.text, Int32(events.rawValue))
        }
        monitorEndpoint = endpoint
    }

    /// Stops sending events to an endpoint, unless another endpoint has replaced it.
    func stopMonitor(_ endpoint: Endpoint) {
        guard isOpen, monitorEndpoint == endpoint else { return }
        monitorEndpoint = nil
        // It only fails if the context has ended; then there is nothing to stop.
        _ = unsafe zmq_socket_monitor(pointer, nil, 0)
    }

    func setOption(_ option: Int32, _ name: String, to value: Int32) throws(ZeroMQError) {
        try setOption(option, subject(name, value), from: value)
    }

    func setOption(_ option: Int32, _ name: String, to value: Int64) throws(ZeroMQError) {
        try setOption(option, subject(name, value), from: value)
    }

    /// Sets an option made of bytes; an error never contains them, because they may be a key.
    func setOption(_ option: Int32, _ name: String, toBytes bytes: [UInt8]) throws(ZeroMQError) {
        try perform("zmq_setsockopt", on: "\(name) of a \(kind) socket") {
            unsafe bytes.withUnsafeBytes { unsafe zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
        }
    }

    func option<Value: FixedWidthInteger & BitwiseCopyable>(_ option: Int32, as type: Value.Type) throws(ZeroMQError)
        -> Value
    {
        var value: Value = 0
        var byteCount = MemoryLayout<Value>.size
        try perform("zmq_getsockopt", on: "option \(option) of a \(kind) socket") {
            unsafe zmq_getsockopt(pointer, option, &value, &byteCount)
        }
        return value
    }

    /// Reads an option made of at most this many bytes.
    func option(_ option: Int32, maxByteCount: Int) throws(ZeroMQError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maxByteCount)
        var byteCount = maxByteCount
        try perform("zmq_getsockopt", on: "option \(option) of a \(kind) socket") {
            unsafe zmq_getsockopt(pointer, option, &bytes, &byteCount)
        }
        return Array(bytes.prefix(byteCount))
    }

    private func subject(_ name: String, _ value: some BinaryInteger) -> String {
        "\(name) = \(value) of a \(kind) socket"
    }

    private func setOption<Value: BitwiseCopyable>(
        _ option: Int32, _ subject: String, from value: Value
    ) throws(ZeroMQError) {
        try perform("zmq_setsockopt", on: subject) {
            unsafe withUnsafeBytes(of: value) { unsafe zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
        }
    }
}
