/// MESSAGE: a live message.
struct MessageFrame: Hashable, Sendable {
    /// The number of the message within its session and direction, from 1.
    var number: UInt64
    /// Whether the sender waits for a payload.
    var wantsReply: Bool
    /// The time that the sender waits, in milliseconds.
    var timeoutMilliseconds: Int64
    /// What the application sends.
    var payload: [UInt8]

    static let timeoutMillisecondsRange: ClosedRange<Int64> = 1...3_600_000

    init(number: UInt64, wantsReply: Bool, timeoutMilliseconds: Int64, payload: [UInt8]) {
        self.number = number
        self.wantsReply = wantsReply
        self.timeoutMilliseconds = timeoutMilliseconds
        self.payload = payload
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members([
            "reply": .integer(wantsReply ? 1 : 0), "timeout": .integer(timeoutMilliseconds),
        ])
        return Frame(kind: .message, session: session, sequence: number, body: body.encoded, blob: payload)
    }

    init(_ frame: Frame) throws(FrameFault) {
        let reader = try BodyReader(frame)
        wantsReply = try reader.integer("reply", in: 0...1) == 1
        timeoutMilliseconds = try reader.integer("timeout", in: Self.timeoutMillisecondsRange)
        number = frame.sequence
        payload = frame.blob
    }
}

/// REPLY or MESSAGE_ERROR: what became of a message at its receiver.
enum MessageAnswerFrame: Hashable, Sendable {
    /// The application's reply; empty for a message that asks for none.
    case reply([UInt8])
    /// The application did not reply.
    case declined(MessageRefusal, text: String)

    func frame(number: UInt64, session: UInt64) -> Frame {
        switch self {
        case .reply(let payload):
            return Frame(kind: .reply, session: session, sequence: number, blob: payload)
        case .declined(let refusal, let text):
            // A scalar takes at most four bytes, so this keeps within what a reader takes.
            let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(256)))
            let body = JSONValue.members(["code": .string(refusal.rawValue), "text": .string(short)])
            return Frame(kind: .messageError, session: session, sequence: number, body: body.encoded)
        }
    }

    init(_ frame: Frame) throws(FrameFault) {
        guard frame.kind == .messageError else {
            self = .reply(frame.blob)
            return
        }
        let reader = try BodyReader(frame)
        // A code of a later version still comes with its text.
        self = .declined(MessageRefusal(rawValue: try reader.text("code")) ?? .failed, text: try reader.text("text"))
    }
}
