/// A question whether the hub answers, numbered from 1 within a session.
struct Ping: Hashable, Sendable {
    /// The number of the ping.
    var number: UInt64
    /// The highest number whose answer arrived, 0 before the first; so the hub learns of the round trip too.
    var answered: UInt64

    init(number: UInt64, answered: UInt64) {
        self.number = number
        self.answered = answered
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members(["answered": .hexadecimal(answered)])
        return Frame(kind: .ping, session: session, sequence: number, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameFault) {
        number = frame.sequence
        answered = try BodyReader(frame).hexadecimal("answered")
    }
}

/// The answer to a ping.
struct Pong: Hashable, Sendable {
    /// The number of the ping.
    var number: UInt64
    /// The hub's wall clock in milliseconds since 1970.
    var hubMilliseconds: Int64

    init(number: UInt64, hubMilliseconds: Int64) {
        self.number = number
        self.hubMilliseconds = hubMilliseconds
    }

    func frame(session: UInt64) -> Frame {
        let body = JSONValue.members(["time": .integer(hubMilliseconds)])
        return Frame(kind: .pong, session: session, sequence: number, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameFault) {
        number = frame.sequence
        hubMilliseconds = try BodyReader(frame).integer("time", in: Int64.min...Int64.max)
    }
}
