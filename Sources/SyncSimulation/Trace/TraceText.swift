import SyncCore

extension HubEngine.Input {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .received(let parts, let connection, _):
            "received on \(SimulatedNetwork.connection(connection)): \(parts.traceText)"
        case .unroutable(let connection): "unroutable \(SimulatedNetwork.connection(connection))"
        case .persisted(let transaction): "persisted \(transaction.after.traceText)"
        case .persistFailed(let transaction, let reason): "persist failed \(transaction.after.traceText): \(reason)"
        case .transact(let request, let changes, let expected):
            "transact \(request.number): \(changes.count) cells, expects \(expected?.traceText ?? "any version")"
        case .publish(let register): "publish \(register.key) #\(register.order)"
        case .invite(let request, let key, let name, let valid):
            "invite \(request.number): \(key.traceText) as \(name ?? "any name") for \(valid) ms"
        case .unpair(let request, let key): "unpair \(request.number): \(key.traceText)"
        case .timeReached: "time reached"
        }
    }
}

extension HubEngine.Output {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .send(let frame, let connection):
            "send on \(SimulatedNetwork.connection(connection)): \(frame.traceText)"
        case .persist(let transaction): "persist \(transaction.after.traceText)"
        case .admit(let keys): "admit \(keys.map(\.traceText))"
        case .answer(let request, .done(let version)): "answer \(request.number): done \(version.traceText)"
        case .answer(let request, .refused(let fault)): "answer \(request.number): refused, \(fault)"
        case .event(.committed(let version)): "event committed \(version.traceText)"
        case .event(let event): "event \(event)"
        }
    }
}

extension WatchEngine.Input {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .received(let parts): "received \(parts.traceText)"
        case .persisted(let record): "persisted \(record.traceText)"
        case .persistFailed(let record, let reason): "persist failed \(record.traceText): \(reason)"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .retry: "retry"
        case .farewell: "farewell"
        case .timeReached: "time reached"
        }
    }
}

extension WatchEngine.Output {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .send(let frame): "send \(frame.traceText)"
        case .reconnect: "reconnect"
        case .persist(let record): "persist \(record.traceText)"
        case .event(.snapshotChanged(let snapshot)): "event snapshot \(snapshot.version.traceText)"
        case .event(.registerChanged(let register)): "event register \(register.key) #\(register.order)"
        case .event(let event): "event \(event)"
        }
    }
}

extension WatchEngine.Record {
    fileprivate var traceText: String {
        switch self {
        case .snapshot(let snapshot, _): "snapshot \(snapshot.version.traceText)"
        case .registers(let registers, _):
            "registers \(registers.map { "\($0.register.key) #\($0.register.order)" })"
        }
    }
}

extension Version {
    /// A short text for the trace: epoch, revision and chain.
    var traceText: String {
        "\(String(epoch.number >> 48, radix: 16)):\(revision):\(String(chain >> 48, radix: 16))"
    }
}

extension PeerKey {
    fileprivate var traceText: String { "key \(bytes[7]).\(bytes[15])" }
}

extension [[UInt8]] {
    fileprivate var traceText: String {
        do {
            return try FrameCodec.frame(of: self).traceText
        } catch {
            return "no frame: \(error)"
        }
    }
}
