/// The body of HELLO: a watch introduces itself and asks for a session.
public struct Hello: Hashable, Sendable {
    /// A random number that ties the answer to this greeting.
    public var nonce: UInt64
    /// The major versions of the wire that the watch speaks.
    public var wire: ClosedRange<UInt32>
    /// The record versions that the watch can read.
    public var schema: ClosedRange<UInt32>
    /// The name that the watch asks for; only people use it.
    public var name: String
    /// The application that the watch is a part of; nil from a watch that names none.
    public var app: AppName?
    /// The epoch that the watch follows, nil before its first.
    ///
    /// It differs from that of ``known`` while the first snapshot of a new epoch is not stored yet.
    public var epoch: Epoch?
    /// The snapshot that the watch holds, nil before its first.
    public var known: Version?
    /// The record version of that snapshot; 0 before the first.
    public var knownRecords: UInt32
    /// The positions up to which the watch holds items durably.
    public var items: ItemPositions
    /// The number of register values that the watch accepts before the hub must wait for credit; 1…1024.
    public var window: UInt32
    /// Whether the watch takes deltas of snapshots; watches did not before deltas existed.
    public var takesDeltas: Bool
    /// Whether the watch takes several register values in one frame; watches did not before such frames existed.
    public var takesRegisters: Bool

    /// Creates a greeting.
    public init(
        nonce: UInt64, wire: ClosedRange<UInt32>, schema: ClosedRange<UInt32>, name: String, app: AppName? = nil,
        epoch: Epoch?, known: Version?, knownRecords: UInt32 = 0, items: ItemPositions = ItemPositions(),
        window: UInt32, takesDeltas: Bool = false, takesRegisters: Bool = false
    ) {
        self.takesDeltas = takesDeltas
        self.takesRegisters = takesRegisters
        self.knownRecords = knownRecords
        self.items = items
        self.nonce = nonce
        self.wire = wire
        self.schema = schema
        self.name = name
        self.app = app
        self.epoch = epoch
        self.known = known
        self.window = window
    }

    package var frame: Frame {
        let known: JSONValue = known?.json ?? .null
        var members: [(String, JSONValue)] = [
            ("nonce", .hexadecimal(nonce)), ("wire", wire.json), ("schema", schema.json), ("name", .string(name)),
            ("epoch", epoch.map { .hexadecimal($0.number) } ?? .null), ("known", known),
            ("knownRecords", .integer(Int64(knownRecords))), ("items", items.json),
            ("window", .integer(Int64(window))),
        ]
        if let app { members.append(("app", .string(app.text))) }
        if takesDeltas { members.append(("deltas", .integer(1))) }
        if takesRegisters { members.append(("registers", .integer(1))) }
        return Frame(kind: .hello, session: 0, body: JSONValue.members(JSONMembers(members)).encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        nonce = try reader.hexadecimal("nonce")
        wire = try reader.range("wire")
        schema = try reader.range("schema")
        name = try reader.text("name", byteCountMax: 256)
        app = try reader.appName()
        window = UInt32(try reader.integer("window", in: 1...1024))
        takesDeltas = try reader.flagIfPresent("deltas")
        takesRegisters = try reader.flagIfPresent("registers")
        knownRecords = UInt32(try reader.integer("knownRecords", in: 0...Int64(UInt32.max)))
        items = try ItemPositions(try reader.object("items"))
        epoch = try reader.hexadecimalOrNull("epoch").map { Epoch(number: $0) }
        known = try reader.objectOrNull("known").map { (known) throws(FrameError) in try Version(known) }
    }
}

/// The body of WELCOME: the hub opens a session.
public struct Welcome: Hashable, Sendable {
    /// The nonce of the HELLO that this answers.
    public var nonce: UInt64
    /// The run of the hub's process; a session never outlives it.
    public var boot: UInt64
    /// The major version of the wire format that both sides use.
    public var wire: UInt32
    /// The record version that the hub will send.
    public var schema: UInt32
    /// How far the hub has taken in this watch's uploads; nil if it has none.
    public var uploads: UploadReceipt?
    /// The positions up to which the hub holds items of this watch durably.
    public var items: ItemPositions
    /// The hub's wall clock in milliseconds since 1970.
    public var hubMilliseconds: Int64
    /// The time between two pings, in milliseconds; 10…3,600,000.
    public var heartbeatMilliseconds: UInt32

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "nonce": .hexadecimal(nonce), "boot": .hexadecimal(boot), "wire": .integer(Int64(wire)),
            "schema": .integer(Int64(schema)), "uploads": uploads?.json ?? .null, "items": items.json,
            "time": .integer(hubMilliseconds),
            "heartbeat": .integer(Int64(heartbeatMilliseconds)),
        ])
        return Frame(kind: .welcome, session: session, body: body.encoded)
    }

    init(
        nonce: UInt64, boot: UInt64, wire: UInt32, schema: UInt32, uploads: UploadReceipt? = nil,
        items: ItemPositions = ItemPositions(), hubMilliseconds: Int64, heartbeatMilliseconds: UInt32
    ) {
        self.items = items
        self.nonce = nonce
        self.boot = boot
        self.wire = wire
        self.schema = schema
        self.uploads = uploads
        self.hubMilliseconds = hubMilliseconds
        self.heartbeatMilliseconds = heartbeatMilliseconds
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        nonce = try reader.hexadecimal("nonce")
        boot = try reader.hexadecimal("boot")
        wire = UInt32(try reader.integer("wire", in: 0...Int64(UInt32.max)))
        schema = UInt32(try reader.integer("schema", in: 0...Int64(UInt32.max)))
        uploads = try reader.objectOrNull("uploads").map { (uploads) throws(FrameError) in try UploadReceipt(uploads) }
        items = try ItemPositions(try reader.object("items"))
        hubMilliseconds = try reader.integer("time", in: Int64.min...Int64.max)
        heartbeatMilliseconds = UInt32(try reader.integer("heartbeat", in: 10...3_600_000))
    }
}

