import Foundation
import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

/// Runs a program on a ``TestPair``, and keeps the log.
// Unchecked: all mutable state is protected by the lock.
package final class ProgramRun: @unchecked Sendable {
    private let program: SessionProgram
    private let pair: TestPair
    private let lock = NSRecursiveLock()
    private var log = ProgramLog()
    private var lastNumber = 0
    private var lastProcess = 0
    private var processes: [SessionProgram.Actor: ProgramApp] = [:]
    /// All processes so far: a process that has ended must not be called, and to check that, it is kept.
    private var formerProcesses: [ProgramApp] = []
    private var traits: SessionProgram.Traits
    private var callbackCount = 0
    private var arrivalCount = 0
    private var messageCount = 0
    private var numberInCall: Int?

    /// The result of a program.
    package struct Report: Sendable {
        package var log: ProgramLog
        package var violations: [ProgramChecker.Violation]
        package var timeline: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameter program: The program.
    /// - Returns: What happened, and which guarantees were broken.
    /// - Throws: The file system's error if there can be no folder for the apps' files.
    package static func run(_ program: SessionProgram) throws -> Report { try run(program, detour: nil) }

    /// Runs a program, and after a third of its steps changes what peers request of their engines.
    static func run(_ program: SessionProgram, detour: Detour?) throws -> Report {
        let run = try ProgramRun(program)
        run.begin()
        for (place, step) in program.steps.enumerated() {
            if let detour, place == program.steps.count / 3 {
                run.pair.stage.world.withLock { $0.detour = detour }
            }
            run.perform(step)
        }
        run.pair.stage.world.withLock { $0.detour = nil }
        run.heal()
        let log = run.locked { run.log }
        return Report(
            log: log, violations: ProgramChecker.violations(in: log), timeline: run.pair.timeline)
    }

    private init(_ program: SessionProgram) throws {
        self.program = program
        traits = program.traits
        var setup = PairSetup()
        setup.watchCount = program.watchCount
        setup.seed = program.seed
        setup.isShuffled = program.isShuffled
        pair = try TestPair(setup)
    }

    func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    func note(_ entry: ProgramLog.Entry) {
        locked { log.entries.append(entry) }
    }

    // MARK: - Processes

    private var actors: [SessionProgram.Actor] { [.phone] + (0..<program.watchCount).map { .watch($0) } }

    func device(_ actor: SessionProgram.Actor) -> TestDevice {
        switch actor {
        case .phone: pair.phoneDevice
        case .watch(let number): pair.watchDevices[number]
        }
    }

    private func begin() {
        for actor in actors {
            newProcess(of: actor)
            device(actor).onLaunch = { [weak self] _, _ in
                self?.newProcess(of: actor)
                self?.activate(actor)
            }
            pair.stage.changeApp(of: device(actor).id) { app in
                app.onEnd = { [weak self] in self?.ended(actor, withDevice: $0) }
            }
        }
    }

    private func newProcess(of actor: SessionProgram.Actor) {
        let app = locked {
            lastProcess += 1
            let app: any ProgramApp & WCSessionDelegate =
                traits.isSparse
                ? SparseProgramApp(self, actor, process: lastProcess)
                : FullProgramApp(self, actor, process: lastProcess)
            if let former = processes[actor] { formerProcesses.append(former) }
            processes[actor] = app
            return app
        }
        device(actor).session.delegate = app
    }

    private func ended(_ actor: SessionProgram.Actor, withDevice: Bool) {
        locked {
            guard let process = processes[actor]?.process else { return }
            log.entries.append(.processEnded(actor, process: process, withDevice: withDevice))
        }
    }

    private func activate(_ actor: SessionProgram.Actor) {
        guard device(actor).app != .notRunning else { return }
        locked {
            if let process = processes[actor]?.process {
                log.entries.append(.activating(actor, process: process))
            }
        }
        device(actor).session.activate()
    }

    // MARK: - Steps

    private func perform(_ step: SessionProgram.Step) {
        switch step {
        case .activate(let actor): activate(actor)
        case .message(let actor, let isData, let wantsReply, let content):
            sendMessage(actor, isData: isData, wantsReply: wantsReply, content)
        case .context(let actor, let content): updateContext(actor, content)
        case .userInfo(let actor, let isComplication, let content):
            sendUserInfo(actor, isComplication: isComplication, content)
        case .file(let actor, let byteCount, let hasMetadata, let exists):
            sendFile(actor, byteCount: byteCount, hasMetadata: hasMetadata, exists: exists)
        case .cancel(let actor, let isFile, let isOldest): cancel(actor, isFile: isFile, isOldest: isOldest)
        case .appState(let actor, let state): device(actor).app = state
        case .power(let actor, let isOn): isOn ? device(actor).powerOn() : device(actor).powerOff()
        case .losePower(let actor, let count): device(actor).losePower(afterSteps: count)
        case .disk(let actor, let disk):
            if disk != .works { locked { log.hasDiskFaults = true } }
            device(actor).disk = disk
        case .lock(let isLocked): pair.phoneDevice.isLocked = isLocked
        case .complication(let watch, let isEnabled): pair.watchDevices[watch].isComplicationEnabled = isEnabled
        case .install(let actor, let isInstalled):
            // Recorded first, because dropped content already fails during the call.
            note(.contentDropped)
            device(actor).isAppInstalled = isInstalled
        case .pairing(let watch, let isPaired):
            note(.contentDropped)
            isPaired ? pair.watchDevices[watch].pair() : pair.watchDevices[watch].unpair()
        case .link(let watch, let step): pair.links[watch].perform(step)
        case .switchWatch(let number): if pair.phoneDevice.hasPower { pair.switchWatch(to: number) }
        case .settle: settle()
        case .advance(let duration): if !pair.advance(by: duration) { note(.unsettled) }
        }
    }

    /// Settles; afterwards everything is idle, unless a slow link was busy until the end, or a disk does not write.
    private func settle() {
        let start = pair.elapsed
        guard pair.settle() else { return note(.unsettled) }
        let isQuiet = pair.elapsed - start < PairRunner.longestSettling - PairRunner.blink * 2
        if isQuiet, actors.allSatisfy({ device($0).disk == .works }) { note(.atRest) }
    }

    /// Ends all faults, starts all apps, and gives everything that waits the time that it needs.
    private func heal() {
        locked {
            traits.exitInterval = 0
            traits.reentryInterval = 0
        }
        for link in pair.links { link.heal() }
        for actor in actors {
            let device = device(actor)
            pair.stage.world.withLock { world in world.change { $0.planPowerLoss(of: device.id, afterSteps: nil) } }
            device.disk = .works
            device.powerOn()
            device.isLocked = false
            if actor != .phone { device.pair() }
            device.isAppInstalled = true
            device.app = .foreground
            activate(actor)
        }
        settle()
        for round in 0..<2 {
            for watch in 0..<program.watchCount {
                pair.switchWatch(to: watch)
                settle()
                activate(.phone)
                if !pair.advance(by: round == 0 ? .seconds(12) : .seconds(2)) { note(.unsettled) }
            }
        }
        note(.healed)
    }
}

// MARK: - Calls of the sessions

extension ProgramRun {
    private func ask(
        _ actor: SessionProgram.Actor, _ kind: ProgramLog.Kind, _ content: SessionProgram.Content,
        wantsReply: Bool = false, isComplication: Bool = false, exists: Bool = true
    ) -> ProgramLog.Request? {
        guard device(actor).hasPower, device(actor).app != .notRunning else { return nil }
        let session = device(actor).session
        return locked {
            lastNumber += 1
            let request = ProgramLog.Request(
                number: lastNumber, kind: kind, sender: actor, process: processes[actor]?.process ?? 0,
                content: content, wantsReply: wantsReply, isComplication: isComplication, exists: exists,
                wasActivated: session.activationState == .activated, wasReachable: session.isReachable,
                hadCounterpart: session.isCompanionAppInstalled)
            log.entries.append(.asked(request))
            return request
        }
    }

    private func sendMessage(
        _ actor: SessionProgram.Actor, isData: Bool, wantsReply: Bool, _ content: SessionProgram.Content
    ) {
        let content = isData && content == .unsupported ? .small : content
        guard let request = ask(actor, .message, content, wantsReply: wantsReply) else { return }
        let number = request.number
        let failed: @Sendable (any Error) -> Void = { [weak self] error in
            self?.handled(number, .failed(number, (error as? WCError)?.code ?? .genericError))
        }
        let replied: @Sendable () -> Void = { [weak self] in self?.handled(number, .replied(number)) }
        locked { numberInCall = number }
        let session = device(actor).session
        if isData {
            let data = ProgramPayload.data(number, content)
            session.sendMessageData(data, replyHandler: wantsReply ? { _ in replied() } : nil, errorHandler: failed)
        } else {
            let message = ProgramPayload.dictionary(number, content, .message)
            session.sendMessage(message, replyHandler: wantsReply ? { _ in replied() } : nil, errorHandler: failed)
        }
        locked { numberInCall = nil }
    }

    private func handled(_ number: Int, _ entry: ProgramLog.Entry) {
        locked {
            if numberInCall == number { log.entries.append(.handledTooEarly(number)) }
            log.entries.append(entry)
        }
    }

    private func updateContext(_ actor: SessionProgram.Actor, _ content: SessionProgram.Content) {
        guard let request = ask(actor, .context, content) else { return }
        do {
            try device(actor).session.updateApplicationContext(
                ProgramPayload.dictionary(request.number, content, .context))
            note(.contextAnswered(request.number, nil))
        } catch {
            note(.contextAnswered(request.number, (error as? WCError)?.code ?? .genericError))
        }
    }

    private func sendUserInfo(
        _ actor: SessionProgram.Actor, isComplication: Bool, _ content: SessionProgram.Content
    ) {
        let isComplication = isComplication && actor == .phone
        guard let request = ask(actor, .userInfo, content, isComplication: isComplication) else { return }
        let payload = ProgramPayload.dictionary(request.number, content, .userInfo)
        let session = device(actor).session
        if isComplication {
            session.transferCurrentComplicationUserInfo(payload)
        } else {
            session.transferUserInfo(payload)
        }
    }

    private func sendFile(_ actor: SessionProgram.Actor, byteCount: Int, hasMetadata: Bool, exists: Bool) {
        guard let request = ask(actor, .file, .small, exists: exists) else { return }
        let url = pair.folder.appendingPathComponent(ProgramPayload.fileName(request.number, byteCount))
        if exists {
            do {
                try ProgramPayload.file(request.number, byteCount).write(to: url)
            } catch {
                preconditionFailure("the test's own folder takes no files: \(error)")
            }
        }
        device(actor).session.transferFile(url, metadata: hasMetadata ? ["n": request.number] : nil)
        // The file has been copied when the call returns.
        if exists, request.number % 2 == 0 { try? FileManager.default.removeItem(at: url) }
    }

    private func cancel(_ actor: SessionProgram.Actor, isFile: Bool, isOldest: Bool) {
        guard device(actor).hasPower, device(actor).app != .notRunning else { return }
        let session = device(actor).session
        if isFile {
            let transfers = session.outstandingFileTransfers
            guard let transfer = isOldest ? transfers.first : transfers.last,
                let number = ProgramPayload.number(ofFile: transfer.file.fileURL)
            else { return }
            note(.cancelled(number))
            transfer.cancel()
        } else {
            let transfers = session.outstandingUserInfoTransfers
            guard let transfer = isOldest ? transfers.first : transfers.last,
                let number = ProgramPayload.number(of: transfer.userInfo)
            else { return }
            note(.cancelled(number))
            transfer.cancel()
        }
    }
}

// MARK: - Calls of the delegates

extension ProgramRun: ProgramHost {
    /// What an app does in a callback; returns whether its process continues.
    func began(_ app: ProgramApp, _ name: String, _ arrival: ProgramLog.Arrival?) {
        let device = device(app.actor)
        let callback = ProgramLog.Callback(
            arrival: arrival, name: name, appState: device.app, activationState: device.session.activationState)
        note(.began(app.actor, process: app.process, callback))
        let (reenters, dies) = locked {
            callbackCount += 1
            if arrival != nil { arrivalCount += 1 }
            let reenters = traits.reentryInterval > 0 && callbackCount % traits.reentryInterval == 0
            let dies = traits.exitInterval > 0 && arrival != nil && arrivalCount % traits.exitInterval == 0
            return (reenters, dies)
        }
        if reenters { reenter(app.actor) }
        if dies { device.app = .notRunning }
    }

    func ended(_ app: ProgramApp) {
        note(.ended(app.actor, process: app.process))
    }

    private func reenter(_ actor: SessionProgram.Actor) {
        switch locked({ callbackCount }) % 4 {
        case 0: sendUserInfo(actor, isComplication: false, .small)
        case 1: updateContext(actor, .small)
        case 2: activate(actor)
        default:
            // Replying to every reply would never end, so only few callbacks send a message.
            if locked({ lastNumber < 400 }) {
                sendMessage(actor, isData: false, wantsReply: locked { callbackCount } % 2 == 0, .small)
            }
        }
    }

    /// How often an app replies to the next message, and whether with too large a reply.
    func nextReplies() -> (count: Int, isTooLarge: Bool) {
        locked {
            messageCount += 1
            return traits.replies(toMessage: messageCount)
        }
    }

    func finished(_ app: ProgramApp, _ number: Int?, _ kind: ProgramLog.Kind, _ error: (any Error)?) {
        let code = error.map { ($0 as? WCError)?.code ?? .genericError }
        note(.finished(number ?? 0, kind, code))
    }
}
