package import Text

/// What the side with the PIN keeps through restarts.
package struct PairingRecord: Hashable, Codable, Sendable {
    /// The tries since the last right PIN, among them the one that is going on.
    package internal(set) var tries = 0
    /// Nothing is tried before this time; nil without a lock-out.
    package internal(set) var lockedUntil: Timestamp?
    /// The key of the last pairing; nil without one.
    package internal(set) var key: PairingKey?

    /// A side that nobody tried yet.
    package init() {}

    /// The same without a lock-out and without tries.
    package var unlocked: PairingRecord {
        var record = self
        (record.tries, record.lockedUntil) = (0, nil)
        return record
    }
}

/// The side that has the PIN, such as a device with the PIN on its label.
///
///     ready ──ask──▶ answering ──right confirm──▶ ready, paired
///       │ ▲             ├───────wrong confirm──▶ ready: wrong(left)
///       │ │             └───────another ask────▶ answering: the first counts as wrong
///       │ └──unpair, with the key──────────────▶ ready, not paired
///       └──ask during a lock-out───────────────▶ ready: lockedOut(until)
///
/// A try is counted, and stored, before the answer goes out, for the answer is what a guess can be checked against: who breaks
/// off, or cuts the power, has used a try. After 5 tries there is a lock-out of 60 s, and each further try doubles it, up to a day;
/// the clock of the device measures it. The right PIN begins anew.
package struct PairingHolder: Sendable {
    /// The tries before the first lock-out.
    package static let triesMax = 5
    private static let firstLockout: Int64 = 60_000
    private static let lockoutMax: Int64 = 86_400_000

    /// What is to be done, in order.
    package enum Output: Hashable, Sendable {
        /// Store the record durably before anything that follows.
        case keep(PairingRecord)
        case send(PairingMessage)
        /// The other side has shown the PIN.
        case paired(PairingKey)
        /// The other side has ended the pairing.
        case unpaired
    }

    private enum State {
        case ready
        case answering(PairingKey, askTag: [UInt8], answerTag: [UInt8])
    }

    /// What is kept through restarts.
    package private(set) var record: PairingRecord
    private let pin: PIN
    private let holder: String
    private let linkKey: [UInt8]
    private var state = State.ready

    /// Starts the side with the PIN.
    ///
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - holder: What identifies the device, as both sides know it, such as its serial number.
    ///   - linkKey: The own public key for the link, at most 127 bytes.
    ///   - record: What it kept before.
    package init(pin: PIN, holder: String, linkKey: [UInt8], record: PairingRecord) {
        self.pin = pin
        self.holder = holder
        self.linkKey = linkKey
        self.record = record
    }

    /// Takes in a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - random: 32 random bytes from the system, other ones for each message.
    ///   - now: The time.
    /// - Returns: What is to be done, in order.
    package mutating func handle(_ message: PairingMessage, random: [UInt8], at now: Timestamp) -> [Output] {
        switch (state, message) {
        case (_, .ask(let session, let share, let key)):
            return answer(session: session, share: share, linkKey: key, random: random, at: now)
        case (.answering(let key, let askTag, let answerTag), .confirm(let tag)):
            state = .ready
            guard CPace.areEqual(tag, askTag) else { return [.send(refusal)] }
            record.tries = 0
            record.lockedUntil = nil
            record.key = key
            return [.keep(record), .send(.confirm(tag: answerTag)), .paired(key)]
        case (_, .unpair):
            guard let key = record.key, key.isUnpaired(by: message) else { return [] }
            return [.keep(unpaired()), .unpaired]
        case (.ready, _), (.answering, _): return []
        }
    }

    /// Ends the pairing here; store the record, and send the key's ``PairingKey/unpairing`` first.
    package mutating func unpaired() -> PairingRecord {
        record.key = nil
        state = .ready
        return record
    }

    private mutating func answer(
        session: [UInt8], share: [UInt8], linkKey other: [UInt8], random: [UInt8], at now: Timestamp
    ) -> [Output] {
        state = .ready
        if let until = record.lockedUntil, now < until { return [.send(.lockedOut(until: until))] }
        record.tries += 1
        if record.tries >= Self.triesMax {
            let doublings = min(record.tries - Self.triesMax, 20)
            let lockout = min(Self.firstLockout << Int64(doublings), Self.lockoutMax)
            record.lockedUntil = now.advanced(byMilliseconds: lockout)
        }
        guard let side = PairingSide(pin: pin, holder: holder, session: session, random: random),
            let agreed = side.agreement(
                other: share, ask: CPace.joined(share, other), answer: CPace.joined(side.share, linkKey))
        else { return [.keep(record), .send(refusal)] }
        state = .answering(
            PairingKey(linkKey: other, secret: agreed.secret), askTag: agreed.askTag, answerTag: agreed.answerTag)
        return [.keep(record), .send(.answer(share: side.share, linkKey: linkKey))]
    }

    private var refusal: PairingMessage {
        if let until = record.lockedUntil { return .lockedOut(until: until) }
        return .wrong(left: Self.triesMax - record.tries)
    }
}
