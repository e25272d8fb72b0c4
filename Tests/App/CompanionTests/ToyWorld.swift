import Companion
import Foundation
import Platform
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// A phone and watches with the toy app, in virtual time; each process can be killed and started again.
final class ToyWorld: Sendable {
    /// What a watch saw in its whole life.
    struct Seen: Sendable {
        var views: [ToyApp.View] = []
        var events: [Int] = []
        var files: [[UInt8]] = []
        var advice: [String] = []
        var isReachable = false
        /// The sum of the last view when the phone could be reached again.
        var sumWhenReached: Int?
    }

    private struct Phone: Sendable {
        var host: PhoneHost<ToyPhone>
        var app: ToyPhone
        var task: Task<Void, any Error>
    }

    private struct Watch: Sendable {
        var host: WatchHost<ToyApp>
        var tasks: [Task<Void, Never>]
    }

    let pair: TestPair
    let phoneDisk = ToyDisk()
    let watchDisks: [ToyDisk]
    let seen: [Shared<Seen>]
    let notices = Recorder<String>()
    private let sleepers = Sleepers()
    private let phone = Lock<Phone?>(nil)
    private let watches: Lock<[Int: Watch]> = Lock([:])
    private let pause: @Sendable (ToyApp.Command) async -> Void
    /// How far each side's clock is from the pair's, in seconds.
    let skews = Shared<(phone: Double, watch: Double)>((0, 0))

    init(
        watches count: Int = 1, seed: UInt64 = 1, behaviour: SessionBehaviour = SessionBehaviour(),
        pause: @escaping @Sendable (ToyApp.Command) async -> Void = { _ in }
    ) throws {
        self.pause = pause
        pair = try TestPair(watches: count, seed: seed, phone: behaviour, watch: behaviour.forCompanions)
        watchDisks = (0..<count).map { _ in ToyDisk() }
        seen = (0..<count).map { _ in Shared(Seen()) }
        try startPhone()
        for number in 0..<count { try startWatch(number) }
    }

    deinit {
        phone.withLock { $0?.task.cancel() }
        for task in watches.withLock({ $0.values.flatMap(\.tasks) }) { task.cancel() }
    }

    private func environment(isPhone: Bool) -> CompanionEnvironment {
        let (pair, skews, notices) = (pair, skews, notices)
        return CompanionEnvironment(
            now: { pair.date.addingTimeInterval(skews.withLock { isPhone ? $0.phone : $0.watch }) },
            sleep: { [sleepers] in try await sleepers.wait(until: pair.elapsed + $0) },
            notice: notices.record)
    }

    // MARK: - Processes

    func startPhone() throws {
        let storage = phoneDisk.start()
        let app = ToyPhone(storage, pause: pause)
        let host = PhoneHost(
            app, store: try CompanionStore(storage), inbox: pair.folder.appending(path: "phone-inbox"),
            environment: environment(isPhone: true))
        let task = pair.asDefault(.phone) { Task { try await host.run() } }
        phone.withLock { $0 = Phone(host: host, app: app, task: task) }
    }

    func startWatch(_ number: Int) throws {
        let host = WatchHost(
            ToyApp.self, store: try CompanionStore(watchDisks[number].start()),
            inbox: pair.folder.appending(path: "watch-\(number)-inbox"), environment: environment(isPhone: false))
        let storage = ToyStorage(disk: watchDisks[number], life: watchDisks[number].contents.withLock(\.life))
        let running = pair.asDefault(.watch(number)) { Task { _ = try? await host.run() } }
        let reading = Task { [weak self] in
            for await event in host.events {
                guard let self else { return }
                // A process that was killed sees nothing more.
                guard (try? storage.change({ _ in self.see(event, at: number) })) != nil else { return }
            }
        }
        watches.withLock { $0[number] = Watch(host: host, tasks: [running, reading]) }
    }

    private func see(_ event: WatchHost<ToyApp>.Event, at number: Int) {
        seen[number].withLock { seen in
            switch event {
            case .view(let view): seen.views.append(view)
            case .event(let event): seen.events.append(event.number)
            case .file(let file):
                seen.files.append((try? Data(contentsOf: file.file)).map { [UInt8]($0) } ?? [])
            case .reachable(let isReachable):
                seen.isReachable = isReachable
                if isReachable { seen.sumWhenReached = seen.views.last?.sum ?? -1 }
            case .tooOld, .phoneTooOld: seen.advice.append(event.advice ?? "")
            }
        }
    }

