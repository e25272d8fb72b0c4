import MQTT
package import Primitives
package import TarsApp
import TarsDialects
package import TarsLink
package import TarsModel

/// The phone's part of a home without sockets, files and clocks: it takes commands, chooses their ways, repeats what may be
/// repeated, and knows where each of them stands.
///
/// After each input drain ``nextOutput()``; give ``Input/tick`` at ``deadline``.
package struct HomeCore: Sendable {
    /// What happens.
    package enum Input: Sendable {
        /// Somebody wants an action; ids that came before change nothing.
        case act(TarsModel.Command)
        /// A device was heard on the short link.
        case heard(Serial, rssi: Int)
        /// A device is not near any more, or what was written to it did not leave.
        case lost(Serial)
        /// A device near by wrote something.
        case reply(Serial, LinkReply)
        /// A message of the broker.
        case message(topic: String, payload: [UInt8], isRetained: Bool)
        /// The broker accepted the phone, or is gone.
        case broker(isConnected: Bool, messagesExpire: Bool)
        /// The time went on.
        case tick
    }

    /// What is to be done.
    package enum Output: Hashable, Sendable {
        /// Write a sealed command on the short link.
        case write(Serial, [UInt8])
        /// Publish a message with an expiry; it is never retained.
        case publish(topic: String, [UInt8], mayRepeat: Bool, expirySeconds: UInt32)
        /// A command stands elsewhere now.
        case status(TarsModel.Command.ID, CommandStatus)
        /// What watches show changed.
        case changed
    }

    /// How long an answer on the short link may take before MQTT is tried with the same id.
    private static let shortLinkPatience = Duration.seconds(1)
    /// The commands that may be under way at once.
    package static let underWayMax = 32
    /// The commands whose end is not known and that are asked about when their device is there again.
    private static let openMax = 64
    /// How many later commands a device may have got before it is not asked any more: it keeps its last answers only, and takes
    /// a command that it has forgotten for one that never came.
    private static let laterMax = DeviceRecord.answerCountMax / 2
    /// How many ended commands are remembered, so that a repeat changes nothing.
    private static let rememberedMax = 1024

    /// A command under way to a motor device.
    private struct Work {
        var serial: Serial
        var message: CommandMessage
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

    private struct Known {
        var report: DeviceReport
        var at: Timestamp
    }

    private var devices: [Serial: PairedDevice] = [:]
    private var serials: [Appliance.ID: Serial] = [:]
    private var links: [Appliance.ID: ApplianceLink<ForeignBinding>] = [:]
    /// The commands to foreign appliances that wait for their word.
    private var waiting: [TarsModel.Command.ID: CommandMachine] = [:]
    private var works: [TarsModel.Command.ID: Work] = [:]
    private var ended: [TarsModel.Command.ID] = []
    /// How many commands each device got.
    private var counts: [Serial: Int] = [:]
    private var sightings: [Serial: Surroundings.Sighting] = [:]
    /// What was said last of each device and bridge at the broker.
    private var statuses: [Serial: OwnStatus] = [:]
    private var reports: [Serial: Known] = [:]
    private var isBrokerConnected = false
    private var messagesExpire = false
    private var seeds: SplitMix64
    private var outputs: [Output] = []

    /// A home without devices.
    ///
    /// - Parameter seed: The seed of the jitter between two tries.
    package init(seed: UInt64) { seeds = SplitMix64(seed: seed) }

    /// Takes over what it may command; what is known of those that stay is kept.
    package mutating func use(_ devices: [PairedDevice], _ foreign: [ForeignAppliance]) {
        self.devices = Dictionary(devices.map { ($0.serial, $0) }) { $1 }
        serials = Dictionary(devices.map { ($0.appliance.id, $0.serial) }) { $1 }
        let before = links
        links = [:]
        for one in foreign {
            let known = before[one.appliance.id]?.renewed(for: one.appliance, one.binding)
            links[one.appliance.id] = known ?? ApplianceLink(one.appliance, one.binding)
        }
        outputs.append(.changed)
    }

    /// The filters of the messages that it needs.
    package var filters: Set<String> {
        let parts: [OwnTopic.Part] = [.ack, .state, .status]
        return Set(links.values.flatMap(\.topics) + parts.map { OwnTopic.filter($0).text })
    }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// When ``Input/tick`` is due; nil while nothing is waited for.
    package var deadline: Instant? {
        let own = works.values.flatMap { [$0.wakesAt, $0.status.deadline] }
        return (own + waiting.values.map(\.deadline)).compactMap(\.self).min()
    }

    /// Whether a word of a device is awaited.
    package func isUnderWay(_ id: TarsModel.Command.ID) -> Bool { works[id] != nil || waiting[id] != nil }

    /// How a device works, as it said on the short link or by its bridge; nil if it said nothing yet.
    package func mode(of serial: Serial) -> DeviceMode? { reports[serial]?.report.mode }

    /// What a watch shows of a device.
    package func shown(_ device: PairedDevice) -> HomeView.Thing {
        let known = reports[device.serial]
        var thing = HomeView.Thing(device.appliance)
        if let known {
            thing.stateAt = known.at
            thing.battery = known.report.battery
            switch known.report.mode {
            case .press, .custom: thing.state = nil
            case .switch: thing.state = known.report.isOn ? "on" : "off"
            case .curtain: thing.state = "\(known.report.position) %"
            }
        }
        let far = surroundings(of: device.serial)
        thing.presence = sightings[device.serial] != nil ? .online : far.bridge == .offline ? .offline : far.device
        thing.rssi = sightings[device.serial]?.rssi
        return thing
    }

    /// What a watch shows of a foreign appliance.
    package func shown(_ foreign: ForeignAppliance, at now: Moment) -> HomeView.Thing {
        var thing = HomeView.Thing(foreign.appliance)
        guard let link = links[foreign.appliance.id] else { return thing }
        thing.state = link.state.words
        thing.stateAt = link.stateAt.map { at in
            Timestamp(
                milliseconds: now.wallMilliseconds - at.duration(to: now.monotonic).wholeNanoseconds / 1_000_000)
        }
        thing.presence = link.presence
        thing.battery = link.state.battery
        return thing
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
            outputs.append(.changed)
            inquire(serial, at: now)
        case .lost(let serial):
            if sightings.removeValue(forKey: serial) != nil { outputs.append(.changed) }
            for (id, work) in works.sorted(by: { $0.key < $1.key }) where work.serial == serial && work.isOnShortLink {
                doubt(id, at: now)
            }
        case .reply(let serial, .acknowledgement(let bytes)): take(acknowledgement: Array(bytes), of: serial, at: now)
        case .reply(let serial, .state(let report)): take(report, of: serial, at: now)
        case .reply: break
        case .message(let topic, let payload, let isRetained):
            take(topic: topic, payload, isRetained: isRetained, at: now)
        case .broker(let isConnected, let messagesExpire):
            isBrokerConnected = isConnected
            self.messagesExpire = messagesExpire
            // Wills that came before the break say nothing about now.
            if !isConnected { statuses = [:] }
            outputs.append(.changed)
        case .tick: tick(at: now)
        }
    }

    private mutating func act(_ command: TarsModel.Command, at now: Moment) {
        guard works[command.id] == nil, waiting[command.id] == nil, !ended.contains(command.id) else { return }
        if links[command.appliance] != nil { return ask(command, at: now) }
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
            remember(id)
        }
        for id in waiting.keys.sorted().dropLast(Self.underWayMax) where waiting[id]?.status == .unconfirmed {
            waiting[id] = nil
            remember(id)
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
            !shown(device).isOld(at: now)
        else { return action }
        return known.report.isOn ? .off : .on
    }

    /// Asks a foreign appliance.
    private mutating func ask(_ command: TarsModel.Command, at now: Moment) {
        guard let presence = links[command.appliance]?.presence else { return }
        let surroundings = Surroundings(
            isBrokerConnected: isBrokerConnected, messagesExpire: messagesExpire, device: presence)
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
                        mayRepeat: message.qualityOfService > 0 && messagesExpire,
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

    // MARK: - What devices say

    private mutating func take(topic: String, _ payload: [UInt8], isRetained: Bool, at now: Moment) {
        guard let own = OwnTopic(topic) else { return take(foreign: topic, payload, isRetained, at: now) }
        switch own.part {
        case .set: break
        // An answer of before the connection says nothing about now.
        case .ack: if !isRetained { take(acknowledgement: payload, of: own.serial, at: now) }
        case .state:
            if let report = try? CanonicalJSON.decode(DeviceReport.self, from: payload) {
                take(report, of: own.serial, at: now)
            }
        case .status:
            let status = OwnStatus(payload: payload)
            guard statuses.updateValue(status, forKey: own.serial) != status else { break }
            outputs.append(.changed)
            guard status.presence == .online else { break }
            for serial in devices.keys.sorted(by: { $0.text < $1.text })
            where serial == own.serial || statuses[serial]?.hub == own.serial {
                inquire(serial, at: now)
            }
        }
    }

    private mutating func take(foreign topic: String, _ payload: [UInt8], _ isRetained: Bool, at now: Moment) {
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

    private mutating func hear(_ id: TarsModel.Command.ID, _ input: CommandMachine.Input, at now: Moment) {
        guard waiting[id] != nil else { return }
        waiting[id]?.handle(input, at: now.monotonic)
        guard let status = waiting[id]?.status else { return }
        outputs.append(.status(id, status))
        guard status.isFinal else { return }
        waiting[id] = nil
        remember(id)
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

    private mutating func take(_ report: DeviceReport, of serial: Serial, at now: Moment) {
        let at = Timestamp(milliseconds: now.wallMilliseconds)
        let before = reports.updateValue(Known(report: report, at: at), forKey: serial)
        if before?.report.shown != report.shown { outputs.append(.changed) }
    }

    /// Nobody knows whether the device has the command.
    private mutating func doubt(_ id: TarsModel.Command.ID, at now: Moment) {
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
        for (id, status) in waiting.sorted(by: { $0.key < $1.key }) {
            guard let deadline = status.deadline, deadline <= now.monotonic else { continue }
            hear(id, .tick, at: now)
        }
    }

    private func surroundings(of serial: Serial) -> Surroundings {
        // The bridge that carries for a device says so in the device's name; its own will says when it is gone.
        let status = statuses[serial]
        let device = status?.presence ?? .unknown
        let bridge = status?.hub.flatMap { statuses[$0]?.presence } ?? .unknown
        return Surroundings(
            sighting: sightings[serial], isBrokerConnected: isBrokerConnected, messagesExpire: messagesExpire,
            bridge: bridge, device: device)
    }

    // MARK: - Commands under way

    private mutating func step(_ id: TarsModel.Command.ID, _ input: Delivery.Input, at now: Moment) {
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

    private mutating func send(_ id: TarsModel.Command.ID, _ route: Route, at now: Moment) {
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
                .publish(
                    topic: OwnTopic(work.serial, .set).text, sealed, mayRepeat: true,
                    expirySeconds: UInt32(clamping: (left + 999) / 1000)))
        case .refused: return
        }
        if work.status.status == .asked {
            works[id]?.status.handle(.reply(.sent), at: now.monotonic)
            settle(id)
        }
    }

    /// Reports where a command stands, and forgets its work when that is the end.
    private mutating func settle(_ id: TarsModel.Command.ID) {
        guard let status = works[id]?.status.status else { return }
        outputs.append(.status(id, status))
        guard status.isFinal else { return }
        works[id] = nil
        remember(id)
    }

    private mutating func end(_ id: TarsModel.Command.ID, _ status: CommandStatus) {
        outputs.append(.status(id, status))
        remember(id)
    }

    private mutating func remember(_ id: TarsModel.Command.ID) {
        ended.append(id)
        ended.removeFirst(max(0, ended.count - Self.rememberedMax))
    }
}

/// A motor device that was paired with the phone.
package struct PairedDevice: Hashable, Sendable {
    /// Its serial number.
    package var serial: Serial
    /// What it is at home.
    package var appliance: Appliance
    /// The key of its pairing.
    package var key: LinkKey

    /// Notes a device.
    package init(serial: Serial, appliance: Appliance, key: LinkKey) {
        self.serial = serial
        self.appliance = appliance
        self.key = key
    }
}

extension DeviceReport {
    /// What of it watches show.
    fileprivate var shown: [Int] { [isOn ? 1 : 0, position, battery, DeviceMode.allCases.firstIndex(of: mode) ?? 0] }
}
