/// PING: asks whether the hub answers; numbered from 1 within a session.
struct Ping: Hashable, Sendable {
    /// The number of the ping.
    var number: UInt64

    init(number: UInt64) {
        self.number = number
    }

    func frame(session: UInt64) -> Frame {
        Frame(kind: .ping, session: session, sequence: number)
    }

    init(_ frame: Frame) {
        number = frame.sequence
    }
}

/// PONG: the answer to a ping.
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

    init(_ frame: Frame) throws(FrameError) {
        number = frame.sequence
        hubMilliseconds = try BodyReader(frame).integer("time", in: Int64.min...Int64.max)
    }
}
