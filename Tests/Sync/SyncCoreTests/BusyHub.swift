@testable import SyncCore

/// A hub on a slow processor, in virtual time: each input takes as long as what the engine has to do for it.
///
/// An honest watch gets a value ten times a second, and edits something each second. A hostile one sends uploads as fast
/// as it likes.
struct BusyHub {
    /// What the hostile watch brings.
    enum Attack: CaseIterable, Sendable {
        /// Deletions of cells that never were.
        case deletesNothing
        /// Deletions of cells that it says it saw.
        case deletesUnknown
        /// Deletions that the hub is said to have lost.
        case salvagesDeletions
        /// New cells, until there is no room for more.
        case creates
        /// New cells, which it deletes again.
        case createsAndDeletes
        /// Edits with nothing in them, one at a time.
        case editsNothing
    }

    /// The time of a step of the ledger, of a byte that is read, and of one that is encoded, in nanoseconds.
    private static let (stepTime, byteTime, encodedByteTime) = (5000, 100, 10)
    /// The time in which the disk keeps a transaction, and each cell of it, in nanoseconds.
    private static let (storeTime, rowTime) = (5_000_000, 20_000)

    private struct Event {
        var at: Int64
        var input: HubEngine.Input
        /// When a value was published.
        var isValue = false
    }

    private let attack: Attack
    private let waits: Bool
    private let honest = key(1)
    private let hostile = key(2)
    private(set) var hub = HubScript(schema: houseSchema)
    private var events: [Event] = []
    /// When the processor is free, in nanoseconds.
    private var free: Int64 = 1_000_000
    private var encoded: UInt64?

    private var hostileSession: UInt64?
    private var hostileConnection: UInt8 = 10
    private var hostileGreetsAt: Int64?
    private var hostileSequence: UInt64 = 0
    private var hostileIncarnation: UInt64 = 1
    private var hostileSendsAt: Int64 = 0
    private var number: UInt64 = 1000
    /// Of the hostile watch's edits and salvage.
    private var hostileNumber: UInt64 = 1_000_000
    private var honestSession: UInt64 = 0
    private var honestSequence: UInt64 = 0
    private var editedAt: Int64?
    private var pinged: UInt64 = 0

    /// The longest time from a value's change until it was sent to the honest watch, in milliseconds.
    private(set) var slowestValue: Int64 = 0
    /// The longest time from an edit of the honest watch until its receipt was sent, in milliseconds.
    private(set) var slowestEdit: Int64 = 0
    private(set) var valueCount = 0
    private(set) var editCount = 0
    /// The uploads of the hostile watch that the hub took in, and how often it was cut off.
    private(set) var takenCount = 0
    private(set) var cutOffCount = 0
    private(set) var isHonestLost = false

    init(_ attack: Attack, waits: Bool) {
        self.attack = attack
        self.waits = waits
        hub.pair(honest, at: 0)
        hub.pair(hostile, at: 0)
        honestSession = hub.greet(honest, on: connection(1), at: 1) ?? 0
        hostileSession = hub.greet(hostile, on: connection(hostileConnection), nonce: 9, at: 1)
        for (session, peer, number) in [(honestSession, honest, 1), (hostileSession ?? 0, hostile, hostileConnection)] {
            let held = hub.engine.version.acknowledgement(session: session)
            hub.send(held, peer, connection(number), at: 1)
        }
        _ = hub.claimDeeds()
    }

    /// Lets some seconds pass.
    mutating func run(seconds: Int64) {
        var tick: Int64 = 5_000_000
        while tick <= seconds * 1_000_000_000 {
            if tick % 100_000_000 == 0 { publish(at: tick) }
            if tick % 1_000_000_000 == 0 { honestActs(at: tick) }
            hostileActs(at: tick)
            if let deadline = hub.engine.nextDeadline, deadline.nanoseconds <= tick { add(.timeReached, at: tick) }
            handleEvents(until: tick)
            tick += 5_000_000
        }
    }

    // MARK: - The processor

    private mutating func add(_ input: HubEngine.Input, at time: Int64, isValue: Bool = false) {
        let position = events.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
        events.insert(Event(at: time, input: input, isValue: isValue), at: position)
    }

    private mutating func handleEvents(until tick: Int64) {
        while let event = events.first, max(free, event.at) <= tick {
            events.removeFirst()
            let (steps, read) = (hub.engine.stepCount, hub.engine.readByteCount)
            let start = max(free, event.at)
            hub.feed(event.input, at: Self.moment(start))
            var work =
                (hub.engine.stepCount - steps) * Self.stepTime + (hub.engine.readByteCount - read) * Self.byteTime
            let outputs = hub.outputs
            hub.outputs = []
            for case .send(let frame, _) in outputs where frame.kind == .context {
                work += frame.blob.count * (encoded == frame.sequence ? 1 : Self.encodedByteTime)
                encoded = frame.sequence
            }
            free = start + Int64(work)
            for output in outputs { carryOut(output, of: event) }
        }
    }

