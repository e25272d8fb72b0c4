import SyncTransport

@testable import SyncCore

/// The name of a case, without its associated values.
func caseName(_ value: some Any) -> String { String(String(describing: value).prefix { $0 != "(" }) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func words(_ cells: SortedMap<CellKey, Cell>) -> String {
    cells.pairs.filter { $0.key.kind == "note" }
        .map { "\($0.key.record.low)=\($0.value.value ?? "none")" }.joined(separator: " ")
}

extension Frame {
    /// The contents, without random parts; nil for pings, which only show that everything before them was received.
    var words: String? {
        get throws {
            switch kind {
            case .ping, .pong: nil
            case .welcome, .hello, .bye, .pair, .paired: "\(kind)"
            case .refuse: "refuse \(try Refusal(self).code)"
            case .credit: "credit \(sequence) missing \(try Credit(self).missing)"
            case .registers:
                try RegisterBatch.read(self).registers.map { "register \($0.key) \(text($0.value))" }
                    .joined(separator: ", ")
            case .register: "register \(try Register.read(self).register.key) \(text(blob))"
            case .message, .reply: "\(kind) \(sequence) \(text(blob))"
            case .messageError: "message error \(sequence)"
            case .context:
                try {
                    let frame = try ContextFrame(self)
                    let receipt = frame.receipt.map { ", taken through \($0.highest)" } ?? ""
                    let (cells, gone) =
                        switch frame.contents {
                        case .whole(let snapshot): (snapshot.cells, 0)
                        case .delta(let delta): (delta.written, delta.gone.count)
                        }
                    let loss = gone == 0 ? "" : ", \(gone) gone"
                    return "context \(sequence) [\(SyncTransportTests.words(cells))\(loss)]\(receipt)"
                }()
            case .contextAcknowledged: "context acknowledged \(sequence)"
            case .upload:
                "upload "
                    + (try UploadBatch(self).uploads.map { "\($0.sequence) \($0.upload.words)" })
                    .joined(separator: ", ")
            case .item: "item \(sequence) \(text(blob))"
            case .itemAcknowledged: "item acknowledged \(sequence)"
            case .offer: "offer \(try FileOffer(self).name)"
            case .pull: "pull \(try FilePull(self).offset)+\(try FilePull(self).byteCount)"
            case .chunk: "chunk \(sequence)+\(blob.count)"
            case .done: "done"
            case .abort: "abort \(try FileAbort(self).failure.cause.code)"
            }
        }
    }
}

extension Upload {
    var words: String {
        switch self {
        case .edit(let edit):
            edit.changes.map { "\($0.key.record.low)=\($0.value ?? "none")" }.joined(separator: " ")
        case .salvage: "salvage"
        }
    }
}

extension FileExchange.Output {
    var words: String {
        switch self {
        case .read(_, let file, let offset, _): "read \(file) from \(offset)"
        case .write(_, let offset, let bytes): "write \(offset)+\(bytes.count)"
        case .release(let file): "release \(file)"
        case .begin(let offer, let durable): "begin \(offer.name) at \(durable)"
        case .finish(let offer): "finish \(offer.name)"
        case .remove(let offer): "remove \(offer.name)"
        case .send, .persist, .sync, .discard, .answer, .event: caseName(self)
        }
    }
}

extension TransferRecord {
    /// Nil for a record that only confirms what the other side has, because its time and its contents depend on timing.
    var words: String? {
        switch self {
        case .exchange(let record):
            record.changes.allSatisfy(\.isConfirmation)
                ? nil : "items " + record.changes.filter { !$0.isConfirmation }.map(\.words).joined(separator: ", ")
        case .files(let record): "file \(caseName(record))"
        }
    }
}

extension Exchange.Change {
    fileprivate var isConfirmation: Bool { if case .acknowledged = self { true } else { false } }

    fileprivate var words: String {
        switch self {
        case .added(let item, _): "added \(text(item.payload))"
        case .received(let item, _): "received \(text(item.payload))"
        case .released(_, let number): "released \(number)"
        case .acknowledged, .cancelled, .renumbered, .spent, .passed, .consumed: caseName(self)
        }
    }
}

extension Transaction {
    var words: String {
        let uploads = progress.map { ", uploads through \($0.highest)" } ?? ""
        return "transaction \(after.revision) [\(SyncTransportTests.words(written))]\(uploads)"
    }
}

extension WatchEngine.Record {
    /// Nil as for ``TransferRecord/words``.
    var words: String? {
        switch self {
        case .replica(let record):
            "replica"
                + (record.snapshot.map { " \($0.version.revision) [\(SyncTransportTests.words($0.cells))]" } ?? "")
                + " \(record.pending.words)"
        case .registers(let registers, _):
            "registers " + registers.map { "\($0.register.key) \(text($0.register.value))" }.joined(separator: ", ")
        case .transfer(let record): record.words
        }
    }
}

extension ReplicaRecord.PendingChange {
    fileprivate var words: String {
        switch self {
        case .unchanged: "unchanged"
        case .added(let upload): "added \(upload.sequence) \(upload.upload.words)"
        case .confirmed(let number): "confirmed \(number)"
        case .replaced(let uploads): "replaced \(uploads.count)"
        }
    }
}

extension TransferEvent {
    var words: String {
        switch self {
        case .exchange(.itemReceived(let item)): "item \(text(item.payload))"
        case .exchange(.messageReceived(let message)): "message \(text(message.payload))"
        case .exchange(let event): caseName(event)
        case .files(.ended(let result)): "file ended" + (result.failure.map { ": \($0.cause.code)" } ?? "")
        case .files(.received(let offer)): "file \(offer.name)"
        case .files(let event): "file \(caseName(event))"
        }
    }
}

extension TransferAnswer {
    var words: String {
        switch self {
        case .exchange(.replied(let payload)): "replied \(text(payload))"
        case .exchange(.failed(let fault)): "failed \(caseName(fault))"
        case .exchange(.declined(let fault)): "declined \(caseName(fault))"
        case .exchange(let answer): caseName(answer)
        case .files(let answer): caseName(answer)
        }
    }
}

extension HubEngine.Event {
    var words: String {
        switch self {
        case .linked(_, let name): "linked \(name)"
        case .unlinked(_, let name, let reason): "unlinked \(name): \(reason)"
        case .acknowledged(_, let version): "acknowledged \(version.revision)"
        case .committed(let version): "committed \(version.revision)"
        case .uploadsTaken(_, let highest): "uploads taken through \(highest)"
        case .notStored(let reason): "not stored: \(reason)"
        case .dropped(_, let drop): "dropped \(caseName(drop))"
        case .paired, .refused, .conflicted, .conflictsFull, .uploadsContradicted, .clockSuspect, .forked,
            .duplicateWatch, .cutOff, .registerRefused:
            caseName(self)
        }
    }
}

extension WatchEngine.Event {
    var words: String {
        switch self {
        case .linkChanged(let link): "link \(caseName(link))"
        case .snapshotChanged(let snapshot):
            "snapshot \(snapshot.version.revision) [\(SyncTransportTests.words(snapshot.cells))]"
        case .editsConfirmed(let edits): "confirmed \(edits.count)"
        case .registerChanged(let register): "register \(register.key) \(text(register.value))"
        case .notStored(let reason): "not stored: \(reason)"
        case .hubForked, .dropped: caseName(self)
        }
    }
}