/// The body of REFUSE: why the hub refuses, for programs and for people.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for programs.
    public enum Code: String, CaseIterable, Sendable {
        /// The hub supports no version that the watch supports; the hub is the older one.
        case upgradeHub
        /// As above, but the watch is the older one.
        case upgradeWatch
        /// The hub does not know this watch, or no longer does.
        case notPaired
        /// The key belongs to an invitation, which is only good for pairing.
        case invitationOnly
        /// The invitation was used by another watch, has expired or was withdrawn.
        case invitationVoid
        /// The watch belongs to another application than the hub.
        case otherApp
        /// A newer session of the same watch replaced this one.
        case takenOver
        /// The hub already has the maximum number of watches.
        case full
        /// The request was not understood, or could not be stored.
        case failed
    }

    /// The reason, for programs.
    public var code: Code
    /// The reason and what to do about it, for people.
    public var text: String
    /// The time to wait before the next attempt, in milliseconds.
    public var retryAfterMilliseconds: UInt32
    /// The text.
    public var description: String { text }

    /// Creates a refusal.
    public init(code: Code, text: String, retryAfterMilliseconds: UInt32) {
        self.code = code
        self.text = text
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// The refusal for a watch of another application than the hub's.
    static func otherApp(watch: AppName, hub: AppName) -> Refusal {
        Refusal(
            code: .otherApp,
            text: "this watch is of \(watch), this hub is of \(hub): pair the watch with a hub of \(watch)",
            retryAfterMilliseconds: 60_000)
    }

    /// The frame; `nonce` is that of the frame that it answers, 0 if it answers none.
    func frame(nonce: UInt64, session: UInt64 = 0) -> Frame {
        let body = JSONValue.members([
            "code": .string(code.rawValue), "text": .string(text), "nonce": .hexadecimal(nonce),
            "retryAfter": .integer(Int64(retryAfterMilliseconds)),
        ])
        return Frame(kind: .refuse, session: session, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        // A later version may send an unknown code; its text is still shown.
        code = Code(rawValue: try reader.text("code")) ?? .failed
        text = try reader.text("text")
        retryAfterMilliseconds = UInt32(try reader.integer("retryAfter", in: 0...Int64(UInt32.max)))
    }

    /// The nonce of the frame that a refusal answers.
    static func nonce(_ frame: Frame) throws(FrameError) -> UInt64 {
        try BodyReader(frame).hexadecimal("nonce")
    }
}

extension ClosedRange<UInt32> {
    fileprivate var json: JSONValue { .array([.integer(Int64(lowerBound)), .integer(Int64(upperBound))]) }
}
