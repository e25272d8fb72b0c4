package import Text

/// The side that a person types the PIN into.
///
///     start ──ask──▶ asking ──answer──▶ confirming ──confirm──▶ paired(key)
///                      │                    ├─────wrong───────▶ wrong(left)
///                      └────────────────────┴─────lockedOut───▶ lockedOut(until)
///
/// A confirmation with a wrong tag, and an answer with an invalid share, are ``Outcome/forged``: the other side does not
/// have the PIN. Whatever does not fit is left aside.
package struct PairingAsker: Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        case paired(PairingKey)
        case wrong(left: Int)
        case lockedOut(until: Timestamp)
        /// The other side does not have the PIN.
        case forged
    }

    private enum State {
        case asking(PairingSide, ask: [UInt8])
        case confirming(PairingKey, answerTag: [UInt8])
        case ended
    }

    /// The message that begins it.
    package let opening: PairingMessage
    /// How it ended; nil while it goes on.
    package private(set) var outcome: Outcome?
    private var state: State

    /// Begins a pairing.
    ///
    /// - Parameters:
    ///   - pin: What the person typed.
    ///   - holder: What identifies the device, as both sides know it, such as its serial number.
    ///   - linkKey: The own public key for the link, at most 127 bytes.
    ///   - random: 48 random bytes from the system: 16 of the session, 32 secret ones.
    package init(pin: PIN, holder: String, linkKey: [UInt8], random: [UInt8]) {
        precondition(random.count == 48, "a pairing needs 48 random bytes, not \(random.count)")
        let session = Array(random.prefix(16))
        guard let side = PairingSide(pin: pin, holder: holder, session: session, random: Array(random.dropFirst(16)))
        else { preconditionFailure("the random bytes are all zero") }
        opening = .ask(session: session, share: side.share, linkKey: linkKey)
        state = .asking(side, ask: CPace.joined(side.share, linkKey))
    }

    /// Takes in a message of the device, and gives the reply; nil for none.
    package mutating func handle(_ message: PairingMessage) -> PairingMessage? {
        switch (state, message) {
        case (.asking(let side, let ask), .answer(let share, let linkKey)):
            guard let agreed = side.agreement(other: share, ask: ask, answer: CPace.joined(share, linkKey)) else {
                end(.forged)
                return nil
            }
            state = .confirming(PairingKey(linkKey: linkKey, secret: agreed.secret), answerTag: agreed.answerTag)
            return .confirm(tag: agreed.askTag)
        case (.confirming(let key, let answerTag), .confirm(let tag)):
            end(CPace.areEqual(tag, answerTag) ? .paired(key) : .forged)
        case (.asking, .wrong(let left)), (.confirming, .wrong(let left)): end(.wrong(left: left))
        case (.asking, .lockedOut(let until)), (.confirming, .lockedOut(let until)): end(.lockedOut(until: until))
        case (.asking, _), (.confirming, _), (.ended, _): break
        }
        return nil
    }

    private mutating func end(_ outcome: Outcome) {
        self.outcome = outcome
        state = .ended
    }
}
