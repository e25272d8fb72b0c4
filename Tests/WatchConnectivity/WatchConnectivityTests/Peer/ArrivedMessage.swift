import SyncCore

/// A message as a device's engine tells it of when the other device's engine has sent so many before it.
///
/// Only an engine makes such messages; another engine's frame is the way to one.
func arrivedMessage(_ payload: [UInt8], number: UInt64) -> ReceivedMessage? {
    var sender = Exchange(configuration: .init(), state: .init(), seed: 1)
    var receiver = Exchange(configuration: .init(), state: .init(), seed: 2)
    let moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
    sender.handle(.sessionOpened(1, peer: .init()), at: moment)
    while sender.nextOutput() != nil {}
    receiver.handle(.sessionOpened(1, peer: .init()), at: moment)
    while receiver.nextOutput() != nil {}
    for index in 1...number {
        sender.handle(.message(.init(number: index), .init(payload: payload, wantsReply: false)), at: moment)
        while let output = sender.nextOutput() {
            guard case .send(let frame) = output, index == number else { continue }
            receiver.handle(.received(frame), at: moment)
            while let output = receiver.nextOutput() {
                if case .event(.messageReceived(let message)) = output { return message }
            }
        }
    }
    return nil
}
