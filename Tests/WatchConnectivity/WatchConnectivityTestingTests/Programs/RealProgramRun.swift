import Foundation
import SyncCore
import TestSupport

@testable import WatchConnectivity
@testable import WatchConnectivityTesting

/// Carries a program out on two devices with real disks and a real, encrypted link, and keeps the log.
///
/// What needs a hand on the air, the disk or the clock is left out: the simulation has it. A device that loses its power
/// is ended and begins a new life on its folder. The apps do not die within calls, since they share the test's process.
// Unchecked: everything that changes is behind the locks.
final class RealProgramRun: ProgramHost, @unchecked Sendable {
    private let program: SessionProgram
    let root: URL
    private let bell = Bell()
    private let lock = NSRecursiveLock()
    /// Held from the number of something to the end of its call, so that the numbers are in the order of the calls.
    let sending = NSRecursiveLock()
    private var log = ProgramLog()
    var lives: [SessionProgram.Actor: RealLife] = [:]
    private var states: [SessionProgram.Actor: SessionDevice.AppState] = [:]
    private var installed: Set<SessionProgram.Actor> = [.phone, .watch(0)]
    var lastNumber = 0
    private var lastProcess = 0
    private var callbackCount = 0
    private var messageCount = 0
    private var traits: SessionProgram.Traits
    /// What was cancelled; whether its end was under way then is judged by the simulation.
    var cancelled: [Int] = []
    var numberInCall: (number: Int, thread: Thread)?

    private static let actors: [SessionProgram.Actor] = [.phone, .watch(0)]

    /// Runs a program to its end.
    ///
    /// - Returns: The promises that were broken, and how many things arrived.
    static func run(_ program: SessionProgram) async throws -> (violations: [ProgramChecker.Violation], arrivals: Int) {
        let run = try RealProgramRun(program)
        try await run.begin()
        for step in program.steps { try await run.perform(step) }
        await run.heal()
        for life in run.locked({ run.lives.values.map(\.self) }) { life.stop() }
        try? FileManager.default.removeItem(at: run.root)
        return run.locked {
            let arrivals = run.log.entries.count { entry in
                if case .began(_, _, let callback) = entry { callback.arrival != nil } else { false }
            }
            return (ProgramChecker.violations(in: run.log), arrivals)
        }
    }

    private init(_ program: SessionProgram) throws {
        self.program = program
        traits = program.traits
        root = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    }

