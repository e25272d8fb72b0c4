package import Appliances
package import Primitives

/// The delivery of one command to a motor device by the phone: it chooses the way, repeats after `busy`, and sends again by
/// MQTT what may have been lost on the short link (T18, T42).
///
/// All of this is one id, which the device carries out once. After each input drain ``nextOutput()``.
package struct Delivery: Sendable {
    /// The waits before the tries after the first, each ±25 %.
    package static let waits: [Duration] = [.milliseconds(200), .milliseconds(400), .milliseconds(800)]

    /// What happens.
    package enum Input: Sendable {
        /// The command may be sent, or a wait is over.
        case go(Surroundings)
        /// The device answered.
        case answered(DeviceAnswer)
        /// The short link broke after the write began: nobody knows whether the device has it.
        case ambiguous(Surroundings)
    }

    /// What is to be done.
    package enum Output: Hashable, Sendable {
        /// Send the command with its id.
        case send(Route)
        /// Give ``Input/go(_:)`` at this time.
        case wait(until: Instant)
        /// The command ends: nil when it was done.
        case end(CommandStatus?)
    }

    private enum State {
        case ready
        case sent
        case waiting
        case ended
    }

    private let expires: Instant
    private var jitter: SplitMix64
    private var state = State.ready
    private var waits = Self.waits[...]
    private var mayUseShortLink = true
    /// Whether the device may have carried it out, because it was sent once: after a `busy`, another copy may still be under way.
    private var mayBeDone = false
    private var outputs: [Output] = []

    /// Prepares a delivery.
    ///
    /// - Parameters:
    ///   - expires: When the command may not be sent any more.
    ///   - seed: The seed of the jitter.
    package init(expires: Instant, seed: UInt64) {
        self.expires = expires
        jitter = SplitMix64(seed: seed)
    }

    /// Takes in what happened; an input that does not fit changes nothing.
    package mutating func handle(_ input: Input, at now: Instant) {
        switch (state, input) {
        case (.ready, .go(let surroundings)), (.waiting, .go(let surroundings)): send(surroundings, at: now)
        case (.sent, .answered(.refused(.busy))): retry(at: now)
        case (.sent, .answered(let answer)): end(answer.denial)
        case (.sent, .ambiguous(let surroundings)):
            mayUseShortLink = false
            send(surroundings, at: now)
        case (.ready, _), (.sent, _), (.waiting, _), (.ended, _): break
        }
    }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    private mutating func send(_ surroundings: Surroundings, at now: Instant) {
        // What may have been carried out is neither expired nor refused: its id settles it later.
        guard now < expires else { return end(mayBeDone ? .unknown : .expired) }
        var surroundings = surroundings
        if !mayUseShortLink { surroundings.sighting = nil }
        let route = surroundings.route(.own, at: now)
        if case .refused(let reason) = route {
            return end(mayBeDone ? .unknown : .refused(reason))
        }
        state = .sent
        mayBeDone = true
        outputs.append(.send(route))
    }

    private mutating func retry(at now: Instant) {
        guard let wait = waits.popFirst() else { return end(.refused(.busy)) }
        let time = now.advanced(by: wait * (0.75 + 0.5 * jitter.unit()))
        guard time < expires else { return end(.refused(.busy)) }
        state = .waiting
        outputs.append(.wait(until: time))
    }

    private mutating func end(_ status: CommandStatus?) {
        state = .ended
        outputs.append(.end(status))
    }
}
