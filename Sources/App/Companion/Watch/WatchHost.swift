public import Foundation
import Text
public import WatchConnectivity

/// Runs a watch's part of an app: it sends commands and events, and reports what comes from the phone.
///
///     let host = WatchHost(Lamps.self, store: store, inbox: inbox, setup: setup)
///     async let running: Void = host.run()
///     for await event in host.events { … }
public actor WatchHost<App: CompanionApp> {
    /// What happens on a watch.
    public enum Event: Sendable {
        /// The newest view; the first one may be of an earlier run.
        case view(App.View)
        /// An event of the phone, each once and in order.
        case event(App.Event)
        /// A file of the phone.
        case file(IncomingFile<App.FileInfo>)
        /// Whether commands can be sent now; true comes after the phone's present view or, where the phone does not say which
        /// that is, two seconds later.
        case reachable(Bool)
        /// The phone speaks this newer version: this watch cannot show what it says before it is updated.
        case tooOld(Int)
        /// What the phone says in this older version cannot be read: the phone needs an update.
        case phoneTooOld(Int)

        /// The sentence for people, if it calls for an update.
        public var advice: String? {
            switch self {
            case .tooOld(let version), .phoneTooOld(let version): App.unreadable(ofVersion: version, from: "phone")
            case .view, .event, .file, .reachable: nil
            }
        }
    }

    /// What `events` has, oldest first.
    public nonisolated let events: AsyncStream<Event>

    private let store: CompanionStore
    private let inbox: URL
    private let setup: SessionSetup?
    private let environment: CompanionEnvironment
    private let outbox: EventLine<Event>

    private var port: SessionPort?
    private var isReachable: Bool?
    /// What the app was told of that.
    private var toldReachable: Bool?
    /// Counts the changes of it, so that an answer to an earlier question is known.
    private var changeCount = 0
    /// The view that was reported last.
    private var reported: [UInt8]?
    /// The phone's present view, while it is still on its way.
    private var awaited: [UInt8]?
    /// How far the phone's clock is ahead, in milliseconds, as far as is known.
    private var phoneAhead: Int64 = 0

    /// The name under which the store keeps what the phone sends.
    private static var phoneName: String { "phone" }

    private enum Input: Sendable {
        case session(SessionPort.Input)
        case arrival(Arrival)
    }

    /// Creates a host; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - store: What survives the end of the process.
    ///   - inbox: The folder for files that arrive; it is created if necessary.
    ///   - setup: The device that this process becomes; its app is the app's name. Nil if the process is set up already.
    ///   - environment: The time, and where notices for developers go.
    public init(
        _ app: App.Type, store: CompanionStore, inbox: URL, setup: SessionSetup? = nil,
        environment: CompanionEnvironment = CompanionEnvironment()
    ) {
        self.store = store
        self.inbox = inbox
        self.setup = setup
        self.environment = environment
        let line = EventLine<Event> { number in
            do {
                try store.remove(number, from: Self.phoneName)
            } catch {
                environment.notice("what the phone sent comes again at the next start: \(error)")
            }
        }
        outbox = line
        events = AsyncStream { await line.next() }
    }

    // MARK: - Running

    /// Serves the phone until the task is cancelled; call it once.
    ///
    /// - Throws: `SessionSetupError`, ``CompanionError/badVersion(app:version:)``, and the errors of the inbox folder.
    public func run() async throws {
        try App.checkVersion()
        let folder = try InboxFolder(inbox)
        if let setup { try WCSession.setUp(setup.companion(App.self)) }
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let arrivals = Arrivals(store: store, folder: folder, notice: environment.notice)
        let port = SessionPort(WCSession.default) { input in
            switch input {
            case .userInfo(let packet):
                arrivals.take(packet, nil, from: Self.phoneName).map { _ = continuation.yield(.arrival($0)) }
            case .file(let packet, let file):
                arrivals.take(packet, file, from: Self.phoneName).map { _ = continuation.yield(.arrival($0)) }
            case .active, .changed, .message, .context, .ended, .foreign: continuation.yield(.session(input))
            }
        }
        self.port = port
        for arrival in arrivals.waiting(from: Self.phoneName) { report(arrival) }
        port.open()
        for await input in inputs {
            switch input {
            case .session(let input): take(input)
            case .arrival(let arrival): report(arrival)
            }
        }
        port.close()
        self.port = nil
        changeCount += 1
        continuation.finish()
        outbox.finish()
    }

    private func take(_ input: SessionPort.Input) {
        switch input {
        case .active(let isReachable):
            if let packet = port?.received { report(view: packet) }
            note(isReachable)
        case .changed(let isReachable): note(isReachable)
        case .context(let packet): report(view: packet)
        case .message(_, let answer):
            answer(Packet(.refused, version: App.version, body: Array("\(App.name) expected no command here".utf8)))
        case .ended(_, let failure):
            if let failure { environment.notice("a file did not reach the phone: \(failure)") }
        case .foreign(let what): environment.notice("\(what) of the phone is not of \(App.name)'s other side")
        case .userInfo, .file: break
        }
    }

    private func note(_ isReachable: Bool) {
        guard self.isReachable != isReachable else { return }
        self.isReachable = isReachable
        changeCount += 1
        awaited = nil
        guard isReachable, let port else { return tell(isReachable) }
        Task { [changeCount] in await self.ask(port, whichViewAt: changeCount) }
    }

    private func tell(_ isReachable: Bool) {
        guard toldReachable != isReachable else { return }
        toldReachable = isReachable
        outbox.add(.reachable(isReachable))
    }

    /// How long the present view is waited for.
    private static var viewPatience: Duration { .seconds(2) }

    /// Asks the phone which view is the present one, and tells that the phone is reachable when the app has it.
    private func ask(_ port: SessionPort, whichViewAt change: Int) async {
        let sleep = environment.sleep
        let answer = FirstAnswer<Packet?>()
        port.send(
            Packet(.view, version: App.version), onReply: { answer.give($0) }, onFailure: { _ in answer.give(nil) })
        let clock = Task {
            // Cancellation means that an answer came.
            if (try? await sleep(Self.viewPatience)) != nil { answer.give(nil) }
        }
        let packet = await answer.value
        clock.cancel()
        guard change == changeCount else { return }
        // A phone of an earlier version refuses the question.
        if let packet, packet.kind == .view, let present = packet.id, present != reported {
            awaited = present
            try? await sleep(Self.viewPatience)
            guard change == changeCount, awaited != nil else { return }
            awaited = nil
        }
        tell(true)
    }

    private func report(view packet: Packet) {
        guard packet.kind == .view else { return }
        learn(packet)
        reported = packet.viewIdentity
        defer {
            // What comes after the answer is the present view, or a newer one.
            if awaited != nil {
                awaited = nil
                tell(true)
            }
        }
        guard packet.version <= App.version else { return outbox.add(.tooOld(packet.version)) }
        do {
            outbox.add(.view(try packet.decoded(App.View.self)))
        } catch {
            environment.notice("the view cannot be read: \(error)")
            outbox.add(.phoneTooOld(packet.version))
        }
    }

    private func report(_ arrival: Arrival) {
        let packet = arrival.packet
        do {
            switch arrival.content {
            case .event: outbox.add(.event(try packet.decoded(App.Event.self)), number: arrival.number)
            case .file(_, let file):
                let info = try packet.decoded(App.FileInfo.self)
                outbox.add(.file(IncomingFile(file: file, info: info)), number: arrival.number)
            }
        } catch {
            environment.notice("what the phone sent cannot be read: \(error)")
            outbox.add(
                packet.version > App.version ? .tooOld(packet.version) : .phoneTooOld(packet.version),
                number: arrival.number)
        }
    }

    // MARK: - Commands

    /// Sends a command, and waits for its outcome.
    ///
    /// - Parameters:
    ///   - command: What is wanted.
    ///   - id: Its identity; a new one, or that of a command whose outcome is unknown.
    ///   - patience: How long the command has a meaning, by the phone's clock too: later it is not performed. Positive.
    /// - Returns: The outcome, at the latest when the time is over.
    public func send(
        _ command: App.Command, _ id: CommandID = CommandID(), within patience: Duration = .seconds(5)
    ) async -> CommandOutcome<App.Reply> {
        let body: [UInt8]
        do throws(CompanionError) {
            body = try Packet.encode(command, "the command")
        } catch {
            return .refused("\(error)")
        }
        let end = environment.now().companionMilliseconds + Int64(patience / .milliseconds(1))
        // The first attempt may use a wrong idea of the phone's clock; the answer corrects it.
        for attempt in 1...2 {
            guard let port, port.isReachable else { return attempt == 1 ? .unreachable : .expired }
            let left = end - environment.now().companionMilliseconds
            guard left > 0 else { return .expired }
            let before = phoneAhead
            let packet = Packet(
                .command, version: App.version, body: body, id: id.bytes, expires: end + phoneAhead)
            let (answer, outcome) = await ask(packet, by: port, within: .milliseconds(left))
            if let answer { learn(answer) }
            if case .expired = outcome, phoneAhead > before { continue }
            return outcome
        }
        return .expired
    }

    private func ask(
        _ packet: Packet, by port: SessionPort, within patience: Duration
    ) async -> (Packet?, CommandOutcome<App.Reply>) {
        let sleep = environment.sleep
        let answer = FirstAnswer<Answer>()
        port.send(
            packet, onReply: { answer.give($0.map { .packet($0) } ?? .lost) },
            onFailure: { answer.give($0.isBeforeSending ? .notSent : .lost) })
        let clock = Task {
            // Cancellation means that an answer came.
            if (try? await sleep(patience)) != nil { answer.give(.lost) }
        }
        defer { clock.cancel() }
        switch await answer.value {
        case .packet(let packet): return (packet, outcome(packet))
        case .notSent: return (nil, .unreachable)
        case .lost: return (nil, .unknown)
        }
    }

    private enum Answer: Sendable {
        case packet(Packet)
        case notSent
        case lost
    }

    private func outcome(_ packet: Packet) -> CommandOutcome<App.Reply> {
        switch packet.kind {
        case .reply:
            do {
                return .done(try packet.decoded(App.Reply.self))
            } catch {
                environment.notice("the reply cannot be read: \(error)")
                outbox.add(packet.version > App.version ? .tooOld(packet.version) : .phoneTooOld(packet.version))
                return .unknown
            }
        case .refused: return .refused(packet.text)
        case .expired: return .expired
        case .unknown, .view, .command, .event, .file: return .unknown
        }
    }

    /// Learns the phone's clock.
    private func learn(_ packet: Packet) {
        if let time = packet.phoneTime { phoneAhead = time - environment.now().companionMilliseconds }
    }

    // MARK: - Sending

    /// Queues an event for the phone, which gets it once, in order; durable when this returns.
    ///
    /// - Throws: ``CompanionError``; nothing is queued then.
    public func send(_ event: App.Event) throws {
        let body = try Packet.encode(event, "the event")
        let packet = Packet(.event, version: App.version, body: body, id: CommandID().bytes)
        try running().queue(packet, app: App.name)
    }

    /// Queues a file for the phone; the file may be removed when this returns.
    ///
    /// - Returns: The identity of the transfer, for ``cancel(_:)``.
    /// - Throws: ``CompanionError``; nothing is queued then.
    public func send(_ file: URL, _ info: App.FileInfo) throws -> UUID {
        let transfer = UUID()
        let body = try Packet.encode(info, "the file's info")
        let port = try running()
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw CompanionError.noFile(path: file.path)
        }
        try port.queue(
            file, Packet(.file, version: App.version, body: body, id: transfer.companionBytes), app: App.name)
        return transfer
    }

    /// Ends a transfer that is under way, also one of an earlier run; no effect if it has ended.
    public func cancel(_ transfer: UUID) { port?.cancelFile(transfer.companionBytes) }

    private func running() throws(CompanionError) -> SessionPort {
        guard let port else { throw .notRunning(app: App.name) }
        return port
    }
}

extension Error {
    /// Whether a session refused something before it sent anything.
    fileprivate var isBeforeSending: Bool {
        guard let code = (self as? WCError)?.code else { return false }
        return switch code {
        case .sessionNotSupported, .sessionMissingDelegate, .sessionNotActivated, .sessionInactive, .deviceNotPaired,
            .watchAppNotInstalled, .companionAppNotInstalled, .watchOnlyApp, .invalidParameter, .payloadTooLarge,
            .payloadUnsupportedTypes:
            true
        default: false
        }
    }
}
