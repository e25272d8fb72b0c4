public import SyncCore
import Synchronization

/// Keeps the journal of one life of an engine: every input with its time, and a mark of every output.
///
/// It is told of a step before anybody acts on its outputs, so that no other journal knows more than this one. What it
/// writes goes to a closure, record by record; it never waits and never fails towards the engine: when there is no more
/// room, or something comes that must not be written down, it writes why and says no more since the start.
///
/// A journal holds all values that watches see, user info, messages and the bytes of files. It never holds a secret key,
/// which no engine knows, nor a value that stays at the hub if the application has secrets among those.
public final class EngineRecorder: Sendable {
    /// What a journal may have at most, in bytes.
    public static let defaultByteCountMax = 256 * 1_048_576
    /// What stands in a journal in place of a value that stays at the hub.
    static let redacted = "(stays at the hub)"

    private struct State {
        var byteCount: Int
        var last: Moment?
        var isEnded = false
        var hubRecords: [HubEngine.Output] = []
        var watchRecords: [WatchEngine.Record] = []
    }

    private let device: JournalDevice
    private let application: JournalApplication
    private let byteCountMax: Int
    private let write: @Sendable ([UInt8]) -> Bool
    private let state: Mutex<State>

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - device: Whose journal it is.
    ///   - application: The application that the device names.
    ///   - byteCount: What the journal has already; 0 writes its beginning first.
    ///   - byteCountMax: What it may have at most.
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
        state = Mutex(State(byteCount: byteCount))
    }

    // MARK: - A hub

    /// A hub starts with what its store loaded.
    public func began(
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
        state.withLock { $0.hubRecords = outputs.filter(\.isRecord) }
    }

    /// A hub was told something.
    public func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output]) {
        state.withLock { state in
            guard !state.isEnded else { return }
            if case .transact(_, let changes, _) = input.withoutAuthor, changes.contains(where: { isSecret($0.key) }) {
                return end(.secret, &state)
            }
            let outcome = Self.outcome(input)
            defer { state.hubRecords += outputs.filter(\.isRecord) }
            guard let outcome else {
                return step(JournalInput.told(input), at: moment, outputs.map { OutputDigest($0) }, &state)
            }
            guard state.hubRecords.first == outcome.record else { return end(.unrecordable, &state) }
            state.hubRecords.removeFirst()
            step(
                JournalInput<HubEngine.Input>.outcome(failure: outcome.failure), at: moment,
                outputs.map { OutputDigest($0) }, &state)
        }
    }

    /// Whether what a cell holds may be a secret.
    private func isSecret(_ key: CellKey) -> Bool {
        application.hasSecrets && !key.kind.hasPrefix("sync.")
            && !application.hub(device.versions).schema.projects(key)
    }

    private static func outcome(_ input: HubEngine.Input) -> (record: HubEngine.Output, failure: String?)? {
        switch input {
        case .persisted(let transaction): (.persist(transaction), nil)
        case .persistFailed(let transaction, let reason): (.persist(transaction), reason)
        case .recorded(let peer, let record): (.record(peer, record), nil)
        case .recordFailed(let peer, let record, let reason): (.record(peer, record), reason)
        case .received, .unroutable, .transact, .settle, .beginEpoch, .authored, .publish, .transfer, .invite, .unpair,
            .farewell,
            .timeReached:
            nil
        }
    }

    // MARK: - A watch

    /// A watch starts with what its store loaded.
    public func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output]
    ) {
        begin(.watch(configuration, loaded), seed: seed, at: moment, outputs: outputs.map { OutputDigest($0) })
        state.withLock { $0.watchRecords = outputs.compactMap(\.record) }
    }

    /// A watch was told something.
    public func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output]) {
        state.withLock { state in
            guard !state.isEnded else { return }
            defer { state.watchRecords += outputs.compactMap(\.record) }
            let outcome: (record: WatchEngine.Record, failure: String?)
            switch input {
            case .persisted(let record): outcome = (record, nil)
            case .persistFailed(let record, let reason): outcome = (record, reason)
            case .connected, .disconnected, .received, .edit, .settle, .transfer, .retry, .farewell, .timeReached:
                return step(JournalInput.told(input), at: moment, outputs.map { OutputDigest($0) }, &state)
            }
            guard state.watchRecords.first == outcome.record else { return end(.unrecordable, &state) }
            state.watchRecords.removeFirst()
            step(
                JournalInput<WatchEngine.Input>.outcome(failure: outcome.failure), at: moment,
                outputs.map { OutputDigest($0) }, &state)
        }
    }

    // MARK: - Both

    private func begin(_ loaded: JournalStart.State, seed: UInt64, at moment: Moment, outputs: [OutputDigest]) {
        state.withLock { state in
            state.last = moment
            if state.byteCount == 0 { append(JournalFile.beginning, &state) }
            let start = JournalStart(device: device, state: loaded, seed: seed, moment: moment, outputs: outputs)
            put(.start, start, &state)
        }
    }

    private func step<Input: JournaledInput>(
        _ input: JournalInput<Input>, at moment: Moment, _ outputs: [OutputDigest], _ state: inout State
    ) {
        guard let last = state.last else { return }
        state.last = moment
        put(
            .step,
            JournalStep(
                elapsed: moment.monotonic.nanoseconds - last.monotonic.nanoseconds,
                wallElapsed: moment.wallMilliseconds - last.wallMilliseconds, input: input, outputs: outputs), &state)
    }

    private func put(_ kind: JournalKind, _ value: some RecordCodable, _ state: inout State) {
        guard !state.isEnded else { return }
        var coder = RecordCoder()
        do throws(CodecError) {
            _ = try coder.byte(kind.rawValue)
            _ = try coder(value)
        } catch {
            return end(.unrecordable, &state)
        }
        guard coder.bytes.count <= JournalFile.recordByteCountMax else { return end(.full, &state) }
        let record = JournalFile.framed(coder.bytes)
        guard state.byteCount + record.count <= byteCountMax else { return end(.full, &state) }
        append(record, &state)
    }

    /// The last record may lie beyond the limit: it is nine bytes and one.
    private func end(_ reason: JournalEnd, _ state: inout State) {
        guard !state.isEnded else { return }
        append(JournalFile.framed([JournalKind.end.rawValue, reason.rawValue]), &state)
        state.isEnded = true
    }

    private func append(_ bytes: [UInt8], _ state: inout State) {
        guard !state.isEnded else { return }
        state.byteCount += bytes.count
        if !write(bytes) { state.isEnded = true }
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
