import SyncCore

/// What a journal keeps of an output: what kind of output it was, and a checksum over all of it.
///
/// The checksum covers the meaning of the output, in the same text in each process: a frame's bytes, a snapshot's
/// contents, and of the rest its description, in which nothing has a random order.
struct OutputDigest: Hashable, RecordCodable {
    /// What a kind of output is called, by its number.
    private static let names = [
        "send", "persist", "record", "transfer", "admit", "answer", "event", "reconnect", "close",
    ]

    /// The place in the names.
    var kind: UInt8
    /// The kind of a frame that is sent, else 0.
    var frame: UInt32
    var checksum: UInt32

    private init(kind: UInt8, frame: UInt32 = 0, checksum: UInt32) {
        self.kind = kind
        self.frame = frame
        self.checksum = checksum
    }

    private init(_ kind: UInt8, _ text: String, _ bytes: [UInt8] = []) {
        var sum = CRC32C()
        sum.update(Array(text.utf8))
        sum.update(bytes)
        self.init(kind: kind, checksum: sum.value)
    }

    private init(_ frame: Frame, to connection: [UInt8]) {
        var sum = CRC32C()
        for part in FrameCodec.parts(of: frame) { sum.update(part) }
        sum.update(connection)
        self.init(kind: 0, frame: UInt32(frame.kind.rawValue), checksum: sum.value)
    }

    /// The mark of an output of a hub in its journal.
    init(_ output: HubEngine.Output) {
        switch output {
        case .send(let frame, let connection): self.init(frame, to: connection.bytes)
        case .persist(let group): self.init(1, group.map { "\($0)" }.joined(separator: " "))
        case .record(let peer, let record): self.init(2, "\(peer.hexadecimal) \(record)")
        case .transfer(let peer, let output): self.init(output, with: peer.bytes)
        case .close(let connection): self.init(8, "", connection.bytes)
        case .admit(let keys): self.init(4, "", keys.flatMap(\.bytes))
        case .answer(let request, let answer): self.init(5, "\(request.number) \(answer)")
        case .event(let event): self.init(6, "\(event)")
        }
    }

    /// The mark of an output of a watch in its journal.
    init(_ output: WatchEngine.Output) {
        switch output {
        case .send(let frame): self.init(frame, to: [])
        case .persist(.replica(var record)):
            let snapshot = record.snapshot.map { Array("\($0.version)".utf8) + $0.contents } ?? []
            let delta = record.delta.map { Array("\($0.base) \($0.version)".utf8) + $0.contents } ?? []
            (record.snapshot, record.delta) = (nil, nil)
            // Journals of versions without deltas have no such field in the text.
            self.init(1, "\(record)".replacing(", delta: nil", with: "", maxReplacements: 1), snapshot + delta)
        case .persist(let record): self.init(1, "\(record)")
        case .transfer(let output): self.init(output, with: [])
        case .answer(let request, let answer): self.init(5, "\(request.number) \(answer)")
        case .event(.snapshotChanged(let snapshot)): self.init(6, "\(snapshot.version)", snapshot.contents)
        case .event(let event): self.init(6, "\(event)")
        case .reconnect: self.init(7, "")
        }
    }

    private init(_ output: TransferOutput, with peer: [UInt8]) {
        if case .files(.write(let id, let offset, let bytes)) = output {
            self.init(3, "write \(id.hexadecimal) \(offset)", bytes + peer)
        } else {
            self.init(3, "\(output)", peer)
        }
    }

    /// A few words for people, such as `send context 1a2b3c4d`.
    var words: String {
        let name = kind < Self.names.count ? Self.names[Int(kind)] : "output \(kind)"
        let frame = FrameKind(rawValue: UInt16(truncatingIfNeeded: frame)).map { " \($0)" } ?? ""
        return "\(name)\(frame) \(Hexadecimal.text(checksum))"
    }

    static func code(_ value: OutputDigest?, _ coder: inout RecordCoder) throws(CodecError) -> OutputDigest {
        let kind = try coder.byte(value?.kind)
        let frame = kind == 0 ? try coder(value?.frame) : 0
        return OutputDigest(kind: kind, frame: frame, checksum: try coder(value?.checksum))
    }
}
