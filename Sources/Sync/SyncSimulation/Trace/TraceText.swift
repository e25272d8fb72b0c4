import SyncCore

extension HubEngine.Input {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .received(let parts, let connection, _):
            "received on \(VirtualNetwork.connection(connection)): \(parts.traceText)"
        case .unroutable(let connection): "unroutable \(VirtualNetwork.connection(connection))"
        case .persisted(let group): "persisted \(group.map(\.after.traceText).joined(separator: ", "))"
        case .persistFailed(let group, let reason):
            "persist failed \(group.map(\.after.traceText).joined(separator: ", ")): \(reason)"
        case .transact(let request, let changes, let expected):
            "transact \(request.number): \(changes.count) cells, expects \(expected?.traceText ?? "any version")"
        case .recorded(_, let record): "recorded \(record.traceText)"
        case .recordFailed(_, let record, let reason): "record failed \(record.traceText): \(reason)"
        case .settle(let request, let id, let restoring):
            "settle \(request.number): \(restoring ? "restore" : "put aside") \(id.traceText)"
        case .authored(let author, let input): "by \(author): \(input.traceText)"
        case .beginEpoch(let request): "begin epoch \(request.number)"
        case .transfer(_, let input): input.traceText
        case .publish(let register): "publish \(register.key) #\(register.order)"
        case .invite(let request, let key, let name, let valid):
            "invite \(request.number): \(key.traceText) as \(name ?? "any name") for \(valid) ms"
        case .unpair(let request, let key): "unpair \(request.number): \(key.traceText)"
        case .farewell: "farewell"
        case .timeReached: "time reached"
        }
    }
}

extension HubEngine.Output {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .send(let frame, let connection):
            "send on \(VirtualNetwork.connection(connection)): \(frame.traceText)"
        case .persist(let group):
            "persist \(group.map { "\($0.after.traceText) \($0.cellsText)" }.joined(separator: ", "))"
        case .record(_, let record): "record \(record.traceText)"
        case .transfer(_, let output): output.traceText
        case .close(let connection): "close \(VirtualNetwork.connection(connection))"
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
        case .edit(let request, let changes):
            "edit \(request.number): \(changes.map { "\($0.key.traceText) = \($0.value ?? "nothing")" })"
        case .settle(let request, let id, let restoring):
            "settle \(request.number): \(restoring ? "restore" : "put aside") \(id.traceText)"
        case .transfer(let input): input.traceText
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
        case .transfer(let output): output.traceText
        case .answer(let request, .accepted(let edit)): "answer \(request.number): accepted \(edit.traceText)"
        case .answer(let request, let answer): "answer \(request.number): \(answer)"
        case .event(.snapshotChanged(let snapshot)): "event snapshot \(snapshot.version.traceText)"
        case .event(.registerChanged(let register)): "event register \(register.key) #\(register.order)"
        case .event(let event): "event \(event)"
        }
    }
}

extension WatchEngine.Record {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .replica(let record): record.traceText
        case .registers(let registers, _):
            "registers \(registers.map { "\($0.register.key) #\($0.register.order)" })"
        case .transfer(let record): record.traceText
        }
    }
}

extension ReplicaRecord {
    fileprivate var traceText: String {
        let uploads =
            switch pending {
            case .unchanged: ""
            case .added(let upload): " adds #\(upload.sequence) \(upload.upload.traceText)"
            case .confirmed(let highest): " confirms to #\(highest)"
            case .replaced(let uploads):
                " numbers anew \(uploads.map { "#\($0.sequence) \($0.upload.traceText)" })"
            }
        let change = delta.map { " delta \($0.base.traceText) to \($0.version.traceText)" } ?? ""
        return "replica\(snapshot.map { " snapshot \($0.version.traceText)" } ?? change)\(uploads)"
    }
}

extension Upload {
    fileprivate var traceText: String {
        switch self {
        case .edit(let edit): edit.traceText
        case .salvage(let conflict): "salvage of \(conflict.id.traceText)"
        }
    }
}

extension Edit {
    fileprivate var traceText: String {
        let cells = changes.map { "\($0.key.traceText) = \($0.value ?? "nothing") on \($0.base?.traceText ?? "none")" }
        return "edit \(id.traceText) \(cells)"
    }
}

extension RandomID {
    /// A short text for the trace.
    var traceText: String { String(high >> 40, radix: 16) }
}

extension CellKey {
    fileprivate var traceText: String { "\(kind) \(record.traceText) \(group)" }
}

extension TransferRecord {
    /// A short text for the trace.
    var traceText: String {
        switch self {
        case .exchange(let record): "exchange #\(record.number) \(record.changes)"
        case .files(let record): "files \(record)"
        }
    }
}

extension TransferInput {
    fileprivate var traceText: String {
        switch self {
        case .exchange(let input): "exchange \(input)"
        case .files(.read(let id, let offset, let bytes)): "files read \(id.traceText) \(bytes.count) at \(offset)"
        case .files(let input): "files \(input)"
        }
    }
}

extension TransferOutput {
    fileprivate var traceText: String {
        switch self {
        case .exchange(let output): "exchange \(output)"
        case .files(.write(let id, let offset, let bytes)):
            "files write \(id.traceText) \(bytes.count) at \(offset)"
        case .files(let output): "files \(output)"
        }
    }
}

extension Transaction {
    /// The cells that it writes, what it logs and what it settles.
    fileprivate var cellsText: String {
        let cells = written.pairs.map {
            "\($0.key.traceText) = \($0.value.value ?? "nothing") by \($0.value.dot.traceText)"
        }
        let losers = logged.values.map {
            "\($0.id.traceText) \($0.key.traceText) \($0.loser.value ?? "nothing") by \($0.rule) "
                + "against \($0.winner?.dot.traceText ?? "nothing")"
        }
        return "\(cells) logs \(losers) settles \(settled.map(\.traceText)) removes \(removed.count)"
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
