/// MESSAGE: a live message.
struct MessageFrame: Hashable, Sendable {
    /// The number of the message within its session and direction, from 1.
    var number: UInt64
    /// Whether the sender expects a payload.
    var wantsReply: Bool
    /// The time limit of the sender, in milliseconds.
    var timeoutMilliseconds: Int64
    /// The bytes of the application.
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

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        wantsReply = try reader.integer("reply", in: 0...1) == 1
        timeoutMilliseconds = try reader.integer("timeout", in: Self.timeoutMillisecondsRange)
        number = frame.sequence
        payload = frame.blob
    }
}

/// REPLY or MESSAGE_ERROR: the receiver's answer to a message.
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
            // A scalar has at most four bytes in UTF-8, so the text stays within the limit of readers.
            let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(256)))
            let body = JSONValue.members(["code": .string(refusal.rawValue), "text": .string(short)])
            return Frame(kind: .messageError, session: session, sequence: number, body: body.encoded)
        }
    }

    init(_ frame: Frame) throws(FrameError) {
        guard frame.kind == .messageError else {
            self = .reply(frame.blob)
            return
        }
        let reader = try BodyReader(frame)
        // A later version may send an unknown code; its text is still shown.
        self = .declined(MessageRefusal(rawValue: try reader.text("code")) ?? .failed, text: try reader.text("text"))
    }
}
