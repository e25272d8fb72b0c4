public import Foundation
import Text
public import WatchConnectivity

/// Runs the phone's part of an app for all of its watches: views, commands, events, files, and what each watch may do.
///
///     let host = PhoneHost(phone, store: store, inbox: inbox, setup: setup)
///     try await host.run()
///
/// A command is performed at most once, even if it comes again after a restart. The work of one watch is done in order, that of
/// at most four watches at a time; eight commands of a watch may wait, and the next one is refused as busy.
public actor PhoneHost<Phone: CompanionPhone> {
    /// The app.
    public typealias App = Phone.App

    /// The app's part.
    package nonisolated let phone: Phone
    private let store: CompanionStore
    private let inbox: URL
    private let setup: SessionSetup?
    private let environment: CompanionEnvironment

    private var seats: [SessionWatch.ID: Seat] = [:]
    private var queue = WorkQueue<Work>()
    private var running: [SessionWatch.ID: Task<Void, Never>] = [:]
    private var lastLife = 0
    /// Who waits until the view of a watch is the present one.
    private var viewWaiters: [SessionWatch.ID: [CheckedContinuation<Void, Never>]] = [:]

    /// A watch that is served.
    private struct Seat {
        var watch: SessionWatch
        let port: SessionPort
        /// Tells this seat from an earlier one of the same id.
        let life: Int
        /// Whether its session is active.
        var isActive = false
        var question = ViewQuestion()
        /// Whether the app could not take an arrival: that and the later ones wait for the next start.
        var isHeld = false
    }

    private enum Work: Sendable {
        case command(Packet, answer: @Sendable (Packet) -> Void)
        case arrival(Arrival)
        case ended(Packet, failure: String?)
    }

    private enum Input: Sendable {
        case watches([SessionWatch])
        case session(SessionWatch.ID, life: Int, SessionPort.Input)
        case arrival(SessionWatch.ID, life: Int, Arrival)
    }

    /// Creates a host; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - phone: The app's part.
    ///   - store: What survives the end of the process.
    ///   - inbox: The folder for files that arrive; it is created if necessary.
    ///   - setup: The device that this process becomes; its app is the app's name. Nil if the process is set up already,
    ///     by `WCSession/setUp(_:)`, by environment variables or by a test.
    ///   - environment: The time, and where notices for developers go.
    public init(
        _ phone: Phone, store: CompanionStore, inbox: URL, setup: SessionSetup? = nil,
        environment: CompanionEnvironment = CompanionEnvironment()
    ) {
        self.phone = phone
        self.store = store
        self.inbox = inbox
        self.setup = setup
        self.environment = environment
    }

    // MARK: - Running

    /// Serves the watches until the task is cancelled; call it once.
    ///
    /// When it returns, nothing of the app is running any more.
    ///
    /// - Throws: `SessionSetupError`, ``CompanionError/badVersion(app:version:)``, and the errors of the inbox folder.
    public func run() async throws {
        try App.checkVersion()
        let folder = try InboxFolder(inbox)
        if let setup { try WCSession.setUp(setup.companion(App.self, store: store)) }
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let watches = WCSession.watchesDidChange
        let observation = Task { for await present in watches { continuation.yield(.watches(present)) } }
        for await input in inputs { take(input, folder, continuation) }
        observation.cancel()
        continuation.finish()
        for seat in seats.values { seat.port.close() }
        seats = [:]
        for task in running.values { task.cancel() }
        while let task = running.values.first { await task.value }
    }

    private func take(_ input: Input, _ folder: InboxFolder, _ inputs: AsyncStream<Input>.Continuation) {
        switch input {
        case .watches(let watches): show(watches, folder, inputs)
        case .session(let id, let life, let input):
            guard seats[id]?.life == life else { return }
            take(input, of: id)
        case .arrival(let id, let life, let arrival):
            guard seats[id]?.life == life else { return }
            queue.add(.arrival(arrival), of: id)
            pump()
        }
    }

    /// Opens and closes seats, so that each watch has one.
    private func show(_ watches: [SessionWatch], _ folder: InboxFolder, _ inputs: AsyncStream<Input>.Continuation) {
        do { try store.keep(only: watches) } catch {
            environment.notice("what gone watches left is not removed: \(error)")
        }
        for (id, seat) in seats where !watches.contains(where: { $0.id == id }) {
            seat.port.close()
            seats[id] = nil
            _ = queue.drop(id)
        }
        for watch in watches {
            if seats[watch.id] != nil { seats[watch.id]?.watch = watch } else { open(watch, folder, inputs) }
        }
    }

    private func open(_ watch: SessionWatch, _ folder: InboxFolder, _ inputs: AsyncStream<Input>.Continuation) {
        guard let session = WCSession.session(forWatch: watch.id) else { return }
        lastLife += 1
        let (id, life) = (watch.id, lastLife)
        let arrivals = Arrivals(store: store, folder: folder, notice: environment.notice)
        let port = SessionPort(session) { input in
            switch input {
            case .userInfo(let packet):
                if let arrival = arrivals.take(packet, nil, from: id) {
                    inputs.yield(.arrival(id, life: life, arrival))
                }
            case .file(let packet, let file):
                if let arrival = arrivals.take(packet, file, from: id) {
                    inputs.yield(.arrival(id, life: life, arrival))
                }
            case .active, .changed, .message, .context, .ended, .foreign:
                inputs.yield(.session(id, life: life, input))
            }
        }
        seats[id] = Seat(watch: watch, port: port, life: life)
        for arrival in arrivals.waiting(from: id) { queue.add(.arrival(arrival), of: id) }
        port.open()
        pump()
    }

    private func take(_ input: SessionPort.Input, of id: SessionWatch.ID) {
        switch input {
        case .active:
            seats[id]?.isActive = true
            askSoon(id)
        case .changed: askSoon(id)
        case .message(let packet, let answer) where packet.kind == .view:
            Task { answer(await presentView(of: id)) }
        case .message(let packet, let answer):
            guard packet.kind == .command else { return answer(packetOf(.refused, "\(App.name) expected a command")) }
            if !queue.add(command: .command(packet, answer: answer), of: id) {
                return answer(packetOf(.refused, "busy"))
            }
            pump()
        case .ended(let packet, let failure):
            queue.add(.ended(packet, failure: failure), of: id)
            pump()
        case .foreign(let what): environment.notice("\(what) of \(name(id)) is not of \(App.name)'s other side")
        case .userInfo, .context, .file: break
        }
    }

    private func name(_ id: SessionWatch.ID) -> String { seats[id]?.watch.name ?? "a watch" }

    // MARK: - Work

    private func pump() {
        while let (id, work) = queue.next() {
            running[id] = Task {
                await carryOut(work, of: id)
                running[id] = nil
                queue.finished(id)
                pump()
                await viewsChanged()
            }
        }
    }

    private func carryOut(_ work: Work, of id: SessionWatch.ID) async {
        guard let watch = seats[id]?.watch else { return }
        let caller = caller(watch)
        switch work {
        case .command(let packet, let answer): answer(await outcome(of: packet, by: caller))
        case .arrival(let arrival): await take(arrival, from: caller)
        case .ended(let packet, let failure):
            if let transfer = packet.id.flatMap({ UUID(companion: $0) }) {
                await phone.ended(transfer, to: watch, failure: failure)
            }
        }
    }

    private func outcome(of packet: Packet, by caller: Caller) async -> Packet {
        guard let id = packet.id.flatMap(CommandID.init(bytes:)) else {
            return packetOf(.refused, "a command has no id")
        }
        switch store.entry(of: id) {
        case .replied(let reply): return packetOf(.reply, reply)
        case .begun: return packetOf(.unknown, [])
        case nil: break
        }
        let command: App.Command
        do {
            command = try packet.decoded(App.Command.self)
        } catch {
            return packetOf(.refused, App.unreadable(ofVersion: packet.version, from: "watch"))
        }
        let grant = App.grant(toPerform: command)
        guard caller.grants.allow(grant) else { return packetOf(.refused, "needs \(grant ?? "")") }
        guard packet.expires.map({ $0 >= milliseconds }) ?? true else { return packetOf(.expired, []) }
        let isKept = !App.isRepeatable(command)
        do {
            if isKept { try store.begin(id, at: milliseconds) }
        } catch {
            environment.notice("a command is refused, since it cannot be noted: \(error)")
            return packetOf(.refused, "the phone's disk does not take it")
        }
        let reply = await phone.perform(command, id, by: caller)
        do {
            let bytes = try Packet.encode(reply, "the reply")
            if isKept { try store.keep(bytes, to: id) }
            return packetOf(.reply, bytes)
        } catch {
            environment.notice("the reply to a command is lost: \(error)")
            return packetOf(.unknown, [])
        }
    }

    private func take(_ arrival: Arrival, from caller: Caller) async {
        let id = caller.watch.id
        guard seats[id]?.isHeld == false else { return }
        do {
            switch arrival.content {
            case .event(let packet):
                try await phone.received(packet.decoded(App.Event.self), from: caller)
            case .file(let packet, let file):
                let info = try packet.decoded(App.FileInfo.self)
                try await phone.received(IncomingFile(file: file, info: info), from: caller)
            }
        } catch let failure as CanonicalJSON.Failure {
            environment.notice(
                "\(App.unreadable(ofVersion: arrival.packet.version, from: "watch")) (\(failure.reason))")
        } catch {
            environment.notice("what \(caller.watch.name) sent waits for the next start: \(error)")
            seats[id]?.isHeld = true
            return
        }
        do {
            if let number = arrival.number { try store.remove(number, from: id) }
        } catch {
            environment.notice("what \(caller.watch.name) sent comes again at the next start: \(error)")
        }
    }

    // MARK: - Views

    /// Asks for the view of each watch again, and sends those that differ.
    ///
    /// While the answer for a watch is awaited, it only notes that the question is to be asked once more.
    public func viewsChanged() async {
        for id in seats.keys.sorted() { await ask(id) }
    }

    private func askSoon(_ id: SessionWatch.ID) {
        Task { await ask(id) }
    }

    /// Says which view of a watch is the present one, after it is on its way.
    private func presentView(of id: SessionWatch.ID) async -> Packet {
        guard seats[id]?.isActive == true else { return packetOf(.unknown, []) }
        if seats[id]?.question.begin() == true {
            await askNow(id)
        } else {
            // Who asks already asks once more.
            await withCheckedContinuation { viewWaiters[id, default: []].append($0) }
        }
        guard let shown = seats[id]?.port.shown, shown.kind == .view else { return packetOf(.unknown, []) }
        return packetOf(.view, [], id: shown.viewIdentity)
    }

    private func ask(_ id: SessionWatch.ID) async {
        guard seats[id]?.isActive == true, seats[id]?.question.begin() == true else { return }
        await askNow(id)
    }

    private func askNow(_ id: SessionWatch.ID) async {
        defer { for waiter in viewWaiters.removeValue(forKey: id) ?? [] { waiter.resume() } }
        while let seat = seats[id] {
            let view = await phone.view(for: caller(seat.watch))
            // An answer for a watch that is gone, or that became another one, is of no use.
            guard let now = seats[id], now.life == seat.life else { return }
            show(view, on: now)
            guard seats[id]?.question.isToBeAskedAgain() == true else { return }
        }
    }

    private func show(_ view: App.View, on seat: Seat) {
        do {
            let bytes = try Packet.encode(
                view, "the view of \(seat.watch.name)", limit: Packet.viewByteCountMax)
            if let shown = seat.port.shown, shown.body == bytes, shown.version == App.version { return }
            try seat.port.show(packetOf(.view, bytes))
        } catch let error as CompanionError {
            environment.notice("\(error)")
        } catch {
            // The watch has not the app, or not yet; a change of that asks again.
        }
    }

    // MARK: - Sending

    /// Queues an event for one watch, or for all that may see it; each gets it once, in order.
    ///
    /// It is durable when this returns.
    ///
    /// - Throws: ``CompanionError``; nothing is queued then.
    public func send(_ event: App.Event, to watch: SessionWatch.ID? = nil) throws {
        let packet = packetOf(.event, try Packet.encode(event, "the event"), id: CommandID().bytes)
        let ports: [SessionPort]
        if let watch {
            ports = [try seat(watch).port]
        } else {
            let grant = App.grant(toSee: event)
            ports = seats.values.filter { caller($0.watch).grants.allow(grant) }.map(\.port)
        }
        for port in ports { try port.requireActive(App.name) }
        for port in ports { try port.queue(packet, app: App.name) }
    }

    /// Queues a file for a watch; the file may be removed when this returns.
    ///
    /// - Returns: The identity of the transfer, for ``cancel(_:)`` and `ended(_:to:failure:)`.
    /// - Throws: ``CompanionError``; nothing is queued then.
    public func send(_ file: URL, _ info: App.FileInfo, to watch: SessionWatch.ID) throws -> UUID {
        let transfer = UUID()
        let packet = packetOf(.file, try Packet.encode(info, "the file's info"), id: transfer.companionBytes)
        let port = try seat(watch).port
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw CompanionError.noFile(path: file.path)
        }
        try port.queue(file, packet, app: App.name)
        return transfer
    }

    /// Ends a transfer that is under way, also one of an earlier run; no effect if it has ended.
    public func cancel(_ transfer: UUID) {
        for seat in seats.values { seat.port.cancelFile(transfer.companionBytes) }
    }

    /// Whether a transfer to a watch is under way, also one of an earlier run; nil while the watch is not served.
    public func isUnderWay(_ transfer: UUID, to watch: SessionWatch.ID) -> Bool? {
        guard let seat = seats[watch], seat.isActive else { return nil }
        return seat.port.isSendingFile(transfer.companionBytes)
    }

    // MARK: - Watches and grants

    /// The watches and what they may do, by their names.
    public var callers: [Caller] { seats.values.map { caller($0.watch) }.sorted { $0.watch.name < $1.watch.name } }

    /// Decides what a watch may do, and shows it the view that it has then; nil gives it the app's first grants again.
    ///
    /// It is durable when this returns.
    ///
    /// - Throws: ``CompanionError/unknownWatch(_:known:)`` and the storage's error; nothing is changed then.
    public func setGrants(_ grants: Grants?, of watch: SessionWatch.ID) async throws {
        try store.setGrants(grants, of: seat(watch).watch)
        await ask(watch)
    }

    private func seat(_ watch: SessionWatch.ID) throws(CompanionError) -> Seat {
        guard let seat = seats[watch] else { throw .unknownWatch(watch, known: seats.keys.sorted()) }
        return seat
    }

    private func caller(_ watch: SessionWatch) -> Caller {
        Caller(watch: watch, grants: store.grants(of: watch) ?? App.firstGrants)
    }

    // MARK: - Packets

    private var milliseconds: Int64 { environment.now().companionMilliseconds }

    private func packetOf(_ kind: Packet.Kind, _ body: [UInt8], id: [UInt8]? = nil) -> Packet {
        Packet(kind, version: App.version, body: body, id: id, phoneTime: milliseconds)
    }

    private func packetOf(_ kind: Packet.Kind, _ text: String) -> Packet { packetOf(kind, Array(text.utf8)) }
}

/// Whether the view of a watch is being asked for, and whether it is to be asked for once more.
struct ViewQuestion: Sendable {
    private enum State {
        case quiet, asked, askedAgain
    }

    private var state = State.quiet

    /// Returns whether to ask now; otherwise somebody asks already, and will ask once more.
    mutating func begin() -> Bool {
        guard state == .quiet else {
            state = .askedAgain
            return false
        }
        state = .asked
        return true
    }

    /// An answer came; returns whether to ask once more.
    mutating func isToBeAskedAgain() -> Bool {
        guard state == .askedAgain else {
            state = .quiet
            return false
        }
        state = .asked
        return true
    }
}
