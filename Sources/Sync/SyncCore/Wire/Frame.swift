/// A class of traffic on a link; the lower number goes first when both wait.
public enum Lane: UInt8, CaseIterable, Sendable {
    /// The handshake, heartbeats and credit.
    case control = 0
    /// Registers and live messages.
    case live = 1
    /// Snapshots of the configuration, and a watch's edits of it.
    case context = 2
    /// Queued items that arrive each exactly once, in order; complication items among them.
    case userInfo = 3
    /// Files, in chunks.
    case file = 4
}

/// What a frame says; the raw value is its lane in the upper byte and its kind in the lower.
public enum FrameKind: UInt16, CaseIterable, Sendable {
    /// A watch asks for a session.
    case hello = 0x0001
    /// The hub opens a session.
    case welcome = 0x0002
    /// The hub declines, in words.
    case refuse = 0x0003
    /// A watch asks whether the hub answers.
    case ping = 0x0005
    /// The hub answers a ping.
    case pong = 0x0006
    /// The sender ends the session.
    case bye = 0x0007
    /// A watch tells which live frames arrived, and so grants room for more.
    case credit = 0x0008
    /// A watch that holds an invitation asks to be paired.
    case pair = 0x0009
    /// The hub paired the watch.
    case paired = 0x000A
    /// The newest value of a register.
    case register = 0x0101
    /// A live message from one application to the other; the blob is its payload.
    case message = 0x0102
    /// The answer to a live message, or the confirmation of one that asks for none; the blob is the answer's payload.
    case reply = 0x0103
    /// A live message was not answered, and why.
    case messageError = 0x0104
    /// A whole snapshot of the configuration.
    case context = 0x0201
    /// A watch holds the snapshot durably.
    case contextAcknowledged = 0x0202
    /// A watch's batch of edits of the configuration.
    case upload = 0x0203
    /// One item of a numbered stream; the blob is its payload.
    case item = 0x0301
    /// How far the receiver holds a numbered stream durably.
    case itemAcknowledged = 0x0302
    /// The sender has a file: its size, its checksum and what belongs to it.
    case offer = 0x0401
    /// The receiver asks for a part of a file.
    case pull = 0x0402
    /// A part of a file; the blob is its bytes.
    case chunk = 0x0403
    /// The receiver holds the whole file durably.
    case done = 0x0404
    /// One end gives a file up, and says why.
    case abort = 0x0405

    /// The lane that frames of this kind travel on.
    public var lane: Lane {
        switch self {
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired: .control
        case .register, .message, .reply, .messageError: .live
        case .context, .contextAcknowledged, .upload: .context
        case .item, .itemAcknowledged: .userInfo
        case .offer, .pull, .chunk, .done, .abort: .file
        }
    }
}

/// One unit of the wire: a header of 40 bytes, a body of canonical JSON, and raw bytes where the kind has them.
///
/// As a ZeroMQ message: one part. `Docs/internals/protocol.md` describes the layout.
public struct Frame: Hashable, Sendable {
    /// What the frame says.
    public var kind: FrameKind
    /// The session that the frame belongs to; 0 before there is one.
    public var session: UInt64
    /// By kind: the number of the ping, the register or the credit, or the revision of the context.
    public var sequence: UInt64
    /// The canonical JSON of the body; may be empty.
    public var body: [UInt8]
    /// Raw bytes; may be empty.
    public var blob: [UInt8]

    /// Creates a frame.
    public init(kind: FrameKind, session: UInt64, sequence: UInt64 = 0, body: [UInt8] = [], blob: [UInt8] = []) {
        self.kind = kind
        self.session = session
        self.sequence = sequence
        self.body = body
        self.blob = blob
    }
}

/// Why message parts are not a frame.
public enum FrameFault: Error, Hashable, Sendable {
    /// Not one part.
    case partCount(Int)
    /// A header shorter than the layout, or than the length that it claims.
    case shortHeader(byteCount: Int)
    /// Not our magic bytes.
    case foreign
    /// A layout of another major version.
    case wireVersion(UInt8)
    /// The header's checksum does not match.
    case damagedHeader
    /// The checksum of body and blob does not match.
    case damagedBody
    /// A lane and kind that this version does not know.
    case unknownKind(UInt16, mustUnderstand: Bool)
    /// A body or blob over the limit.
    case tooLarge(byteCount: Int)
    /// A body that lacks a member or has one of a wrong form; the text names it.
    case body(String)
}

extension FrameFault: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .partCount(let count): "a message of \(count) parts, where one is expected"
        case .shortHeader(let byteCount): "a message of \(byteCount) bytes, less than a header has"
        case .foreign: "it does not begin as a frame does"
        case .wireVersion(let version): "a frame of version \(version), which this program does not know"
        case .damagedHeader: "the checksum of the header is wrong"
        case .damagedBody: "the checksum of the contents is wrong"
        case .unknownKind(let kind, _): "a frame of the kind \(kind), which this program does not know"
        case .tooLarge(let byteCount):
            "contents of \(byteCount) bytes, more than the \(FrameCodec.contentByteCountMax) of a frame"
        case .body(let text): text
        }
    }
}
