/// A message to be published.
///
/// It is never retained: a retained command would run again at each reconnect of the device.
package struct OutgoingMessage: Hashable, Sendable {
    /// The topic.
    package var topic: String
    /// The payload.
    package var payload: String
    /// Whether it is delivered at least once (1) or at most once (0).
    package var qualityOfService: Int
    /// After how many seconds the broker drops it, 1…60.
    package var expirySeconds: UInt32
    /// What is published right after it in the same way; nil for nothing.
    package var after: Order?
}

/// One appliance as the phone sees it through MQTT: what is published for a command, what its messages mean, and whether its
/// state is still known.
package struct ApplianceLink<Bound: Binding>: Sendable {
    /// What a message changed.
    package enum Change: Hashable, Sendable {
        /// The state, the presence, or when it was known last.
        case state
        case confirmed(Command.ID)
        case denied(Command.ID, CommandStatus)
    }

    private struct Pending {
        var id: Command.ID
        var action: Action
    }

    /// The commands that wait for a word of the device; the oldest is given up.
    private static var pendingCountMax: Int { 16 }

    /// What is known.
    package private(set) var state = ApplianceState()
    /// When the state was told; nil for never.
    package private(set) var stateAt: Instant?
    private var appliance: Appliance
    private let binding: Bound
    private var said: [(topic: String, presence: Surroundings.Presence)] = []
    private var pending: [Pending] = []

    /// Starts without knowing anything.
    package init(_ appliance: Appliance, _ binding: Bound) {
        self.appliance = appliance
        self.binding = binding
    }

    /// The topics that say something of it.
    package var topics: [String] { binding.topics }

    /// The same link for the appliance as it is now, such as with another name; nil if it is reached in another way now.
    package func renewed(for appliance: Appliance, _ binding: Bound) -> ApplianceLink? {
        guard self.binding == binding, self.appliance.id == appliance.id else { return nil }
        var link = self
        link.appliance = appliance
        return link
    }

    /// Whether the device is there.
    package var presence: Surroundings.Presence { binding.presence(said) }

    /// Whether the state may be shown as the present one: it is young enough, and the device is not known to be gone.
    package func isStateKnown(at now: Instant) -> Bool {
        guard let stateAt, presence != .offline else { return false }
        return stateAt.duration(to: now) < appliance.stateTTL
    }

    /// What an action means now: a toggle is on or off if the state is known, or if the dialect has no word for a toggle.
    package func resolved(_ action: Action, at now: Instant) -> Action {
        guard action == .toggle, let isOn = state.isOn,
            isStateKnown(at: now)
                || binding.order(for: action, id: Command.ID(high: 0, low: 0), until: Timestamp(milliseconds: 0)) == nil
        else { return action }
        return isOn ? .off : .on
    }

    /// Whether anything will show that an action was carried out; otherwise it stays ``CommandStatus/sent``.
    package func confirms(_ action: Action) -> Bool { binding.confirms(action) }

    /// What is published for a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - now: The time on both clocks; the wall clock is the one that the command expires by.
    /// - Returns: The message.
    /// - Throws: ``Unsendable``: nothing may be sent, and the command ends.
    package mutating func send(
        _ command: Command, at now: Moment
    ) throws(Unsendable) -> OutgoingMessage {
        do throws(ModelProblem) {
            try appliance.check(command.action)
        } catch {
            throw Unsendable(status: .refused(.unsupported), description: error.description)
        }
        let action = resolved(command.action, at: now.monotonic)
        guard let order = binding.order(for: action, id: command.id, until: command.until) else {
            throw Unsendable(
                status: .refused(.unsupported),
                description: "\(Excerpt(appliance.name)) cannot `\(command.action.text)`")
        }
        let left = command.until.milliseconds(since: Timestamp(milliseconds: now.wallMilliseconds))
        guard left > 0 else { throw Unsendable(status: .expired, description: "the command came too late") }
        pending.append(Pending(id: command.id, action: binding.attained(action)))
        pending.removeFirst(max(0, pending.count - Self.pendingCountMax))
        // No dialect has ids by which its devices know a repeat.
        let mayRepeat = action.isRepeatable
        return OutgoingMessage(
            topic: order.topic, payload: order.payload, qualityOfService: mayRepeat ? 1 : 0,
            expirySeconds: UInt32(clamping: min(60, max(1, left / 1000))), after: binding.orderAfter(action))
    }

    /// Takes in a message of the broker.
    package mutating func absorb(topic: String, payload: [UInt8], isRetained: Bool, at now: Instant) -> [Change] {
        guard let payload = Payload(payload) else { return [] }
        var changes: [Change] = []
        for report in binding.reports(topic: topic, payload: payload) {
            switch report {
            case .state(let told):
                state.merge(told)
                stateAt = now
                changes.append(.state)
                // What the broker kept from before says nothing of a command.
                if !isRetained { changes += settle { told.shows($0.action) ? .done : nil } }
            case .presence(let presence, let topic):
                said.removeAll { $0.topic == topic }
                said.append((topic, presence))
                changes.append(.state)
            case .answer(let reference, let answer):
                changes += settle { reference.means($0.id) ? answer : nil }
            }
        }
        return changes
    }

    private mutating func settle(_ answer: (Pending) -> DeviceAnswer?) -> [Change] {
        var changes: [Change] = []
        pending.removeAll { command in
            guard let answer = answer(command) else { return false }
            changes.append(answer.denial.map { .denied(command.id, $0) } ?? .confirmed(command.id))
            // A busy device will be asked again.
            return answer != .refused(.busy)
        }
        return changes
    }
}

/// Why nothing is sent for a command.
package struct Unsendable: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the command ends.
    package var status: CommandStatus
    /// The reason in words.
    package var description: String
}