    func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        try lock.withLock(body)
    }

    func note(_ entry: ProgramLog.Entry) {
        locked { log.entries.append(entry) }
        bell.ring()
    }

    // MARK: - Lives

    private func begin() async throws {
        for actor in Self.actors { try await live(actor) }
        for actor in Self.actors { activate(actor) }
        _ = await bell.wait { Self.actors.allSatisfy { self.session($0).isCompanionAppInstalled } }
    }

    private func session(_ actor: SessionProgram.Actor) -> WCSession {
        guard let session = locked({ lives[actor]?.session }) else { preconditionFailure("\(actor) is always there") }
        return session
    }

    private func setup(_ actor: SessionProgram.Actor) -> SessionSetup {
        var setup = SessionSetup(
            side: actor == .phone ? .phone : .watch, stateFolder: root.path + "/\(actor)",
            meetingFolder: root.path + "/meeting")
        setup.behaviour.replyTimeout = .milliseconds(300)
        // Words on a folder that is not free yet would only disturb.
        setup.trace = .file("/dev/null")
        return setup
    }

    /// Begins a life; the one before has the folder until nothing of it is left.
    private func live(_ actor: SessionProgram.Actor) async throws {
        let process = locked {
            lastProcess += 1
            return lastProcess
        }
        try await poll("the folder of the \(actor)") {
            let app: any ProgramApp & WCSessionDelegate =
                traits.isSparse
                ? SparseProgramApp(self, actor, process: process) : FullProgramApp(self, actor, process: process)
            guard let life = try? RealLife(setup(actor), app, bell) else { return false }
            locked {
                lives[actor] = life
                states[actor] = .foreground
            }
            return true
        }
    }

    private func restart(_ actor: SessionProgram.Actor) async throws {
        guard let process = end(actor) else { return }
        // What the life before is still called with is noted while it is there.
        try await live(actor)
        note(.processEnded(actor, process: process, withDevice: true))
        if !locked({ installed.contains(actor) }) { locked { lives[actor] }?.device.tell(.installed(false)) }
        activate(actor)
    }

    private func end(_ actor: SessionProgram.Actor) -> Int? {
        let life = sending.withLock { locked { lives.removeValue(forKey: actor) } }
        life?.stop()
        return life?.app.process
    }

    private func activate(_ actor: SessionProgram.Actor) {
        guard let life = locked({ lives[actor] }) else { return }
        note(.activating(actor, process: life.app.process))
        life.session.activate()
    }

    // MARK: - Steps

    private func perform(_ step: SessionProgram.Step) async throws {
        switch step {
        case .activate(let actor): activate(actor)
        case .message(let actor, let isData, let wantsReply, let content):
            sendMessage(actor, isData: isData, wantsReply: wantsReply, content)
        case .context(let actor, let content): updateContext(actor, content)
        case .userInfo(let actor, let isComplication, let content):
            sendUserInfo(actor, isComplication: isComplication && actor == .phone, content)
        case .file(let actor, let byteCount, let hasMetadata, let exists):
            sendFile(actor, byteCount: byteCount, hasMetadata: hasMetadata, exists: exists)
        case .cancel(let actor, let isFile, let isOldest): cancel(actor, isFile: isFile, isOldest: isOldest)
        case .appState(let actor, .notRunning), .power(let actor, _), .losePower(let actor, _):
            try await restart(actor)
        case .appState(let actor, let state): tell(actor, state)
        case .lock(let isLocked): tell(.phone, .locked(isLocked))
        case .complication(_, let isEnabled): tell(.watch(0), .complication(isEnabled: isEnabled))
        case .install(let actor, let isInstalled):
            // First the note: what is dropped fails within the call already.
            note(.contentDropped)
            locked { if isInstalled { installed.insert(actor) } else { installed.remove(actor) } }
            tell(actor, .installed(isInstalled))
        case .link(_, .cut), .link(_, .reset): try await restart(.watch(0))
        case .settle: await settle()
        case .disk, .pairing, .link, .switchWatch, .advance: break
        }
    }

    private func tell(_ actor: SessionProgram.Actor, _ input: PeerState.Input) {
        locked { lives[actor] }?.device.tell(input)
    }

    private func tell(_ actor: SessionProgram.Actor, _ state: SessionDevice.AppState) {
        locked { states[actor] = state }
        switch state {
        case .notRunning: break
        case .suspended: tell(actor, .appState(.suspended))
        case .background: tell(actor, .appState(.background))
        case .foreground: tell(actor, .appState(.foreground))
        }
    }

    /// Waits until nothing is under way, where apps that run on both sides let that happen.
    private func settle() async {
        let isAwake = locked { states.values.allSatisfy { $0 == .foreground } && installed.count == 2 }
        guard isAwake, await bell.wait(until: { self.isQuiet }) else { return }
        note(.atRest)
    }

    private var isQuiet: Bool {
        Self.actors.allSatisfy { actor in
            let session = session(actor)
            return session.activationState != .activated
                || session.outstandingUserInfoTransfers.isEmpty && session.outstandingFileTransfers.isEmpty
                    && !session.hasContentPending
        }
    }

    /// Runs both apps, and waits until the checker misses nothing any more that is still to come.
    private func heal() async {
        locked { traits.reentryInterval = 0 }
        tell(.phone, .locked(false))
        for actor in Self.actors {
            tell(actor, .installed(true))
            tell(actor, .foreground)
            activate(actor)
        }
        _ = await bell.wait { Self.actors.allSatisfy { self.session($0).isReachable } }
        _ = await bell.wait { self.isQuiet && self.isComplete }
        // Whatever comes a second time comes before these.
        for actor in Self.actors {
            sendUserInfo(actor, isComplication: false, .small)
            sendFile(actor, byteCount: 10, hasMetadata: true, exists: true)
            sendMessage(actor, isData: false, wantsReply: false, .small)
            updateContext(actor, .small)
        }
        _ = await bell.wait { self.isQuiet && self.isComplete }
        locked { log = healed }
    }

    /// The log as it would be if nothing more came.
    private var healed: ProgramLog {
        locked {
            var log = log
            log.entries += cancelled.map { .cancelled($0) } + [.healed]
            return log
        }
    }

    /// Whether nothing that is promised is missing; what is wrong otherwise stays so.
    private var isComplete: Bool {
        let words = ["never", "no outcome", "neither"]
        return !ProgramChecker.violations(in: healed).contains { violation in
            words.contains { violation.words.contains($0) }
        }
    }
}

// MARK: - Calls of the delegates

extension RealProgramRun {
    func began(_ app: ProgramApp, _ name: String, _ arrival: ProgramLog.Arrival?) {
        let session = locked { lives[app.actor] }?.session
        // An app may be suspended between the beginning of a call and this look, which the simulation judges.
        let callback = ProgramLog.Callback(
            arrival: arrival, name: name, appState: .foreground,
            activationState: session?.activationState ?? .activated)
        note(.began(app.actor, process: app.process, callback))
        let reenters = locked {
            callbackCount += 1
            return traits.reentryInterval > 0 && callbackCount % traits.reentryInterval == 0
        }
        if reenters { reenter(app.actor) }
    }

    func ended(_ app: ProgramApp) {
        note(.ended(app.actor, process: app.process))
    }

    func finished(_ app: ProgramApp, _ number: Int?, _ kind: ProgramLog.Kind, _ error: (any Error)?) {
        let code = error.map { ($0 as? WCError)?.code ?? .genericError }
        note(.finished(number ?? 0, kind, code))
    }

    private func reenter(_ actor: SessionProgram.Actor) {
        let (count, number) = locked { (callbackCount, lastNumber) }
        // Answers to answers would never end.
        guard number < 150 else { return }
        switch count % 4 {
        case 0: sendUserInfo(actor, isComplication: false, .small)
        case 1: updateContext(actor, .small)
        case 2: activate(actor)
        default: sendMessage(actor, isData: false, wantsReply: count % 2 == 0, .small)
        }
    }

    func nextReplies() -> (count: Int, isTooLarge: Bool) {
        locked {
            messageCount += 1
            return traits.replies(toMessage: messageCount)
        }
    }
}
