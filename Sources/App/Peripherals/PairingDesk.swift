import Foundation
package import PINPairing
import Text

/// Pairs devices near by with the phone, one at a time (T8–T12).
package actor PairingDesk<Maker: PeripheralMaker> {
    package typealias Serial = SerialNumber<Maker>

    /// How long a device may take for each answer.
    private static var patience: Duration { .seconds(5) }

    private let send: @Sendable (Serial, LinkRequest) -> Void
    /// The device that is being paired, and who waits for its next answer.
    private var partner: (serial: Serial, answers: Mailbox<LinkReply>)?
    /// The answers that counted for nothing, because they were no text (T12).
    package private(set) var ignoredCount = 0

    /// Prepares it.
    ///
    /// - Parameter send: Writes to a device near by.
    package init(send: @escaping @Sendable (Serial, LinkRequest) -> Void) { self.send = send }

    /// Takes in an answer of a device.
    package func take(_ reply: LinkReply, of serial: Serial) async {
        guard let partner, serial == partner.serial else { return }
        switch reply {
        case .registration(let bytes) where String(bytes: bytes, encoding: .utf8) == nil: ignoredCount += 1
        case .registration, .pairing: await partner.answers.put(reply)
        case .advertisement, .acknowledgement, .state: break
        }
    }

    /// Pairs a device.
    ///
    /// - Parameters:
    ///   - serial: The device, which is connected.
    ///   - pin: Its PIN; nil if its button was pressed.
    /// - Returns: What the pairing gave.
    /// - Throws: ``PairingProblem``.
    package func pair(_ serial: Serial, pin: PIN?) async throws(PairingProblem) -> PairingKey {
        guard partner == nil else { throw PairingProblem("another device is being paired: try again in a moment") }
        let answers = Mailbox<LinkReply>()
        partner = (serial, answers)
        defer { partner = nil }
        send(serial, .register)
        guard case .registration(let bytes) = await answers.next(within: Self.patience) else {
            throw Self.silent(serial)
        }
        let isOpen = String(decoding: bytes, as: UTF8.self) == LinkRequest.successText
        guard let pin = isOpen ? try? PIN(LinkRequest.openPIN) : pin else {
            throw PairingProblem("\(serial.short) wants its PIN: give it with --pin, or press its button first")
        }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<48).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        var asker = PairingAsker(pin: pin, holder: serial.text, linkKey: [], random: random)
        send(serial, .pairing(Data(asker.opening.bytes)))
        while asker.outcome == nil {
            guard case .pairing(let bytes) = await answers.next(within: Self.patience) else {
                throw Self.silent(serial)
            }
            guard let message = PairingMessage(Array(bytes)) else { continue }
            if let reply = asker.handle(message) { send(serial, .pairing(Data(reply.bytes))) }
        }
        switch asker.outcome {
        case .paired(let key): return key
        case .wrong(let left):
            let tries = left == 1 ? "1 try is left" : "\(left) tries are left"
            throw PairingProblem("the PIN is wrong: \(tries) before \(serial.short) takes none for a while")
        case .lockedOut(let until):
            throw PairingProblem("\(serial.short) takes no PIN before \(until.iso8601): too many were wrong")
        case .forged, nil:
            throw PairingProblem("what answers as \(serial.short) does not have its PIN: nothing was paired")
        }
    }

    private static func silent(_ serial: Serial) -> PairingProblem {
        PairingProblem("\(serial.short) does not answer: bring the phone near it, and try again")
    }
}

/// Why a device was not paired, in a sentence with the way out.
package struct PairingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
