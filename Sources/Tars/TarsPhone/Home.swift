package import Appliances
package import Companion
import Foundation
import Peripherals
import Platform
import Primitives
import Service
package import TarsApp
package import TarsModel
import Text
package import WatchConnectivity

/// The phone of a home: it owns the things and shortcuts, and carries commands of watches and of this machine to devices.
///
/// Decisions are ``HomeCore``'s; this actor has the clock, the file and the ways out.
package actor Home: CompanionPhone {
    package typealias App = TarsApp

    /// How something leaves the phone.
    package struct Ways: Sendable {
        /// Writes a sealed command to a device near by.
        package var write: @Sendable (Serial, [UInt8]) -> Void
        /// Publishes a message that expires, at least once or at most once; returns at once.
        package var publish:
            @Sendable (_ topic: String, _ payload: [UInt8], _ mayRepeat: Bool, _ seconds: UInt32) -> Void
        /// The devices to connect to when they are near.
        package var know: @Sendable (Set<Serial>) -> Void
        /// The filters of the messages that are needed; of some of them, the messages that the broker keeps come once more.
        package var want: @Sendable (_ filters: Set<String>, _ again: Set<String>) -> Void
        /// What watches show changed.
        package var show: @Sendable () -> Void
        /// A command of a watch ended.
        package var tell: @Sendable (Ending, SessionWatchID) -> Void

        /// Ways that lead nowhere.
        package init() {
            write = { _, _ in }
            publish = { _, _, _, _ in }
            know = { _ in }
            want = { _, _ in }
            show = {}
            tell = { _, _ in }
        }
    }

    private let file: HomeFile
    private let records: SharedRecords
    /// What the file has: names and rooms are those with which things came.
    private var document: HomeDocument
    private var edits: HomeRecords
    private var core: HomeCore
    private var ways = Ways()
    private var asked = AskedCommands<SessionWatchID>()
    private var changedAt = Timestamp.now
    private var timer: Task<Void, Never>?
    /// Told after each change.
    private let signal = ChangeSignal()

    /// Reads the home.
    ///
    /// - Parameters:
    ///   - file: Its file.
    ///   - records: What is edited on the phone and on watches; its rules are ``HomeRecords/rules``.
    ///   - seed: The seed of the jitter between two tries.
    /// - Throws: ``HomeProblem`` if the file is damaged.
    package init(_ file: HomeFile, records: SharedRecords, seed: UInt64 = .random(in: 0...(.max))) throws {
        self.file = file
        self.records = records
        document = try file.read()
        edits = HomeRecords(records.values)
        core = HomeCore(seed: seed)
        let named = document.edited(by: edits)
        core.use(named.paired, named.foreign)
    }

    /// Connects the home with its ways.
    package func connect(_ ways: Ways) {
        self.ways = ways
        announce()
    }

    /// The things, with their present names.
    package var contents: HomeDocument { document.edited(by: edits) }

    /// How a device works; nil if it said nothing yet.
    package func mode(of serial: Serial) -> DeviceMode? { core.mode(of: serial) }

    /// Publishes a question to a device, at most once; its answer comes as a message.
    func ask(_ order: Order) { ways.publish(order.topic, Array(order.payload.utf8), false, 5) }

    private func announce(hearingAgain filters: Set<String> = []) {
        ways.know(Set(document.devices.map(\.serial)))
        ways.want(core.filters, filters)
    }

    // MARK: - Changes

    /// Changes which things there are; when this returns, the change survives a power cut.
    ///
    /// - Throws: ``ModelProblem`` for too much of something, what `body` throws, and the file's errors; nothing is changed then.
    package func change<Result: Sendable>(_ body: (inout HomeDocument) throws -> Result) throws -> Result {
        var next = document
        let result = try body(&next)
        try next.check()
        guard next != document else { return result }
        try file.write(next)
        // What the broker keeps was told before the thing was here, if something else needs the same topic.
        let known = Set(document.foreign.map(\.binding))
        let new = next.foreign.map(\.binding).filter { !known.contains($0) }
        document = next
        use()
        announce(hearingAgain: Set(new.flatMap(\.topics)))
        drain()
        return result
    }

    /// Takes over how a thing is reached that announced itself anew: after an update its topics may be others.
    func renew(_ entry: ApplianceCatalogue.Entry) {
        guard let index = document.foreign.firstIndex(where: entry.isAnnouncement) else { return }
        // A disk that does not take it leaves the thing as it is, until it announces itself again.
        try? change { document in
            document.foreign[index].key = entry.key
            document.foreign[index].binding = entry.binding
            document.foreign[index].appliance.abilities = entry.abilities
        }
    }

    /// Edits names, rooms, shortcuts and scenes; when this returns, the edit survives a power cut.
    ///
    /// - Throws: ``ModelProblem`` for too much of something, what `body` throws, ``HomeProblem`` with the reason of a refusal, and
    ///   `SharedRecordsError`; nothing is changed then.
    package func edit<Result: Sendable>(_ body: (inout HomeRecords) throws -> Result) async throws -> Result {
        let before = HomeRecords(records.values)
        var next = before
        let result = try body(&next)
        try next.check()
        let outcome = try await records.change(next.values(changing: before))
        if case .refused(let reason) = outcome { throw HomeProblem(reason) }
        recordsChanged()
        return result
    }

    /// Takes over what was edited, here or on a watch.
    package func recordsChanged() {
        let next = HomeRecords(records.values)
        guard next != edits else { return }
        edits = next
        use()
        drain()
    }

    /// The edits that lost against newer ones and wait for a person, with their words.
    package var conflicts: [(conflict: SharedRecords.Conflict, words: String)] {
        let view = view(of: nil)
        return records.conflicts.map { ($0, view.words($0)) }
    }

    /// Settles a conflict: what lost is brought back, or forgotten.
    ///
    /// - Throws: ``HomeProblem`` with the reason of a refusal, and `SharedRecordsError`.
    package func settle(_ conflict: SharedRecords.Conflict.ID, restoring: Bool) async throws {
        let outcome = try await records.settle(conflict, restoring: restoring)
        if case .refused(let reason) = outcome { throw HomeProblem(reason) }
        recordsChanged()
    }

    private func use() {
        let named = document.edited(by: edits)
        core.use(named.paired, named.foreign)
    }

    // MARK: - Watches

    /// What a watch is sent: its shortcuts and scenes come by the records.
    package func view(for caller: Caller) -> HomeView { things(for: caller.watch.id) }

    /// The home as a watch shows it; nil for this machine.
    package func view(of watch: SessionWatchID?) -> HomeView { edits.edited(things(for: watch)) }

    private func things(for watch: SessionWatchID?) -> HomeView {
        let now = Moment.now
        let named = document.edited(by: edits)
        let things = named.paired.map { core.shown($0) } + named.foreign.map { core.shown($0, at: now) }
        let mine = asked.last(HomeView.askedCountMax, of: watch)
        return HomeView(
            madeAt: changedAt, things: things, asked: mine.map { HomeView.Asked(id: $0.id, status: $0.status) })
    }

    package func perform(_ command: WatchCommand, _ id: CommandID, by caller: Caller) -> CommandStatus {
        if case .run(let shortcut) = command.order,
            let grant = edits.shortcuts.first(where: { $0.id == shortcut })?.grant, !caller.grants.allow(grant)
        {
            return .refused(.notGranted)
        }
        return perform(command, id.commandID, of: caller.watch.id)
    }

    package func received(_ event: Ending, from caller: Caller) {}

    package func received(_ file: IncomingFile<TarsApp.FileInfo>, from caller: Caller) {}

    // MARK: - Commands

    /// Carries out a command, once for each id.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - id: Its id.
    ///   - watch: The watch that asked; nil for this machine.
    /// - Returns: Where it stands: sent, or why it was not.
    package func perform(
        _ command: WatchCommand, _ id: Appliances.Command.ID, of watch: SessionWatchID?
    ) -> CommandStatus {
        if let known = asked.status(of: id) { return known }
        switch command.order {
        case .act(let appliance, let action):
            if needsConfirmation(of: appliance), !command.isConfirmed { return refuse(id, watch, .cancelled) }
            note(id, watch, .asked)
            handle(.act(Appliances.Command(id: id, appliance: appliance, action: action, until: command.until)))
        case .run(let shortcut):
            guard let shortcut = edits.shortcuts.first(where: { $0.id == shortcut }) else {
                return refuse(id, watch, .unsupported)
            }
            return run(shortcut, command, id, of: watch)
        }
        return asked.status(of: id) ?? .unknown
    }

    private func run(
        _ shortcut: Shortcut, _ command: WatchCommand, _ id: Appliances.Command.ID, of watch: SessionWatchID?
    ) -> CommandStatus {
        if shortcut.confirm, !command.isConfirmed { return refuse(id, watch, .cancelled) }
        switch shortcut.run {
        case .action(let appliance, let action):
            var direct = command
            direct.order = .act(appliance, action)
            return perform(direct, id, of: watch)
        case .scene(let scene):
            guard let scene = edits.scenes.first(where: { $0.id == scene }) else {
                return refuse(id, watch, .unsupported)
            }
            if scene.steps.contains(where: { needsConfirmation(of: $0.appliance) }), !command.isConfirmed {
                return refuse(id, watch, .cancelled)
            }
            let ids = scene.steps.indices.map { RunProgress.id(of: $0, in: id) }
            note(id, watch, .sent, steps: ids)
            let life = Duration.milliseconds(command.until.milliseconds(since: .now))
            Task {
                for (step, stepID) in zip(scene.steps, ids) {
                    try? await Task.sleep(for: step.after)
                    // Each step has the whole time from its own beginning on.
                    let until = Timestamp.now.advanced(byMilliseconds: life.wholeNanoseconds / 1_000_000)
                    handle(
                        .act(
                            Appliances.Command(
                                id: stepID, appliance: step.appliance, action: step.action, until: until)))
                }
            }
            return .sent
        }
    }

    /// Runs what a link asked while the phone was down, once its things are heard; nothing runs after its time (T29).
    func perform(_ link: PendingLink) async -> CommandStatus {
        guard case .run(let id) = link.command.order, let shortcut = edits.shortcuts.first(where: { $0.id == id })
        else {
            return .refused(.unsupported)
        }
        // Right after its start the phone has heard nothing, and would refuse at once.
        while link.command.until > .now, !isHeard(shortcut.run) {
            // A phone that is ended meanwhile has not run it.
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return .unknown }
        }
        guard link.command.until > .now else { return .expired }
        let first = perform(link.command, link.id, of: nil)
        return first == .sent ? await settled(link.id) : first
    }

    private func isHeard(_ run: Shortcut.Run) -> Bool {
        let wanted: [Appliance.ID] =
            switch run {
            case .action(let id, _): [id]
            case .scene(let id): edits.scenes.first { $0.id == id }?.steps.map(\.appliance) ?? []
            }
        let online = Set(things(for: nil).things.filter { $0.presence == .online }.map(\.appliance.id))
        return online.isSuperset(of: wanted)
    }

    private func needsConfirmation(of id: Appliance.ID) -> Bool {
        document.appliances.first { $0.id == id }?.confirm ?? false
    }

    private func refuse(
        _ id: Appliances.Command.ID, _ watch: SessionWatchID?, _ reason: Reason
    ) -> CommandStatus {
        note(id, watch, .refused(reason))
        return .refused(reason)
    }

    private func note(
        _ id: Appliances.Command.ID, _ watch: SessionWatchID?, _ status: CommandStatus,
        steps: [Appliances.Command.ID]? = nil
    ) {
        asked.insert(id, by: watch, status, steps: steps)
        noteChange()
    }

    /// Waits until a command is settled, and if nothing confirms it, as long as it is valid.
    func settled(_ id: Appliances.Command.ID, until end: Timestamp) async -> CommandStatus {
        var status = await settled(id)
        while status == .unconfirmed, end > .now, (try? await Task.sleep(for: .milliseconds(100))) != nil {
            status = await settled(id)
        }
        return status
    }

    /// Waits until a command is settled: confirmed, refused, expired, or not confirmed in time.
    package func settled(_ id: Appliances.Command.ID) async -> CommandStatus {
        while asked.isOpen(id, core.isUnderWay) { await withCheckedContinuation { asked.wait(for: id, $0) } }
        return asked.status(of: id) ?? .unknown
    }

    // MARK: - The core

    /// Takes in what happened.
    package func handle(_ input: HomeCore.Input) {
        core.handle(input, at: .now)
        drain()
    }

    private func drain() {
        var hasChanged = false
        while let output = core.nextOutput() {
            switch output {
            case .write(let serial, let sealed): ways.write(serial, sealed)
            case .control(.publish(let topic, let payload, let mayRepeat, let seconds)):
                ways.publish(topic, payload, mayRepeat, seconds)
            case .control(.status(let id, let status)):
                settle(id, status)
                hasChanged = true
            case .control(.changed): hasChanged = true
            }
        }
        wake(at: core.deadline)
        guard hasChanged else { return }
        noteChange()
        ways.show()
    }

    /// Counts a change, of which no two have the same time.
    private func noteChange() {
        changedAt = max(.now, changedAt.advanced(byMilliseconds: 1))
        signal.signal()
    }

    /// The home as this machine sees it, as soon as it is another one than that of a time; after ten seconds anyway.
    func next(after time: Timestamp?) async -> HomeView {
        let changes = signal.changes()
        guard time == changedAt else { return view(of: nil) }
        await changes.next(within: .seconds(10))
        return view(of: nil)
    }

    private func settle(_ id: Appliances.Command.ID, _ status: CommandStatus) {
        for one in asked.settle(id, status) {
            if one.status.isFinal, let watch = one.asker { ways.tell(Ending(id: one.id, status: one.status), watch) }
        }
    }

    private func wake(at deadline: Instant?) {
        timer?.cancel()
        guard let deadline else { return }
        timer = Task {
            let left = Moment.now.monotonic.duration(to: deadline)
            if left > .zero { try? await Task.sleep(for: left) }
            if !Task.isCancelled { handle(.tick) }
        }
    }
}

/// The identity of a watch at its phone.
package typealias SessionWatchID = String

extension HomeDocument {
    /// The same with the names and rooms of now.
    func edited(by edits: HomeRecords) -> HomeDocument {
        var document = self
        for index in devices.indices { document.devices[index].appliance = edits.edited(devices[index].appliance) }
        for index in foreign.indices { document.foreign[index].appliance = edits.edited(foreign[index].appliance) }
        return document
    }

    /// The motor devices, with their keys.
    var paired: [PairedPeripheral<TarsMaker>] {
        devices.compactMap { device in
            keys[device.serial].flatMap { LinkKey($0, of: TarsMaker.self) }.map {
                PairedPeripheral<TarsMaker>(serial: device.serial, appliance: device.appliance, key: $0)
            }
        }
    }
}
