public import SyncCore

/// Keeps the journal of one run of an engine: every input with its time, and a mark of every output.
///
/// It is notified of a step before any shell acts on its outputs, so that no other journal knows more than this one.
/// Its records go to a closure, one by one. It never waits, and never fails towards the engine: when there is no more
/// room, or when something must not be recorded, it writes the reason and nothing more. A shell whose engines run on
/// several threads keeps it behind a lock.
///
/// A journal holds all values that watches see, user info, messages and the bytes of files. It never holds a secret
/// key, which no engine knows, nor, if the application has secrets among them, a value that stays at the hub.
public struct EngineRecorder: Sendable {
    /// The most bytes of a journal.
    public static let defaultByteCountMax = 256 * 1_048_576
    /// What a journal has in place of a value that stays at the hub.
    static let redacted = "(stays at the hub)"

    private let device: JournalDevice
    private let application: JournalApplication
    private let byteCountMax: Int
    private let write: @Sendable ([UInt8]) -> Bool
    private var byteCount: Int
    private var last: Moment?
    private var isEnded = false
    /// The records that the hub's engine put out and that are not durable yet.
    private var hubRecords: [HubEngine.Output] = []
    /// The records that the watch's engine put out and that are not durable yet.
    private var watchRecords: [WatchEngine.Record] = []

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - device: The device that keeps the journal.
    ///   - application: The application that the device names.
    ///   - byteCount: The bytes that the journal already has; 0 writes its beginning first.
    ///   - byteCountMax: The most bytes that it may have.
    ///   - write: Appends bytes; false if it cannot, then nothing more is written.
    public init(
        device: JournalDevice, of application: JournalApplication, byteCount: Int,
        byteCountMax: Int = EngineRecorder.defaultByteCountMax, write: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        precondition(device.application == application.name, "a device of another application")
        self.device = device
        self.application = application
        self.byteCountMax = byteCountMax
        self.write = write
        self.byteCount = byteCount
    }

    // MARK: - A hub

    /// A hub starts with what its store loaded.
    public mutating func began(
        _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
        outputs: [HubEngine.Output]
    ) {
        var ledger = ledger
        for (key, cell) in ledger.cells.pairs where cell.value != nil && isSecret(key) {
            ledger.cells[key]?.value = Self.redacted
        }
        for (id, conflict) in ledger.conflicts.pairs where isSecret(conflict.key) {
            if conflict.base != nil { ledger.conflicts[id]?.base = Self.redacted }
            if conflict.winner?.value != nil { ledger.conflicts[id]?.winner?.value = Self.redacted }
        }
        var sorted = SortedMap<PeerKey, TransferState>()
        for (peer, state) in transfers { sorted[peer] = state }
        begin(.hub(ledger, transfers: sorted), seed: seed, at: moment, outputs: outputs.map { OutputDigest($0) })
        hubRecords = outputs.filter(\.isRecord)
    }

