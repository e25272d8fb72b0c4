/// The data that user info and messages share while an exchange handles an input.
struct ExchangeTurn: Sendable {
    var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
    var session: UInt64?
    var counts = Exchange.Counts()
    var outputs: [Exchange.Output] = []

    var now: Instant { moment.monotonic }

    mutating func put(_ output: Exchange.Output) {
        outputs.append(output)
    }

    mutating func drop(_ reason: Exchange.Drop) {
        outputs.append(.event(.dropped(reason)))
    }
}
