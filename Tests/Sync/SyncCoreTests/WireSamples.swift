@testable import SyncCore

/// At least one frame of each kind, as in the fixture of the wire format.
enum WireSamples {
    static let session: UInt64 = 0xABCD
    private static let id = RandomID(high: 1, low: 2)
    private static let place = Cell.Place(epoch: Epoch(number: 4), revision: 17)

    static let frames = control + live + context + userInfo + file

    private static let control: [Frame] = [
        Hello(
            nonce: 1, wire: 1...1, schema: 1...2, name: "wrist", epoch: Epoch(number: 4),
            known: version(17, epoch: 4, chain: 9), items: positions, window: 64
        ).frame,
        welcome(1).frame(session: session),
        welcome(1, uploads: receipt, items: positions).frame(session: session),
        Refusal(code: .notPaired, text: "pair it", retryAfterMilliseconds: 10_000).frame(nonce: 1),
        Ping(number: 3).frame(session: session),
        Pong(number: 3, hubMilliseconds: 1_790_000_000_001).frame(session: session),
        Frame(kind: .bye, session: session),
        Credit(highest: 9, missing: [7]).frame(session: session),
        PairRequest(nonce: 1, key: key(7), name: "wrist").frame,
        PairAnswer(nonce: 1, name: "wrist").frame,
        Hello(
            nonce: 1, wire: 1...1, schema: 1...2, name: "wrist", app: "poolsensors", epoch: nil, known: nil, window: 64
        ).frame,
        PairRequest(nonce: 1, key: key(7), name: "wrist", app: "poolsensors").frame,
        Refusal.otherApp(watch: "tars", hub: "poolsensors").frame(nonce: 1),
        Hello(
            nonce: 1, wire: 1...1, schema: 1...2, name: "wrist", app: "poolsensors", epoch: Epoch(number: 4),
            known: version(16, epoch: 4, chain: 8), knownRecords: 1, window: 64, takesDeltas: true, takesRegisters: true
        ).frame,
    ]

    private static let live: [Frame] = [
        register("device/a", 12).frame(session: session, number: 9, epoch: Epoch(number: 4)),
        MessageFrame(number: 2, wantsReply: true, timeoutMilliseconds: 5000, payload: [1, 2]).frame(session: session),
        MessageAnswerFrame.reply([3]).frame(number: 2, session: session),
        MessageAnswerFrame.declined(.noHandler, text: "nobody listens").frame(number: 2, session: session),
        Frame(
            kind: .registers, session: session, sequence: 10,
            body: Array(
                (#"{"epoch":"0000000000000004","values":[{"bytes":2,"key":"device/a","order":"000000000000000d"},"#
                    + #"{"bytes":1,"key":"device/b","order":"0000000000000003"}]}"#).utf8), blob: [1, 2, 3]),
    ]

    private static let context: [Frame] = [
        snapshot.frame(session: session),
        snapshot.frame(session: session, receipt: receipt),
        version(17, epoch: 4, chain: 9).acknowledgement(session: session),
        UploadBatch(
            incarnation: id, firstPending: 3,
            uploads: [
                NumberedUpload(sequence: 3, upload: .edit(edit)),
                NumberedUpload(sequence: 4, upload: .salvage(conflict)),
            ]
        ).frame(session: session),
        ContextFrame.frame(
            version: delta.version, base: delta.base, contents: delta.contents, receipt: receipt, session: session),
    ]

    private static let userInfo: [Frame] = [
        ItemFrame(
            stream: id, number: 5, isFirst: false, id: RandomID(high: 3, low: 4), track: .urgent, payload: [9]
        ).frame(session: session),
        ItemAcknowledgement(
            ItemPosition(stream: id, highest: 5, lastID: RandomID(high: 3, low: 4)), isMissingNext: true
        ).frame(session: session),
    ]

    private static let file: [Frame] = [
        FileOffer(
            id: id, name: "pool.csv", byteCount: 70_000, digest: digest, metadata: Array("{}".utf8)
        ).frame(session: session, number: 1),
        FilePull(id: id, number: 2, offset: 32_768, byteCount: 262_144, arrived: 32_768).frame(session: session),
        FileChunk(id: id, offset: 32_768, bytes: [7, 8, 9]).frame(session: session),
        FileDone(id: id).frame(session: session),
        FileAbort(id: id, failure: FileFailure(.damaged, "the digest differs")).frame(session: session),
    ]

    private static let digest: FileDigest = {
        guard let digest = FileDigest(bytes: Array(0..<32)) else { preconditionFailure("32 bytes are a digest") }
        return digest
    }()

    // MARK: - Contents

    static let positions = ItemPositions(
        urgent: nil, ordinary: ItemPosition(stream: id, highest: 5, lastID: RandomID(high: 3, low: 4)))

    static let receipt = UploadReceipt(
        incarnation: id, highest: 2, last: RandomID(high: 5, low: 6),
        outcomes: [UploadOutcome(sequence: 2, id: RandomID(high: 5, low: 6), rule: .newest)])

    static let edit = Edit(
        id: RandomID(high: 7, low: 8),
        changes: [
            Edit.Change(key: note(1), value: "b", base: RandomID(high: 1, low: 2), seen: "a"),
            Edit.Change(key: note(2), value: nil, base: nil, seen: nil),
        ],
        stamp: Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 9), schema: 1,
        resolves: RandomID(high: 9, low: 9))

    static let conflict = Conflict(
        id: RandomID(high: 5, low: 6), edit: RandomID(high: 5, low: 6), key: note(1), base: "a",
        loser: Conflict.Side(
            value: "c", dot: RandomID(high: 5, low: 6), stamp: Stamp(milliseconds: 1, counter: 2, node: 9),
            author: "wrist"),
        winner: Conflict.Side(
            value: nil, dot: id, stamp: Stamp(milliseconds: -1, counter: 0, node: 0), author: "hub"),
        rule: .deleted, place: place)

    /// A cell that was written, one that is gone, a conflict that was logged, and one that was settled.
    static let delta: SnapshotDelta = {
        var delta = SnapshotDelta(
            base: version(16, epoch: 4, chain: 8), version: version(17, epoch: 4, chain: 9), records: 1,
            stamp: Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 0), gone: [note(2)],
            settled: [RandomID(high: 5, low: 7)])
        delta.written[note(1)] = snapshot.cells[note(1)]
        delta.logged[conflict.id] = conflict
        return delta
    }()

    static let snapshot: Snapshot = {
        var snapshot = Snapshot(version: version(17, epoch: 4, chain: 9), cells: SortedMap())
        snapshot.stamp = Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 0)
        snapshot.lineage[Epoch(number: 2)] = 11
        snapshot.cells[note(1)] = Cell(
            value: "{\"text\":\"é\"}", dot: id, stamp: Stamp(milliseconds: 1_790_000_000_000, counter: 1, node: 0),
            written: place, created: place)
        snapshot.conflicts[conflict.id] = conflict
        return snapshot
    }()
}