    /// The hub's engine was given an input.
    public mutating func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output]) {
        guard !isEnded else { return }
        if case .transact(_, let changes, _) = input.withoutAuthor, changes.contains(where: { isSecret($0.key) }) {
            return end(.secret)
        }
        defer { hubRecords += outputs.filter(\.isRecord) }
        guard let outcome = Self.outcome(input) else {
            return step(JournalInput.given(input), at: moment, outputs.map { OutputDigest($0) })
        }
        guard hubRecords.first == outcome.record else { return end(.unrecordable) }
        hubRecords.removeFirst()
        step(
            JournalInput<HubEngine.Input>.outcome(failure: outcome.failure), at: moment,
            outputs.map { OutputDigest($0) })
    }

    /// Whether what a cell holds may be a secret.
    private func isSecret(_ key: CellKey) -> Bool {
        application.hasSecrets && !key.kind.hasPrefix("sync.")
            && !application.hub(device.versions).schema.projects(key)
    }

    private static func outcome(_ input: HubEngine.Input) -> (record: HubEngine.Output, failure: String?)? {
        switch input {
        case .persisted(let group): (.persist(group), nil)
        case .persistFailed(let group, let reason): (.persist(group), reason)
        case .recorded(let peer, let record): (.record(peer, record), nil)
        case .recordFailed(let peer, let record, let reason): (.record(peer, record), reason)
        case .received, .unroutable, .transact, .settle, .beginEpoch, .authored, .publish, .transfer, .invite, .unpair,
            .farewell, .timeReached:
            nil
        }
    }

    // MARK: - A watch

    /// A watch starts with what its store loaded.
    public mutating func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output]
    ) {
        begin(.watch(configuration, loaded), seed: seed, at: moment, outputs: outputs.map { OutputDigest($0) })
        watchRecords = outputs.compactMap(\.record)
    }

    /// The watch's engine was given an input.
    public mutating func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output]) {
        guard !isEnded else { return }
        defer { watchRecords += outputs.compactMap(\.record) }
        let outcome: (record: WatchEngine.Record, failure: String?)
        switch input {
        case .persisted(let record): outcome = (record, nil)
        case .persistFailed(let record, let reason): outcome = (record, reason)
        case .connected, .disconnected, .received, .edit, .settle, .transfer, .retry, .farewell, .timeReached:
            return step(JournalInput.given(input), at: moment, outputs.map { OutputDigest($0) })
        }
        guard watchRecords.first == outcome.record else { return end(.unrecordable) }
        watchRecords.removeFirst()
        step(
            JournalInput<WatchEngine.Input>.outcome(failure: outcome.failure), at: moment,
            outputs.map { OutputDigest($0) })
    }

    // MARK: - Both

    private mutating func begin(
        _ loaded: JournalStart.State, seed: UInt64, at moment: Moment, outputs: [OutputDigest]
    ) {
        last = moment
        if byteCount == 0 { append(JournalFile.beginning) }
        put(.start, JournalStart(device: device, state: loaded, seed: seed, moment: moment, outputs: outputs))
    }

    private mutating func step<Input: JournaledInput>(
        _ input: JournalInput<Input>, at moment: Moment, _ outputs: [OutputDigest]
    ) {
        guard let last else { return }
        self.last = moment
        put(
            .step,
            JournalStep(
                elapsed: moment.monotonic.nanoseconds - last.monotonic.nanoseconds,
                wallElapsed: moment.wallMilliseconds - last.wallMilliseconds, input: input, outputs: outputs))
    }

    private mutating func put(_ kind: JournalKind, _ value: some RecordCodable) {
        guard !isEnded else { return }
        var coder = RecordCoder()
        do throws(CodecError) {
            _ = try coder.byte(kind.rawValue)
            _ = try coder(value)
        } catch {
            return end(.unrecordable)
        }
        guard coder.bytes.count <= JournalFile.recordByteCountMax else { return end(.full) }
        let record = JournalFile.framed(coder.bytes)
        guard byteCount + record.count <= byteCountMax else { return end(.full) }
        append(record)
    }

    /// The last record may exceed the limit: it has nine bytes and one more.
    private mutating func end(_ reason: JournalEnd) {
        guard !isEnded else { return }
        append(JournalFile.framed([JournalKind.end.rawValue, reason.rawValue]))
        isEnded = true
    }

    private mutating func append(_ bytes: [UInt8]) {
        guard !isEnded else { return }
        byteCount += bytes.count
        if !write(bytes) { isEnded = true }
    }
}

extension HubEngine.Output {
    /// Whether it is to be made durable.
    var isRecord: Bool {
        switch self {
        case .persist, .record: true
        case .send, .transfer, .close, .admit, .answer, .event: false
        }
    }
}

extension WatchEngine.Output {
    /// What is to be made durable, nil if nothing.
    var record: WatchEngine.Record? {
        if case .persist(let record) = self { record } else { nil }
    }
}

extension HubEngine.Input {
    /// The input itself, without the author that it may name.
    var withoutAuthor: HubEngine.Input {
        if case .authored(_, let input) = self { input.withoutAuthor } else { self }
    }
}
