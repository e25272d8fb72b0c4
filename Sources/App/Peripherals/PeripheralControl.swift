package import Appliances
import MQTT
package import Primitives

/// What a device says of itself, as far as it is shown and decides what a toggle means.
package protocol PeripheralReport: Codable, Hashable, Sendable {
    /// Whether it is on.
    var isOn: Bool { get }
    /// What of it people see; a report with the same values changes nothing for them.
    var shown: [Int] { get }
}

/// The commands to paired devices, without sockets and clocks: it chooses the way of each, by the short link or by a bridge,
/// repeats what may be repeated, and knows where each command stands.
///
/// After each input drain ``nextOutput()``; give ``Input/tick`` at ``deadline``.
package struct PeripheralControl<Maker: PeripheralMaker, Report: PeripheralReport>: Sendable {
    package typealias Serial = SerialNumber<Maker>

    /// What happens.
    package enum Input: Sendable {
        /// Somebody wants an action; ids that came before change nothing.
        case act(Command)
        /// A device was heard on the short link.
        case heard(Serial, rssi: Int)
        /// A device is not near any more, or what was written to it did not leave.
        case lost(Serial)
        /// A device near by wrote something.
        case reply(Serial, LinkReply)
        /// A message of the broker at one of the devices' topics.
        case message(PeripheralTopic<Maker>, payload: [UInt8], isRetained: Bool)
        /// The broker accepted the phone, or is gone.
        case broker(BrokerReach)
        /// The time went on.
        case tick
    }

    /// What is to be done.
    package enum Output: Hashable, Sendable {
        /// Write a sealed command on the short link.
        case write(Serial, [UInt8])
        /// What is the same for appliances of other makers.
        case control(ControlOutput)
    }

    /// How long an answer on the short link may take before MQTT is tried with the same id.
    private static var shortLinkPatience: Duration { .seconds(1) }
    /// The commands that may be under way at once.
    package static var underWayMax: Int { 32 }
    /// The commands whose end is not known and that are asked about when their device is there again.
    private static var openMax: Int { 64 }
    /// How many later commands a device may have got before it is not asked any more: it keeps its last answers only, and takes
    /// a command that it has forgotten for one that never came.
    private static var laterMax: Int { AnsweredCommands.countMax / 2 }

    /// A command under way to a device.
    private struct Work {
        var serial: Serial
        var message: CommandMessage<Never>
        var delivery: Delivery
        var status: CommandMachine
        /// When the delivery or the short link is looked after again.
        var wakesAt: Instant?
        var isOnShortLink = false

        /// How many commands its device had got before it.
        var number: Int

        /// Whether its device may still answer in time; a later answer is taken, but nothing waits for it.
        var isAwaited: Bool { status.status != .unconfirmed }
    }

    private var devices: [Serial: PairedPeripheral<Maker>] = [:]
    private var serials: [Appliance.ID: Serial] = [:]
    private var works: [Command.ID: Work] = [:]
    private var ended = EndedCommands()
    /// How many commands each device got.
    private var counts: [Serial: Int] = [:]
    private var sightings: [Serial: Surroundings.Sighting] = [:]
    /// What was said last of each device and bridge at the broker.
    private var statuses: [Serial: PeripheralStatus<Maker>] = [:]
    private var reports: [Serial: (report: Report, at: Timestamp)] = [:]
    private var broker = BrokerReach()
    private var seeds: SplitMix64
    private var outputs: [Output] = []

    /// Without devices.
    ///
    /// - Parameter seed: The seed of the jitter between two tries.
    package init(seed: UInt64) { seeds = SplitMix64(seed: seed) }

    /// Takes over what it may command; what is known of those that stay is kept.
    package mutating func use(_ devices: [PairedPeripheral<Maker>]) {
        self.devices = Dictionary(devices.map { ($0.serial, $0) }) { $1 }
        serials = Dictionary(devices.map { ($0.appliance.id, $0.serial) }) { $1 }
        outputs.append(.control(.changed))
    }

    /// The filters of the messages that it needs.
    package static var filters: Set<String> {
        Set([PeripheralTopic<Maker>.Part.ack, .state, .status].map { PeripheralTopic<Maker>.filter($0).text })
    }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// When ``Input/tick`` is due; nil while nothing is waited for.
    package var deadline: Instant? {
        works.values.flatMap { [$0.wakesAt, $0.status.deadline] }.compactMap(\.self).min()
    }

    /// Whether a word of a device is awaited.
    package func isUnderWay(_ id: Command.ID) -> Bool { works[id] != nil }

    /// What a device said last of itself, and when; nil if it said nothing yet.
    package func report(of serial: Serial) -> (report: Report, at: Timestamp)? { reports[serial] }

    /// How strong a device near by is heard, in dBm; nil if it is not near.
    package func rssi(of serial: Serial) -> Int? { sightings[serial]?.rssi }

    /// Whether a device can be reached.
    package func presence(of serial: Serial) -> Surroundings.Presence {
        let far = surroundings(of: serial)
        return sightings[serial] != nil ? .online : far.bridge == .offline ? .offline : far.device
    }

    // MARK: - Inputs

    /// Takes in what happened.
    package mutating func handle(_ input: Input, at now: Moment) {
        switch input {
        case .act(let command): act(command, at: now)
        case .heard(let serial, let rssi):
            let isNew = sightings[serial] == nil
            sightings[serial] = Surroundings.Sighting(at: now.monotonic, rssi: rssi)
            guard isNew else { break }
            outputs.append(.control(.changed))
            inquire(serial, at: now)
        case .lost(let serial):
            if sightings.removeValue(forKey: serial) != nil { outputs.append(.control(.changed)) }
            for (id, work) in works.sorted(by: { $0.key < $1.key }) where work.serial == serial && work.isOnShortLink {
                doubt(id, at: now)
            }
        case .reply(let serial, .acknowledgement(let bytes)): take(acknowledgement: Array(bytes), of: serial, at: now)
        case .reply(let serial, .state(let bytes)): take(report: Array(bytes), of: serial, at: now)
        case .reply: break
        case .message(let topic, let payload, let isRetained):
            take(topic, payload, isRetained: isRetained, at: now)
        case .broker(let reach):
            broker = reach
            // Wills that came before the break say nothing about now.
            if !reach.isConnected { statuses = [:] }
            outputs.append(.control(.changed))
        case .tick: tick(at: now)
        }
    }

    private mutating func act(_ command: Command, at now: Moment) {
        guard works[command.id] == nil, !ended.contains(command.id) else { return }
        let wall = Timestamp(milliseconds: now.wallMilliseconds)
        let left = Duration.milliseconds(command.until.milliseconds(since: wall))
        guard let serial = serials[command.appliance], let device = devices[serial],
            (try? device.appliance.check(command.action)) != nil
        else { return end(command.id, .refused(.unsupported)) }
        guard left > .zero else { return end(command.id, .expired) }
        prune()
        guard works.values.count(where: \.isAwaited) < Self.underWayMax else {
            return end(command.id, .refused(.busy))
        }
        var status = CommandMachine(until: command.until, timeToLive: left)
        status.handle(.key(isReachable: true), at: now.monotonic)
        let action = resolved(command.action, of: serial, at: wall)
        works[command.id] = Work(
            serial: serial, message: CommandMessage(command.id, action, until: command.until),
            delivery: Delivery(expires: now.monotonic.advanced(by: left), seed: seeds.next()), status: status,
            number: counts[serial, default: 0])
        counts[serial, default: 0] += 1
        step(command.id, .go(surroundings(of: serial)), at: now)
    }

    /// Forgets the oldest commands whose end is not known, and those that their devices may have forgotten.
    private mutating func prune() {
        let open = works.filter { !$0.value.isAwaited }.sorted {
            ($0.value.message.until, $0.key) < ($1.value.message.until, $1.key)
        }
        for (place, (id, work)) in open.enumerated()
        where place < open.count - Self.openMax || later(than: work) > Self.laterMax {
            works[id] = nil
            ended.insert(id)
        }
    }

    private func later(than work: Work) -> Int { counts[work.serial, default: 0] - work.number }

    /// Sends a device that is there again the commands whose end is not known, by their ids: it answers as it did the first
    /// time, and what it never got moves nothing once its time is over.
    private mutating func inquire(_ serial: Serial, at now: Moment) {
        for (id, work) in works.sorted(by: { $0.key < $1.key })
        where work.serial == serial && work.wakesAt == nil && later(than: work) <= Self.laterMax {
            send(id, surroundings(of: serial).route(.own, at: now.monotonic), at: now)
        }
    }

    /// A toggle becomes on or off while the state is known: a repeat then does no harm.
    private func resolved(_ action: Action, of serial: Serial, at now: Timestamp) -> Action {
        guard action == .toggle, let known = reports[serial], let device = devices[serial],
            .milliseconds(now.milliseconds(since: known.at)) <= device.appliance.stateTTL
        else { return action }
        return known.report.isOn ? .off : .on
    }

    // MARK: - What devices say

    private mutating func take(
        _ topic: PeripheralTopic<Maker>, _ payload: [UInt8], isRetained: Bool, at now: Moment
    ) {
        switch topic.part {
        case .set: break
        // An answer of before the connection says nothing about now.
        case .ack: if !isRetained { take(acknowledgement: payload, of: topic.serial, at: now) }
        case .state: take(report: payload, of: topic.serial, at: now)
        case .status:
            let status = PeripheralStatus<Maker>(payload: payload)
            guard statuses.updateValue(status, forKey: topic.serial) != status else { break }
            outputs.append(.control(.changed))
            guard status.presence == .online else { break }
            for serial in devices.keys.sorted(by: { $0.text < $1.text })
            where serial == topic.serial || statuses[serial]?.hub == topic.serial {
                inquire(serial, at: now)
            }
        }
    }

    /// Takes the answer of a device; that of another device than the command's counts for nothing.
    private mutating func take(acknowledgement bytes: [UInt8], of serial: Serial, at now: Moment) {
        guard let acknowledgement = try? CanonicalJSON.decode(Acknowledgement.self, from: bytes),
            works[acknowledgement.id]?.serial == serial
        else { return }
        let (id, answer) = (acknowledgement.id, acknowledgement.answer)
        step(id, .answered(answer), at: now)
        // The delivery may have given up before; the word of the device counts all the same. That it is busy says nothing about
        // a copy on its way.
        guard works[id] != nil, answer != .refused(.busy) else { return }
        works[id]?.isOnShortLink = false
        works[id]?.wakesAt = nil
        works[id]?.status.handle(answer.denial.map { .denied($0) } ?? .seen, at: now.monotonic)
        settle(id)
    }

    private mutating func take(report bytes: [UInt8], of serial: Serial, at now: Moment) {
        guard let report = try? CanonicalJSON.decode(Report.self, from: bytes) else { return }
        let before = reports[serial]?.report.shown
        reports[serial] = (report, Timestamp(milliseconds: now.wallMilliseconds))
        if before != report.shown { outputs.append(.control(.changed)) }
    }

    /// Nobody knows whether the device has the command.
    private mutating func doubt(_ id: Command.ID, at now: Moment) {
        guard let serial = works[id]?.serial else { return }
        works[id]?.isOnShortLink = false
        works[id]?.wakesAt = nil
        guard works[id]?.isAwaited == true else { return }
        step(id, .ambiguous(surroundings(of: serial)), at: now)
    }

    private mutating func tick(at now: Moment) {
        for (id, work) in works.sorted(by: { $0.key < $1.key }) {
            if let wakesAt = work.wakesAt, wakesAt <= now.monotonic {
                works[id]?.wakesAt = nil
                if work.isOnShortLink {
                    doubt(id, at: now)
                } else {
                    step(id, .go(surroundings(of: work.serial)), at: now)
                }
            }
            guard let deadline = works[id]?.status.deadline, deadline <= now.monotonic else { continue }
            works[id]?.status.handle(.tick, at: now.monotonic)
            settle(id)
        }
    }

    private func surroundings(of serial: Serial) -> Surroundings {
        // The bridge that carries for a device says so in the device's name; its own will says when it is gone.
        let status = statuses[serial]
        let device = status?.presence ?? .unknown
        let bridge = status?.hub.flatMap { statuses[$0]?.presence } ?? .unknown
        return Surroundings(
            sighting: sightings[serial], broker: broker, bridge: bridge, device: device)
    }

    // MARK: - Commands under way

    private mutating func step(_ id: Command.ID, _ input: Delivery.Input, at now: Moment) {
        guard works[id] != nil else { return }
        works[id]?.delivery.handle(input, at: now.monotonic)
        while let output = works[id]?.delivery.nextOutput() {
            switch output {
            case .send(let route): send(id, route, at: now)
            case .wait(let until):
                works[id]?.wakesAt = until
                works[id]?.isOnShortLink = false
            case .end(let status):
                works[id]?.wakesAt = nil
                works[id]?.isOnShortLink = false
                let isAsked = works[id]?.status.status == .asked
                if let status {
                    works[id]?.status.handle(isAsked ? .reply(status) : .denied(status), at: now.monotonic)
                } else {
                    if isAsked { works[id]?.status.handle(.reply(.sent), at: now.monotonic) }
                    works[id]?.status.handle(.seen, at: now.monotonic)
                }
                settle(id)
            }
        }
    }

    private mutating func send(_ id: Command.ID, _ route: Route, at now: Moment) {
        guard let work = works[id], let device = devices[work.serial] else { return }
        let sealed = device.key.seal(CanonicalJSON.bytes(ofEncodable: work.message), for: work.serial)
        let wall = Timestamp(milliseconds: now.wallMilliseconds)
        let left = max(1, work.message.until.milliseconds(since: wall))
        works[id]?.isOnShortLink = route == .shortLink
        switch route {
        case .shortLink:
            works[id]?.wakesAt = now.monotonic.advanced(by: Self.shortLinkPatience)
            outputs.append(.write(work.serial, sealed))
        case .broker:
            works[id]?.wakesAt = nil
            // The device knows the id, so that a repeat does no harm.
            outputs.append(
                .control(
                    .publish(
                        topic: PeripheralTopic(work.serial, .set).text, sealed, mayRepeat: true,
                        expirySeconds: UInt32(clamping: (left + 999) / 1000))))
        case .refused: return
        }
        if work.status.status == .asked {
            works[id]?.status.handle(.reply(.sent), at: now.monotonic)
            settle(id)
        }
    }

    /// Reports where a command stands, and forgets its work when that is the end.
    private mutating func settle(_ id: Command.ID) {
        guard let status = works[id]?.status.status else { return }
        outputs.append(.control(.status(id, status)))
        guard status.isFinal else { return }
        works[id] = nil
        ended.insert(id)
    }

    private mutating func end(_ id: Command.ID, _ status: CommandStatus) {
        outputs.append(.control(.status(id, status)))
        ended.insert(id)
    }
}

/// A device that was paired with the phone.
package struct PairedPeripheral<Maker: PeripheralMaker>: Hashable, Sendable {
    /// Its serial number.
    package var serial: SerialNumber<Maker>
    /// What it is for people.
    package var appliance: Appliance
    /// The key of its pairing.
    package var key: LinkKey

    /// Notes a device.
    package init(serial: SerialNumber<Maker>, appliance: Appliance, key: LinkKey) {
        self.serial = serial
        self.appliance = appliance
        self.key = key
    }
}
