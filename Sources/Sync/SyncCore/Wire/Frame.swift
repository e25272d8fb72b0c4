/// A class of traffic on a link; its number is the upper byte of the kinds of its frames.
public enum Lane: UInt8, CaseIterable, Sendable {
    /// The handshake, heartbeats and credit.
    case control = 0
    /// Registers and live messages.
    case live = 1
    /// Snapshots of the configuration, and a watch's edits of it.
    case context = 2
    /// Queued items, including complication items, that arrive in order and exactly once.
    case userInfo = 3
    /// Files, in chunks.
    case file = 4
}

/// The kind of a frame; the upper byte of the raw value is its lane.
public enum FrameKind: UInt16, CaseIterable, Sendable {
    /// A watch asks for a session.
    case hello = 0x0001
    /// The hub opens a session.
    case welcome = 0x0002
    /// The hub refuses, and says why.
    case refuse = 0x0003
    /// A watch asks whether the hub answers.
    case ping = 0x0005
    /// The hub answers a ping.
    case pong = 0x0006
    /// The sender ends the session.
    case bye = 0x0007
    /// A watch reports which live frames arrived, and so allows more.
    case credit = 0x0008
    /// A watch that holds an invitation asks to be paired.
    case pair = 0x0009
    /// The hub paired the watch.
    case paired = 0x000A
    /// The newest value of a register.
    case register = 0x0101
    /// A live message from one application to the other; the blob is its payload.
    case message = 0x0102
    /// The answer to a live message, or the confirmation of a message that asks for no reply; the blob is the
    /// answer's payload.
    case reply = 0x0103
    /// A live message was not answered; says why.
    case messageError = 0x0104
    /// The newest values of several registers, for a watch that takes them in one frame.
    case registers = 0x0105
    /// A whole snapshot of the configuration.
    case context = 0x0201
    /// A watch holds the snapshot durably.
    case contextAcknowledged = 0x0202
    /// A watch's batch of uploads.
    case upload = 0x0203
    /// One item of a numbered stream; the blob is its payload.
    case item = 0x0301
    /// The receiver's durable position in a numbered stream.
    case itemAcknowledged = 0x0302
    /// The sender has a file: its size, its checksum and its metadata.
    case offer = 0x0401
    /// The receiver requests a part of a file.
    case pull = 0x0402
    /// A part of a file; the blob is its bytes.
    case chunk = 0x0403
    /// The receiver holds the whole file durably.
    case done = 0x0404
    /// One end gives up a file, and says why.
    case abort = 0x0405

    /// The lane that frames of this kind travel on.
    public var lane: Lane {
        switch self {
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired: .control
        case .register, .message, .reply, .messageError, .registers: .live
        case .context, .contextAcknowledged, .upload: .context
        case .item, .itemAcknowledged: .userInfo
        case .offer, .pull, .chunk, .done, .abort: .file
        }
    }
}

/// One unit of the wire: a header of 40 bytes, a body of canonical JSON, and raw bytes for the kinds that have them.
///
/// A frame is a ZeroMQ message of one part. `Docs/internals/protocol.md` describes the layout.
public struct Frame: Hashable, Sendable {
    /// The kind of the frame.
    public var kind: FrameKind
    /// The session that the frame belongs to; 0 outside a session.
    public var session: UInt64
    /// Depends on the kind: the number of the ping, the register or the credit, or the revision of the context.
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
public enum FrameError: Error, Hashable, Sendable {
    /// The message does not have exactly one part.
    case partCount(Int)
    /// The header is shorter than the layout, or than the length that it states.
    case shortHeader(byteCount: Int)
    /// The magic bytes are not those of this protocol.
    case foreign
    /// The layout has another major version.
    case wireVersion(UInt8)
    /// The header's checksum does not match.
    case damagedHeader
    /// The checksum of body and blob does not match.
    case damagedBody
    /// This version does not know the lane and kind.
    case unknownKind(UInt16, mustUnderstand: Bool)
    /// The body or the blob exceeds the limit.
    case tooLarge(byteCount: Int)
    /// The body lacks a member or has a malformed one; the text names it.
    case body(String)
}

extension FrameError: CustomStringConvertible {
    /// The error.
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
