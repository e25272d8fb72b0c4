import Appliances
import Companion
import Foundation
import PINPairing
import Peripherals
import Platform
import Primitives
import TarsApp
import TarsModel
import Text
import WatchConnectivity

/// Answers the commands of the phone's machine.
actor HomeDesk {
    private let home: Home
    private let host: PhoneHost<Home>
    private let pairing: PairingDesk<TarsMaker>
    private let way: @Sendable (Serial, LinkRequest) -> Void
    private let know: @Sendable (Set<Serial>) -> Void
    /// What was heard on the short link, and when.
    private var heard: [Serial: Surroundings.Sighting] = [:]
    /// The devices that it is connected to.
    private var connected: Set<Serial> = []
    private var catalogue = ApplianceCatalogue()
    /// Where the answers of a Shelly come, while one is asked.
    private var shellyAnswers: (topic: String, box: Mailbox<[UInt8]>)?

    init(
        _ home: Home, _ host: PhoneHost<Home>, send: @escaping @Sendable (Serial, LinkRequest) -> Void,
        know: @escaping @Sendable (Set<Serial>) -> Void
    ) {
        self.home = home
        self.host = host
        self.know = know
        way = send
        pairing = PairingDesk<TarsMaker>(send: send)
    }

    // MARK: - What comes in

    /// Takes in what happened on the short link.
    func take(_ event: AirLoop<TarsMaker>.Event) async {
        switch event {
        case .heard(let serial, let rssi):
            heard[serial] = Surroundings.Sighting(at: Moment.now.monotonic, rssi: rssi)
            await home.handle(.heard(serial, rssi: rssi))
        case .lost(let serial):
            connected.remove(serial)
            await home.handle(.lost(serial))
        case .reply(let serial, let reply):
            if case .state = reply { connected.insert(serial) }
            await pairing.take(reply, of: serial)
            await home.handle(.reply(serial, reply))
        }
    }

    /// The devices and bridges that were heard lately.
    private var near: [Serial: Surroundings.Sighting] {
        let now = Moment.now.monotonic
        return heard.filter { $0.value.at.duration(to: now) <= AirLoop<TarsMaker>.silenceMax }
    }

    /// Takes in a message of the broker.
    func take(topic: String, payload: [UInt8], isRetained: Bool) async {
        for entry in catalogue.take(topic: topic, payload: payload) { await home.renew(entry) }
        if let answers = shellyAnswers, topic == answers.topic { await answers.box.put(payload) }
        await home.handle(.message(topic: topic, payload: payload, isRetained: isRetained))
    }

    /// The filters of the announcements that it follows, and of the answers to its questions.
    static func filters(hub: String) -> Set<String> {
        ApplianceCatalogue.filters.union([ShellyBinding.answerTopic(hub: hub)])
    }

    // MARK: - Commands

    /// Answers a command in the bytes of the control socket.
    func answer(_ bytes: [UInt8]) async -> [UInt8] {
        var reply: HomeReply
        do {
            reply = try await answer(try CanonicalJSON.decode(HomeRequest.self, from: bytes))
        } catch {
            reply = .problem("\(error)")
        }
        return CanonicalJSON.bytes(ofEncodable: reply)
    }

    private func answer(_ request: HomeRequest) async throws -> HomeReply {
        switch request {
        case .view: return .view(await home.view(of: nil))
        case .next(let time): return .view(await home.next(after: time))
        case .scan: return await scan()
        case .pair(let serial, let pin, let name, let room): return try await pair(serial, pin, name, room)
        case .discover: return await discovered()
        case .askShelly(let prefix): return try await askShelly(prefix)
        case .adopt(let key, let name, let room): return try await adopt(key, name, room)
        case .addTasmota(let topic, let name, let room):
            let binding = ForeignBinding.tasmota(try TasmotaBinding(topic: topic))
            return try await add(name, room, .switch, [.onOff, .toggle], .tasmota, binding)
        case .edit(let thing, let name, let room, let confirm): return try await edit(thing, name, room, confirm)
        case .remove(let thing): return try await remove(thing)
        case .define(let shortcut):
            try await home.edit { $0.define(shortcut) }
            return .done("shortcut \(Excerpt(shortcut.name)): its key and its link are ready")
        case .defineScene(let scene):
            try await home.edit { $0.define(scene) }
            return .done("scene \(Excerpt(scene.name)) is ready")
        case .forget(let name): return try await forget(name)
        case .perform(let command, let id):
            let first = await home.perform(command, id, of: nil)
            return .status(first == .sent ? await home.settled(id, until: command.until) : first)
        case .conflicts:
            return .conflicts(
                await home.conflicts.map { HomeReply.Lost(id: $0.conflict.id.uuidString.lowercased(), words: $0.words) }
            )
        case .settle(let text, let restoring): return try await settle(text, restoring)
        case .invite: return .code(try await WCSession.invitation())
        case .watches: return await watches()
        case .grant(let watch, let grant, let isGiven): return try await grantWatch(watch, grant, isGiven)
        }
    }

    private func scan() async -> HomeReply {
        let devices = await home.contents.devices
        return .near(
            near.sorted { $0.key.short < $1.key.short }.map { serial, sighting in
                let name = devices.first { $0.serial == serial }?.appliance.name
                return HomeReply.Near(
                    serial: serial, rssi: sighting.rssi, name: serial.bearer == .hub ? "a bridge" : name)
            })
    }

    /// Refuses a second thing of a name: commands by the name would go to one of them.
    private func checkIsFree(_ name: String, except id: Appliance.ID? = nil) async throws {
        let others = await home.contents.appliances.filter { $0.id != id }.map(\.name)
        guard let other = others.first(where: { $0.lowercased() == name.lowercased() }) else { return }
        throw HomeProblem("there is a thing called \(Excerpt(other)) already: choose another name")
    }

    private func pair(_ serial: Serial, _ pin: String?, _ name: String, _ room: String?) async throws -> HomeReply {
        try Limit.check(name: name)
        let before = await home.contents.devices.first { $0.serial == serial }?.appliance
        try await checkIsFree(name, except: before?.id)
        let pin = try pin.map { text in try PIN(text) }
        // A device that was just switched on is heard within a few advertisements.
        for _ in 0..<30 where near[serial] == nil { try await Task.sleep(for: .milliseconds(100)) }
        guard near[serial] != nil else {
            let others = near.keys.map(\.short).sorted().joined(separator: ", ")
            throw HomeProblem(
                "\(serial.short) is not near: "
                    + (others.isEmpty ? "no device is" : "near are \(others)") + "; see `tars scan`")
        }
        let known = Set(await home.contents.devices.map(\.serial))
        know(known.union([serial]))
        defer { Task { [home, know] in know(Set(await home.contents.devices.map(\.serial))) } }
        // It connects with the next advertisement.
        for _ in 0..<50 where !connected.contains(serial) { try await Task.sleep(for: .milliseconds(100)) }
        let key = try await pairing.pair(serial, pin: pin)
        let mode = await home.mode(of: serial) ?? .press
        // One that is paired again stays what it is for shortcuts, scenes and those who confirm.
        var appliance = try Appliance(
            id: before?.id ?? Appliance.ID.random(), name: name, room: room ?? before?.room, kind: mode.kind,
            abilities: mode.abilities, dialect: .own)
        appliance.confirm = before?.confirm ?? appliance.confirm
        let paired = appliance
        try await home.change { document in
            document.devices.removeAll { $0.serial == serial }
            document.devices.append(HomeDocument.Device(appliance: paired, serial: serial))
            document.keys[serial] = key
        }
        return .done("\(Excerpt(name)) is paired: \(serial.short)")
    }

    private func discovered() async -> HomeReply {
        let known = await home.contents.foreign.map(\.binding)
        let new = catalogue.entries.filter { !known.contains($0.binding) }
        return .discovered(
            new.map {
                HomeReply.Announced(
                    key: catalogue.name(of: $0), name: $0.name, dialect: $0.dialect, kind: $0.kind, notes: $0.notes)
            }, left: catalogue.left)
    }

    /// Asks a Shelly what it is: it announces nothing by itself that tells.
    private func askShelly(_ prefix: String) async throws -> HomeReply {
        guard shellyAnswers == nil else { throw HomeProblem("another Shelly is being asked: try again in a moment") }
        let binding = try ShellyBinding(prefix: prefix, hub: await home.contents.hub)
        let box = Mailbox<[UInt8]>()
        shellyAnswers = (binding.answerTopic, box)
        defer { shellyAnswers = nil }
        for question in binding.questions { await home.ask(question) }
        var answers: [[UInt8]] = []
        while answers.count < 8, let answer = await box.next(within: .seconds(5)) {
            answers.append(answer)
            let found = answers.flatMap { info in answers.flatMap { binding.discover(info: info, status: $0) } }
            guard !found.isEmpty else { continue }
            catalogue.note(found, at: prefix)
            return await discovered()
        }
        throw HomeProblem(
            "\(Excerpt(prefix)) does not answer: give the MQTT prefix of the device, and turn on RPC and status "
                + "notifications in its MQTT settings")
    }

    private func adopt(_ key: String, _ name: String?, _ room: String?) async throws -> HomeReply {
        guard let found = catalogue.entry(named: key) else {
            throw HomeProblem("nothing announced itself as \(Excerpt(key)): see `tars discover`")
        }
        return try await add(
            name ?? found.name, room, found.kind, found.abilities, found.dialect, found.binding, key: found.key)
    }

    private func add(
        _ name: String, _ room: String?, _ kind: Appliance.Kind, _ abilities: [Ability], _ dialect: Dialect,
        _ binding: ForeignBinding, key: String? = nil
    ) async throws -> HomeReply {
        try await checkIsFree(name)
        if let known = await home.contents.foreign.first(where: { $0.binding == binding }) {
            throw HomeProblem("this is in the home already, as \(Excerpt(known.appliance.name))")
        }
        let appliance = try Appliance(
            id: Appliance.ID.random(), name: name, room: room, kind: kind, abilities: abilities, dialect: dialect)
        try await home.change {
            $0.foreign.append(ForeignAppliance(appliance: appliance, binding: binding, key: key))
        }
        return .done("\(Excerpt(name)) is in the home")
    }

    private func edit(
        _ thing: String, _ name: String?, _ room: String?, _ confirm: Bool?
    ) async throws -> HomeReply {
        let appliance = try await home.view(of: nil).thing(named: thing).appliance
        if let name { try await checkIsFree(name, except: appliance.id) }
        if name != nil || room != nil {
            try await home.edit { edits in try edits.edit(appliance.id, name: name, room: room) }
        }
        if let confirm { _ = try await home.change { $0.change(appliance.id) { $0.confirm = confirm } } }
        return .done("\(Excerpt(name ?? thing)) is changed")
    }

    private func remove(_ thing: String) async throws -> HomeReply {
        let appliance = try await home.view(of: nil).thing(named: thing).appliance
        let device = await home.contents.devices.first { $0.appliance.id == appliance.id }
        let isNear = device.map { connected.contains($0.serial) } ?? false
        // Both sides forget the key (T44): the device first, because the phone hangs up on a device that it does not know.
        if let serial = device?.serial, isNear, let key = await home.contents.keys[serial] {
            way(serial, .pairing(Data(key.unpairing.bytes)))
        }
        try await home.change { document in
            if let serial = device?.serial { document.keys[serial] = nil }
            document.devices.removeAll { $0.appliance.id == appliance.id }
            document.foreign.removeAll { $0.appliance.id == appliance.id }
        }
        try await home.edit { edits in
            edits.names[appliance.id] = nil
            edits.rooms[appliance.id] = nil
        }
        guard device != nil else { return .done("\(Excerpt(thing)) is removed") }
        let advice = "it was not near, and keeps its key until it is paired again"
        return .done("\(Excerpt(thing)) is removed\(isNear ? ", and has forgotten its owner" : "; \(advice)")")
    }

    private func forget(_ name: String) async throws -> HomeReply {
        let found = try await home.edit { $0.forget(name) }
        guard found else { throw HomeProblem("there is no shortcut and no scene \(Excerpt(name)): see `tars status`") }
        return .done("\(Excerpt(name)) is removed")
    }

    private func settle(_ text: String, _ restoring: Bool) async throws -> HomeReply {
        let all = await home.conflicts
        let ids = all.map { $0.conflict.id }.filter { $0.uuidString.lowercased().hasPrefix(text.lowercased()) }
        guard ids.count == 1, !text.isEmpty else {
            throw HomeProblem(
                "\(Excerpt(text)) names \(ids.count) of \(all.count) edits that lost: see `tars conflicts`")
        }
        try await home.settle(ids[0], restoring: restoring)
        return .done(restoring ? "what lost is back" : "what lost is forgotten")
    }

    // MARK: - Watches

    private func watches() async -> HomeReply {
        .watches(
            await host.callers.map { HomeReply.Watch(name: $0.watch.name, grants: $0.grants.names.sorted()) })
    }

    private func grantWatch(_ name: String, _ grant: String, _ isGiven: Bool) async throws -> HomeReply {
        let grant = try TarsApp.grant(named: grant)
        guard let caller = await host.caller(named: name) else {
            throw HomeProblem(await host.absence(ofWatch: name))
        }
        return .done(try await host.change(grant, isGiven: isGiven, of: caller, rest: "look"))
    }
}

extension DeviceMode {
    /// What a device of this mode is at home.
    fileprivate var kind: Appliance.Kind {
        switch self {
        case .press, .custom: .bot
        case .switch: .switch
        case .curtain: .cover
        }
    }
}