    /// Kills the phone's process, and switches the device off and on.
    func cutPhone() throws {
        phoneDisk.kill()
        phone.withLock { $0?.task.cancel() }
        pair.phoneDevice.powerOff()
        pair.phoneDevice.powerOn()
        pair.phoneDevice.app = .foreground
        try startPhone()
    }

    /// The same for a watch.
    func cutWatch(_ number: Int) throws {
        watchDisks[number].kill()
        for task in watches.withLock({ $0[number]?.tasks ?? [] }) { task.cancel() }
        pair.watchDevices[number].powerOff()
        pair.watchDevices[number].powerOn()
        pair.watchDevices[number].app = .foreground
        try startWatch(number)
    }

    var phoneHost: PhoneHost<ToyPhone> {
        guard let host = phone.withLock({ $0?.host }) else { preconditionFailure("there is no phone") }
        return host
    }

    var phoneApp: ToyPhone {
        guard let app = phone.withLock({ $0?.app }) else { preconditionFailure("there is no phone") }
        return app
    }

    func watchHost(_ number: Int = 0) -> WatchHost<ToyApp> {
        guard let host = watches.withLock({ $0[number]?.host }) else { preconditionFailure("no watch \(number)") }
        return host
    }

    // MARK: - Running

    /// Lets virtual time pass.
    func advance(by duration: Duration) async {
        await pair.advance(by: duration)
        sleepers.wake(at: pair.elapsed)
    }

    /// Lets the hosts' tasks go on, which do that by themselves.
    static func letOthersRun(_ count: Int) async {
        for _ in 0..<count { await Task.yield() }
    }

    /// Lets virtual time pass in short steps until something is so.
    @discardableResult
    func go(
        _ what: String, step: Duration = .milliseconds(50), sourceLocation: SourceLocation = #_sourceLocation,
        until isSo: @Sendable () -> Bool
    ) async -> Bool {
        for look in 0..<400 {
            await advance(by: look < 20 ? .zero : step)
            if isSo() { return true }
            await Self.letOthersRun(look < 20 ? 20 : 200)
        }
        // Beside many other tests the hosts' tasks need more real time than virtual time gives them.
        do {
            try await poll(what) {
                await advance(by: step)
                return isSo()
            }
            return true
        } catch {
            Issue.record("\(error); notices: \(notices.items)", sourceLocation: sourceLocation)
            return false
        }
    }

    /// Waits until the watches have their phone.
    func ready() async {
        await go("the watches reach the phone") {
            seen.allSatisfy { $0.withLock { $0.isReachable && !$0.views.isEmpty } }
        }
    }

    /// Sends a command; returns what will have its outcome.
    func begin(
        _ command: ToyApp.Command, _ id: CommandID = CommandID(), from number: Int = 0, within: Duration = .seconds(5)
    ) -> Awaited<CommandOutcome<ToyApp.Reply>?> {
        let outcome = Awaited<CommandOutcome<ToyApp.Reply>?>(nil)
        let host = watchHost(number)
        Task {
            let result = await host.send(command, id, within: within)
            outcome.change { $0 = result }
        }
        return outcome
    }

    /// Sends a command, and waits for its outcome.
    func send(
        _ command: ToyApp.Command, _ id: CommandID = CommandID(), from number: Int = 0, within: Duration = .seconds(5)
    ) async -> CommandOutcome<ToyApp.Reply> {
        let outcome = begin(command, id, from: number, within: within)
        await go("the outcome of \(command)") { outcome.value != nil }
        return outcome.value ?? .unknown
    }
}

/// What waits for virtual time.
private final class Sleepers: Sendable {
    private struct State: Sendable {
        var waiting: [Int: (end: Duration, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Waits until the time has come.
    ///
    /// - Throws: `CancellationError`.
    func wait(until end: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.waiting[number] = (end, continuation)
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume(returning: false)
        }
        if !hasCome { throw CancellationError() }
    }

    func wake(at now: Duration) {
        let due = state.withLock { state in
            let due = state.waiting.filter { $0.value.end <= now }
            for number in due.keys { state.waiting[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume(returning: true) }
    }
}

/// A value that any thread changes.
final class Shared<Value: Sendable>: Sendable {
    private let lock: Lock<Value>

    init(_ value: Value) { lock = Lock(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { value in try body(&value) }
    }
}
