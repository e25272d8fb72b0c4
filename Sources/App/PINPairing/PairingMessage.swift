package import Text

/// What the two sides of a pairing say to each other; nothing of it tells the PIN.
package enum PairingMessage: Hashable, Sendable {
    /// The first message: a random session, the asker's share, and its public key for the link.
    case ask(session: [UInt8], share: [UInt8], linkKey: [UInt8])
    /// The holder's share, and its public key for the link.
    case answer(share: [UInt8], linkKey: [UInt8])
    /// A side has the same key.
    case confirm(tag: [UInt8])
    /// The PIN was wrong; so many tries are left before a lock-out.
    case wrong(left: Int)
    /// Nothing is tried before this time.
    case lockedOut(until: Timestamp)
    /// Forget the key; the tag shows that the sender has it.
    case unpair(tag: [UInt8])

    /// The bytes on the wire: a number, and the parts, each after its length.
    package var bytes: [UInt8] {
        switch self {
        case .ask(let session, let share, let linkKey): [1] + CPace.joined(session, share, linkKey)
        case .answer(let share, let linkKey): [2] + CPace.joined(share, linkKey)
        case .confirm(let tag): [3] + CPace.joined(tag)
        case .wrong(let left): [4] + CPace.joined([UInt8(clamping: left)])
        case .lockedOut(let until): [5] + CPace.joined(Array("\(until.milliseconds)".utf8))
        case .unpair(let tag): [6] + CPace.joined(tag)
        }
    }

    /// Reads a message; nil for anything else.
    ///
    /// No part is longer than 127 bytes.
    package init?(_ bytes: [UInt8]) {
        guard let kind = bytes.first else { return nil }
        var parts: [[UInt8]] = []
        var rest = bytes.dropFirst()
        while let count = rest.popFirst() {
            guard count < 0x80, rest.count >= Int(count) else { return nil }
            parts.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        switch (kind, parts.count) {
        case (1, 3): self = .ask(session: parts[0], share: parts[1], linkKey: parts[2])
        case (2, 2): self = .answer(share: parts[0], linkKey: parts[1])
        case (3, 1): self = .confirm(tag: parts[0])
        case (4, 1):
            guard parts[0].count == 1 else { return nil }
            self = .wrong(left: Int(parts[0][0]))
        case (5, 1):
            guard let until = Int64(String(decoding: parts[0], as: UTF8.self)) else { return nil }
            self = .lockedOut(until: Timestamp(milliseconds: until))
        case (6, 1): self = .unpair(tag: parts[0])
        default: return nil
        }
    }
}

/// What both sides have after a pairing.
package struct PairingKey: Hashable, Codable, Sendable {
    /// The public key of the other side for the link, which the PIN has authenticated.
    package let linkKey: [UInt8]
    private let secret: [UInt8]

    init(linkKey: [UInt8], secret: [UInt8]) {
        self.linkKey = linkKey
        self.secret = secret
    }

    /// A secret of both sides for a purpose, 32 bytes; other purposes give other ones.
    package func symmetricKey(for purpose: String) -> [UInt8] {
        Array(CPace.authenticate(Array("key \(purpose)".utf8), with: secret).prefix(32))
    }

    /// The message that wipes the key at the other side; wipe it here, too.
    package var unpairing: PairingMessage { .unpair(tag: CPace.authenticate(Array("unpair".utf8), with: secret)) }

    /// Whether a message is the other side's ``unpairing``: then wipe the key.
    package func isUnpaired(by message: PairingMessage) -> Bool {
        guard case .unpair(let tag) = message, case .unpair(let own) = unpairing else { return false }
        return CPace.areEqual(tag, own)
    }
}

/// One side of an exchange: its share, and what follows from the other's.
struct PairingSide {
    let share: [UInt8]
    private let scalar: [UInt8]
    private let session: [UInt8]

    /// - Parameters:
    ///   - pin: The PIN.
    ///   - holder: What identifies the device that has the PIN.
    ///   - session: The random session.
    ///   - random: 32 random bytes that nobody else knows.
    init?(pin: PIN, holder: String, session: [UInt8], random: [UInt8]) {
        scalar = CPace.scalar(random)
        self.session = session
        let generator = CPace.generator(
            password: Array(pin.digits.utf8), channel: CPace.joined(Array(holder.utf8)), session: session)
        guard let share = CPace.multiply(scalar, generator) else { return nil }
        self.share = share
    }

    /// What follows from the other side's share.
    ///
    /// - Parameters:
    ///   - other: The other side's share.
    ///   - ask: The asker's share and link key, joined.
    ///   - answer: The holder's.
    /// - Returns: The secret of both sides, and the tags of the asker and of the holder; nil if the share is no point.
    func agreement(
        other: [UInt8], ask: [UInt8], answer: [UInt8]
    ) -> (secret: [UInt8], askTag: [UInt8], answerTag: [UInt8])? {
        guard let point = CPace.multiply(scalar, other) else { return nil }
        let key = CPace.key(session: session, secret: point, first: ask, second: answer)
        return (
            CPace.hash(Array("PINPairing key".utf8) + key),
            CPace.tag(session: session, key: key, message: ask), CPace.tag(session: session, key: key, message: answer)
        )
    }
}
