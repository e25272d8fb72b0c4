internal import CZeroMQ

/// The one owner of a libzmq socket, and of the message that it receives into.
///
/// ``Socket`` closes it at the latest in its `deinit`. Poll items and monitors refer to it too, and find out here
/// that it was closed, instead of holding a pointer that leads nowhere.
@safe
final class SocketHandle {
    let context: Context
    let kind: SocketKind
    private(set) var isOpen = true
    /// Where the events of the present monitor go; nil without one.
    private var monitorEndpoint: Endpoint?
    private let socket: UnsafeMutableRawPointer
    /// Small messages lie inside the struct, so it needs one address for life.
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

    /// The socket for a C call.
    var pointer: UnsafeMutableRawPointer {
        precondition(isOpen, "the \(kind) socket was closed; remove it from its poller first")
        return unsafe socket
    }

    func close() {
        guard isOpen else { return }
        // First, since libzmq's closing threads would wait for a reader of their last events, which may be gone by then.
        if let monitorEndpoint { stopMonitor(monitorEndpoint) }
        isOpen = false
        // It fails only for a handle that is no socket.
        _ = unsafe zmq_close(socket)
    }

    /// Sends events to an endpoint, instead of where they went before.
    func startMonitor(_ endpoint: Endpoint, _ events: MonitorEvents) throws(ZeroMQError) {
        try perform("zmq_socket_monitor", on: endpoint.text) {
            unsafe zmq_socket_monitor(pointer, endpoint.text, Int32(events.rawValue))
        }
        monitorEndpoint = endpoint
    }

    /// Stops sending events to an endpoint, unless they go elsewhere by now.
    func stopMonitor(_ endpoint: Endpoint) {
        guard isOpen, monitorEndpoint == endpoint else { return }
        monitorEndpoint = nil
        // It fails only when the context ended, where nothing is left to stop.
        _ = unsafe zmq_socket_monitor(pointer, nil, 0)
    }

    func setOption(_ option: Int32, _ name: String, to value: Int32) throws(ZeroMQError) {
        try setOption(option, subject(name, value), from: value)
    }

    func setOption(_ option: Int32, _ name: String, to value: Int64) throws(ZeroMQError) {
        try setOption(option, subject(name, value), from: value)
    }

    /// Sets an option made of bytes; they never get into the error, since they may be a key.
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

    /// Reads an option made of bytes, at most as many as given.
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