    private static func moment(_ nanoseconds: Int64) -> Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds),
            wallMilliseconds: SyncCoreTests.moment(nanoseconds / 1_000_000).wallMilliseconds)
    }

    private mutating func carryOut(_ output: HubEngine.Output, of event: Event) {
        switch output {
        case .persist(let group):
            let rows = group.reduce(0) { $0 + $1.written.count + $1.removed.count + ($1.progress?.taken.count ?? 0) }
            add(.persisted(group), at: free + Int64(Self.storeTime + rows * Self.rowTime))
        case .send(let frame, connection(1)) where frame.kind == .register:
            valueCount += 1
            if event.isValue { slowestValue = max(slowestValue, (free - event.at) / 1_000_000) }
            add(credit(frame.sequence), at: free + 2_000_000)
        case .send(let frame, connection(1)) where frame.kind == .context:
            guard let (held, receipt) = try? Self.read(frame) else { return }
            if let editedAt, receipt == honestSequence {
                slowestEdit = max(slowestEdit, (free - editedAt) / 1_000_000)
                editCount += 1
                self.editedAt = nil
            }
            add(received(held.acknowledgement(session: honestSession), honest, connection(1)), at: free + 2_000_000)
        case .send(let frame, connection(hostileConnection)) where frame.kind == .context:
            guard let held = try? Self.read(frame).held, let session = hostileSession else { return }
            let acknowledgement = held.acknowledgement(session: session)
            add(received(acknowledgement, hostile, connection(hostileConnection)), at: free + 2_000_000)
        case .send(let frame, connection(hostileConnection)) where frame.kind == .welcome:
            hostileSession = frame.session
        case .event(.uploadsTaken(hostile, _)):
            takenCount += 1
            if waits { hostileSendsAt = free }
        case .event(.cutOff(hostile, _)): cutOffCount += 1
        case .event(.unlinked(hostile, _, _)):
            hostileSession = nil
            hostileGreetsAt = free + 10_000_000_000
        case .event(.unlinked(honest, _, _)): isHonestLost = true
        default: break
        }
    }

    // MARK: - The honest watch

    private func received(_ frame: Frame, _ peer: PeerKey, _ connection: ConnectionID) -> HubEngine.Input {
        .received(parts: FrameCodec.parts(of: frame), connection: connection, peer: peer)
    }

    private func credit(_ highest: UInt64) -> HubEngine.Input {
        received(Credit(highest: highest, missing: []).frame(session: honestSession), honest, connection(1))
    }

    /// The version of a snapshot, and how far its receipt goes; the contents would take long to read.
    private static func read(_ frame: Frame) throws(FrameError) -> (held: Version, receipt: UInt64?) {
        let reader = try BodyReader(frame)
        let held = Version(
            epoch: Epoch(number: try reader.hexadecimal("epoch")), revision: frame.sequence,
            chain: try reader.hexadecimal("chain"))
        return (held, try reader.objectOrNull("receipt")?.hexadecimal("highest"))
    }

    private mutating func publish(at tick: Int64) {
        number += 1
        add(.publish(register("a", number)), at: tick, isValue: true)
    }

    private mutating func honestActs(at tick: Int64) {
        pinged += 1
        add(received(Ping(number: pinged).frame(session: honestSession), honest, connection(1)), at: tick)
        guard editedAt == nil else { return }
        honestSequence += 1
        number += 1
        editedAt = tick
        let edit = edit(number, [change(color(1), "\(number)", base: hub.engine.cells[color(1)]?.dot)])
        let batch = UploadBatch(
            incarnation: id(1), firstPending: honestSequence,
            uploads: [NumberedUpload(sequence: honestSequence, upload: .edit(edit))])
        add(received(batch.frame(session: honestSession), honest, connection(1)), at: tick)
    }

    // MARK: - The hostile watch

    private mutating func hostileActs(at tick: Int64) {
        if let at = hostileGreetsAt, at <= tick {
            hostileGreetsAt = nil
            hostileConnection += 1
            hostileIncarnation += 1
            hostileSequence = 0
            hostileSendsAt = tick
            let hello = Hello(
                nonce: UInt64(tick), wire: 1...1, schema: 1...1, name: "wrist", epoch: nil, known: nil, window: 4)
            add(received(hello.frame, hostile, connection(hostileConnection)), at: tick)
        }
        guard let session = hostileSession, hostileSendsAt <= tick else { return }
        // One that waits sends the same again after two seconds, as others do.
        hostileSendsAt = waits ? tick + 2_000_000_000 : tick
        let uploads = uploads()
        if !waits { hostileIncarnation += 1 }
        let batch = UploadBatch(
            incarnation: id(hostileIncarnation << 20), firstPending: uploads.first?.sequence ?? 1, uploads: uploads)
        add(received(batch.frame(session: session), hostile, connection(hostileConnection)), at: tick)
    }

    /// Uploads of as many bytes as one frame may have, with numbers that the hub takes.
    private mutating func uploads() -> [NumberedUpload] {
        var uploads: [NumberedUpload] = []
        var byteCount = 0
        var sequence = waits ? hostileSequence : 0
        while uploads.count < (attack == .editsNothing ? 1 : UploadBatch.countMax) {
            sequence += 1
            let upload = NumberedUpload(sequence: sequence, upload: upload())
            byteCount += upload.json.encoded.count + 1
            guard byteCount <= UploadBatch.byteCountMax else { break }
            uploads.append(upload)
        }
        if waits { hostileSequence = uploads.last?.sequence ?? hostileSequence }
        return uploads
    }

    private mutating func upload() -> Upload {
        hostileNumber += 1
        let number = hostileNumber
        let first = number * 100
        switch attack {
        case .deletesNothing: return .edit(edit(number, (0..<16).map { change(title(first + $0), nil) }))
        case .deletesUnknown:
            return .edit(edit(number, (0..<16).map { change(title(first + $0), nil, base: id(first + $0)) }))
        case .salvagesDeletions:
            return .salvage(lostDeletion(of: title(first), id(number)))
        case .creates: return .edit(edit(number, (0..<16).map { change(title(first + $0), "") }))
        case .createsAndDeletes:
            let isDeletion = number % 2 == 1
            let record = (number / 2) * 100
            return .edit(
                edit(
                    number,
                    (0..<16).map {
                        change(
                            title(record + $0), isDeletion ? nil : "x",
                            base: isDeletion ? edit(number - 1, []).dot(of: Int($0)) : nil)
                    }))
        case .editsNothing: return .edit(edit(number, []))
        }
    }
}
