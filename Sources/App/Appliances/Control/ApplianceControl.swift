package import Primitives

/// What one who carries commands to appliances is to do.
package enum ControlOutput: Hashable, Sendable {
    /// Publish a message with an expiry; it is never retained.
    case publish(topic: String, [UInt8], mayRepeat: Bool, expirySeconds: UInt32)
    /// A command stands elsewhere now.
    case status(Command.ID, CommandStatus)
    /// What people see changed.
    case changed
}

/// The commands to appliances that other makers' programs speak for, without sockets and clocks: it publishes them, and knows
/// from their messages where each command stands.
///
/// After each input drain ``nextOutput()``; call ``tick(at:)`` at ``deadline``.
package struct ApplianceControl: Sendable {
    /// The commands that wait for a word of their appliance; beyond them, some that were not confirmed in time are given up.
    private static let waitingMax = 32

    private var links: [Appliance.ID: ApplianceLink<ForeignBinding>] = [:]
    /// The commands that wait for a word of their appliance.
    private var waiting: [Command.ID: CommandMachine] = [:]
    private var ended = EndedCommands()
    private var broker = BrokerReach()
    private var outputs: [ControlOutput] = []

    /// Without appliances.
    package init() {}

    /// Takes over what it may command; what is known of those that stay is kept.
    package mutating func use(_ appliances: [ForeignAppliance]) {
        let before = links
        links = [:]
        for one in appliances {
            let known = before[one.appliance.id]?.renewed(for: one.appliance, one.binding)
            links[one.appliance.id] = known ?? ApplianceLink(one.appliance, one.binding)
        }
        outputs.append(.changed)
    }

    /// The filters of the messages that it needs.
    package var filters: Set<String> { Set(links.values.flatMap(\.topics)) }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> ControlOutput? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// When ``tick(at:)`` is due; nil while nothing is waited for.
    package var deadline: Instant? { waiting.values.compactMap(\.deadline).min() }

    /// Whether an appliance is among those that it may command.
    package func knows(_ id: Appliance.ID) -> Bool { links[id] != nil }

    /// Whether a word of an appliance is awaited.
    package func isUnderWay(_ id: Command.ID) -> Bool { waiting[id] != nil }

    /// What is known of an appliance; nil if it is not among those.
    package func link(of id: Appliance.ID) -> ApplianceLink<ForeignBinding>? { links[id] }

    // MARK: - Inputs

    /// Takes in how the broker is reached.
    package mutating func use(_ broker: BrokerReach) {
        self.broker = broker
        outputs.append(.changed)
    }

    /// Asks an appliance; an id that came before changes nothing.
    package mutating func act(_ command: Command, at now: Moment) {
        guard waiting[command.id] == nil, !ended.contains(command.id) else { return }
        guard let presence = links[command.appliance]?.presence else {
            return end(command.id, .refused(.unsupported))
        }
        for id in waiting.keys.sorted().dropLast(Self.waitingMax) where waiting[id]?.status == .unconfirmed {
            waiting[id] = nil
            ended.insert(id)
        }
        let surroundings = Surroundings(broker: broker, device: presence)
        if case .refused(let reason) = surroundings.route(.tasmota, at: now.monotonic) {
            return end(command.id, .refused(reason))
        }
        do throws(Unsendable) {
            guard let message = try links[command.appliance]?.send(command, at: now) else { return }
            let then = message.after.map { [($0.topic, $0.payload)] } ?? []
            for (topic, payload) in [(message.topic, message.payload)] + then {
                outputs.append(
                    .publish(
                        topic: topic, Array(payload.utf8),
                        // What does not expire must not wait for a device that is just gone: at most once keeps nothing.
                        mayRepeat: message.qualityOfService > 0 && broker.messagesExpire,
                        expirySeconds: message.expirySeconds))
            }
        } catch {
            return end(command.id, error.status)
        }
        // What nothing confirms stays sent.
        guard let link = links[command.appliance],
            link.confirms(link.resolved(command.action, at: now.monotonic))
        else { return end(command.id, .sent) }
        var status = CommandMachine(until: command.until, timeToLive: .seconds(60))
        status.handle(.key(isReachable: true), at: now.monotonic)
        status.handle(.reply(.sent), at: now.monotonic)
        waiting[command.id] = status
        outputs.append(.status(command.id, .sent))
    }

    /// Takes in a message of the broker.
    package mutating func take(topic: String, _ payload: [UInt8], isRetained: Bool, at now: Moment) {
        for id in links.keys.sorted() {
            let changes = links[id]?.absorb(
                topic: topic, payload: payload, isRetained: isRetained, at: now.monotonic)
            for change in changes ?? [] {
                switch change {
                case .state: outputs.append(.changed)
                case .confirmed(let command): hear(command, .seen, at: now)
                case .denied(let command, let status): hear(command, .denied(status), at: now)
                }
            }
        }
    }

    /// The time went on.
    package mutating func tick(at now: Moment) {
        for (id, status) in waiting.sorted(by: { $0.key < $1.key }) {
            guard let deadline = status.deadline, deadline <= now.monotonic else { continue }
            hear(id, .tick, at: now)
        }
    }

    private mutating func hear(_ id: Command.ID, _ input: CommandMachine.Input, at now: Moment) {
        guard waiting[id] != nil else { return }
        waiting[id]?.handle(input, at: now.monotonic)
        guard let status = waiting[id]?.status else { return }
        outputs.append(.status(id, status))
        guard status.isFinal else { return }
        waiting[id] = nil
        ended.insert(id)
    }

    private mutating func end(_ id: Command.ID, _ status: CommandStatus) {
        outputs.append(.status(id, status))
        ended.insert(id)
    }
}

/// The commands that ended lately, so that a repeat of one changes nothing.
package struct EndedCommands: Sendable {
    private static let countMax = 1024
    private var ids: [Command.ID] = []

    /// None ended.
    package init() {}

    /// Whether a command ended.
    package func contains(_ id: Command.ID) -> Bool { ids.contains(id) }

    /// Notes the end of a command, and forgets the oldest beyond 1,024.
    package mutating func insert(_ id: Command.ID) {
        ids.append(id)
        ids.removeFirst(max(0, ids.count - Self.countMax))
    }
}
