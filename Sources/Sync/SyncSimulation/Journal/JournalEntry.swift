public import SyncCore

/// The device that keeps a journal, and the part of its engine's start that does not follow from the rest.
public struct JournalDevice: Hashable, Sendable {
    /// The name of the device for people.
    public var name: String
    /// The public key by which the others know it.
    public var key: PeerKey
    /// The versions of the records that it reads.
    public var versions: ClosedRange<UInt32>
    /// The name of its ``JournalApplication``.
    public var application: String

    /// Creates the description of a device.
    public init(name: String, key: PeerKey, versions: ClosedRange<UInt32>, application: String) {
        self.name = name
        self.key = key
        self.versions = versions
        self.application = application
    }
}

extension JournalDevice: RecordCodable {
    package static func code(_ value: JournalDevice?, _ coder: inout RecordCoder) throws(CodecError) -> JournalDevice {
        let (name, key) = (try coder(value?.name), try coder(value?.key))
        let (oldest, newest) = (try coder(value?.versions.lowerBound), try coder(value?.versions.upperBound))
        guard oldest <= newest else { throw CodecError("no version lies between \(oldest) and \(newest)") }
        return JournalDevice(
            name: name, key: key, versions: oldest...newest, application: try coder(value?.application))
    }
}

/// The start of a process: the state as the store loaded it, and its random bits.
struct JournalStart: RecordCodable {
    /// What an engine starts with.
    enum State {
        case hub(LedgerState, transfers: SortedMap<PeerKey, TransferState>)
        case watch(WatchEngine.Configuration, WatchEngine.State)
    }

    var device: JournalDevice
    var state: State
    var seed: UInt64
    var moment: Moment
    /// What the engine put out at its start.
    var outputs: [OutputDigest]

    static func code(_ value: JournalStart?, _ coder: inout RecordCoder) throws(CodecError) -> JournalStart {
        var start = JournalStart(
            device: try coder(value?.device), state: try coder(value?.state), seed: try coder.word(value?.seed),
            moment: Moment(
                monotonic: Instant(nanoseconds: try coder(value?.moment.monotonic.nanoseconds)),
                wallMilliseconds: try coder(value?.moment.wallMilliseconds)),
            outputs: try coder(value?.outputs))
        try start.state.codeOptions(&coder)
        return start
    }
}

extension JournalStart.State: RecordCodable {
    static func code(
        _ value: JournalStart.State?, _ coder: inout RecordCoder
    ) throws(CodecError) -> JournalStart.State {
        switch value {
        case .hub(let state, let transfers):
            _ = try coder(true)
            return .hub(try coder(state), transfers: try coder(transfers))
        case .watch(let configuration, let state):
            _ = try coder(false)
            return .watch(try coder(configuration), try coder(state))
        case nil:
            return try coder.next(Bool.self)
                ? .hub(try coder.next(), transfers: try coder.next()) : .watch(try coder.next(), try coder.next())
        }
    }
}

extension JournalStart.State {
    /// Writes or reads what later versions of an engine do in addition; a journal that ends before is of a version that
    /// did not.
    fileprivate mutating func codeOptions(_ coder: inout RecordCoder) throws(CodecError) {
        guard case .watch(var configuration, let state) = self else { return }
        let isOlder = coder.isReading && coder.isAtEnd
        configuration.takesDeltas =
            isOlder ? false : try coder(coder.isReading ? nil : configuration.takesDeltas)
        self = .watch(configuration, state)
    }
}

extension WatchEngine.Configuration: RecordCodable {
    package static func code(
        _ value: WatchEngine.Configuration?, _ coder: inout RecordCoder
    ) throws(CodecError) -> WatchEngine.Configuration {
        let name = try coder(value?.name)
        let (oldest, newest) = (
            try coder(value?.schemaVersions.lowerBound), try coder(value?.schemaVersions.upperBound)
        )
        guard oldest <= newest else { throw CodecError("no version lies between \(oldest) and \(newest)") }
        return WatchEngine.Configuration(
            name: name, app: try coder.optional(value?.app), schemaVersions: oldest...newest,
            window: try coder(value?.window), node: try coder.word(value?.node))
    }
}

extension AppName: RecordCodable {
    package static func code(_ value: AppName?, _ coder: inout RecordCoder) throws(CodecError) -> AppName {
        let text = try coder(value?.text)
        guard let name = AppName(text) else { throw CodecError("\"\(text)\" is no name of an application") }
        return name
    }
}

/// One input with its time, and what the engine wanted then.
struct JournalStep<Input: JournaledInput>: RecordCodable {
    /// The nanoseconds since the step before, on the clock that only goes forward.
    var elapsed: Int64
    /// By how many milliseconds the wall clock advanced since then.
    var wallElapsed: Int64
    var input: JournalInput<Input>
    var outputs: [OutputDigest]

    static func code(
        _ value: JournalStep<Input>?, _ coder: inout RecordCoder
    ) throws(CodecError) -> JournalStep<Input> {
        JournalStep(
            elapsed: try coder(value?.elapsed), wallElapsed: try coder(value?.wallElapsed),
            input: try coder(value?.input), outputs: try coder(value?.outputs))
    }
}

/// Why a run is not recorded further, although the process continues.
enum JournalEnd: UInt8 {
    /// The journal has as many bytes as it may.
    case full = 0
    /// A cell was written that never leaves the hub: it may be a password.
    case secret = 1
    /// The driver gave an input that a journal cannot represent.
    case unrecordable = 2

    var words: String {
        switch self {
        case .full: "the journal is full"
        case .secret: "something was written that stays at the hub, such as a password"
        case .unrecordable: "the engine got an input that a journal cannot represent"
        }
    }
}

/// What stands at the beginning of a record.
enum JournalKind: UInt8 {
    case start = 1
    case step = 2
    case end = 3
}
