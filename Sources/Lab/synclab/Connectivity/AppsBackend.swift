import CommandSupport
import Foundation
import Platform
import SyncTransport
import WatchConnectivity
import ZeroMQ

/// A phone and watches as processes: programs of the person, or the app of this program.
///
/// Each watch reaches its phone through a relay, which can be cut. The states of apps change by signals, and the traces
/// say what happened.
actor AppsBackend: ConnectivityBackend {
    /// How a device is started.
    private struct Program {
        var path: String
        var arguments: [String]
        /// Whether it is the app of this program, which takes what to send from its standard input.
        var isOwn = false
    }

    private struct Device {
        var program: Program
        var process: LineProcess?
        var state = SessionDevice.AppState.foreground
        /// The code by which a watch pairs.
        var code: String?
    }

    private static let patience = Duration.seconds(60)

    private let folder: String
    private let phonePort: Int
    private var relays: [LinkRelay] = []
    private var devices: [ConnectivityDevice: Device] = [:]
    private var activeWatch = 0
    private var usedCode = ""
    private let watchCount: Int

    /// Prepares the devices; ``begin()`` starts them.
    ///
    /// - Parameters:
    ///   - folder: An empty folder for the states and the traces.
    ///   - phone: The program of the phone with its arguments; nil for the app of this program.
    ///   - watches: The same for each watch.
    ///   - laboratory: The path of this program.
    /// - Throws: ``CommandFailure`` if no port is free.
    init(
        folder: String, phone: [String]?, watches: [[String]?], laboratory: String = LocalTools.ownPath
    ) throws {
        self.folder = folder
        watchCount = watches.count
        phonePort = try LocalTools.freePorts(1)[0]
        relays = try watches.map { [phonePort] _ in try LinkRelay(to: phonePort) }
        devices[.phone] = Device(program: Self.program(phone, laboratory))
        for (number, watch) in watches.enumerated() {
            devices[.watch(number)] = Device(program: Self.program(watch, laboratory))
        }
    }

    private static func program(_ words: [String]?, _ laboratory: String) -> Program {
        guard let words, let path = words.first else {
            return Program(path: laboratory, arguments: ["connectivity-app"], isOwn: true)
        }
        return Program(path: path, arguments: Array(words.dropFirst()))
    }

    /// Starts the phone, and each watch as soon as there is a code for it.
    func begin() async throws {
        try await start(.phone)
        for number in 0..<watchCount {
            devices[.watch(number)]?.code = try await nextCode(for: relays[number])
            try await start(.watch(number))
            try await meet(number)
        }
    }

    /// Waits until a watch and the phone know that the other one has the app: until then both refuse to send.
    ///
    /// A program of the user's pairs when it activates its session, which may be later.
    private func meet(_ number: Int) async throws {
        let watch = ConnectivityDevice.watch(number)
        guard try device(.phone).program.isOwn, try device(watch).program.isOwn else { return }
        try await found("\(watch.name) and the phone have not found each other") {
            let heard = lines(of: .phone).count { $0.contains("← status") }
            return heard > number && lines(of: watch).contains { $0.contains("← status") } ? true : nil
        }
    }

    // MARK: - Processes

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func tracePath(_ device: ConnectivityDevice) -> String { path("\(device.name).trace") }

    private func environment(of device: ConnectivityDevice) -> Environment {
        var variables = LocalTools.childEnvironment(ProcessInfo.processInfo.environment, of: .poolsensors)
            .filter { !$0.key.hasPrefix("WATCHCONNECTIVITY_") }
        variables["WATCHCONNECTIVITY_STATE"] = path(device.name)
        variables["WATCHCONNECTIVITY_NAME"] = device.name
        variables["WATCHCONNECTIVITY_TRACE"] = tracePath(device)
        variables["WATCHCONNECTIVITY_DEVICE"] = "signals"
        variables["WATCHCONNECTIVITY_HEARTBEAT"] = "500ms"
        switch device {
        case .phone:
            variables["WATCHCONNECTIVITY_SIDE"] = "phone"
            variables["WATCHCONNECTIVITY_ENDPOINT"] = "tcp://127.0.0.1:\(phonePort)"
            variables["WATCHCONNECTIVITY_INVITATION_FILE"] = path("code")
        case .watch:
            variables["WATCHCONNECTIVITY_SIDE"] = "watch"
            variables["WATCHCONNECTIVITY_INVITATION"] = devices[device]?.code
        }
        // A program may look only once for its counterpart; the phone's is started before there is any.
        if device != .phone, devices[device]?.program.isOwn == false { variables["WATCHCONNECTIVITY_PATIENCE"] = "10s" }
        return variables
    }

    private func start(_ name: ConnectivityDevice) async throws {
        var device = try self.device(name)
        guard device.process == nil else { throw CommandFailure("\(name.name) runs already") }
        let tell: @Sendable (String) -> Void = { Output.standard.line("\(name.name): \($0)") }
        device.process = try LineProcess(
            device.program.path, device.program.arguments, environment: environment(of: name),
            onLine: device.program.isOwn ? nil : tell)
        device.state = .foreground
        devices[name] = device
        if device.program.isOwn { try await answer(of: name, to: "start") }
    }

    private func device(_ name: ConnectivityDevice) throws -> Device {
        guard let device = devices[name] else { throw CommandFailure("there is no \(name.name)") }
        return device
    }

    private func runningProcess(_ name: ConnectivityDevice) throws -> LineProcess {
        guard let process = try device(name).process, process.end == nil else {
            throw CommandFailure("\(name.name) does not run: start it first")
        }
        return process
    }

    /// Waits for the line with which the app of this program answers.
    private func answer(of name: ConnectivityDevice, to question: String) async throws {
        guard let process = try device(name).process else { return }
        do {
            let line = try await process.answer { $0 }
            guard line == "ready" || line == "sent" else { throw CommandFailure("\(name.name): \(question): \(line)") }
        } catch let loss as LineProcess.Loss {
            throw CommandFailure(NodeLoss(loss, of: name.name, to: question).description)
        }
    }

    private func kill(_ name: ConnectivityDevice) async throws {
        try await runningProcess(name).kill()
        devices[name]?.process = nil
    }

    /// The phone's code for the next watch, with the relay's port in place of the phone's.
    private func nextCode(for relay: LinkRelay) async throws -> String {
        let text = try await found("the phone has no code for a watch; does its program use WCSession.default?") {
            let text = (try? String(contentsOfFile: path("code"), encoding: .utf8)) ?? ""
            return text.isEmpty || text == usedCode ? nil : text
        }
        usedCode = text
        var code = try InvitationCode(text)
        code.endpoint = try Endpoint("tcp://127.0.0.1:\(relay.port)")
        return code.text
    }

    /// Waits until there is something.
    @discardableResult
    private func found<Value>(_ complaint: String, _ find: () throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            if let value = try find() { return value }
            guard ContinuousClock.now < deadline else { throw CommandFailure(complaint) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: - Steps

    func perform(_ step: ConnectivityStep) async throws {
        switch step {
        case .send(let sender, let content, let text): try await send(content, text, from: sender)
        case .app(let device, let state): try await setState(of: device, state)
        case .kill(let device): try await kill(device)
        case .start(let device): try await start(device)
        case .cut(let watch): try relay(watch).cut()
        case .heal(let watch): try relay(watch).heal()
        case .switchTo(let watch): try await switchWatch(to: watch)
        case .wait, .got: break
        }
    }

    private func relay(_ watch: Int) throws -> LinkRelay {
        guard relays.indices.contains(watch) else {
            throw CommandFailure("there is no \(ConnectivityDevice.watch(watch).name)")
        }
        return relays[watch]
    }

    private func send(_ content: ConnectivityContent, _ text: String, from name: ConnectivityDevice) async throws {
        let process = try runningProcess(name)
        guard try device(name).program.isOwn else {
            throw CommandFailure("\(name.name) runs a program of yours, which sends what it wants; leave out `sends`")
        }
        process.tell("\(content.rawValue) \(text)")
        try await answer(of: name, to: "sends")
    }

    private func setState(of name: ConnectivityDevice, _ state: SessionDevice.AppState) async throws {
        let process = try runningProcess(name)
        let before = try device(name).state
        guard before != state else { return }
        let number =
            switch state {
            case .foreground: SIGUSR1
            case .background: before == .foreground ? SIGUSR1 : SIGUSR2
            case .suspended, .notRunning: SIGUSR2
            }
        try await signal(number, to: process, of: name, untilTraced: "the app is \(state.rawValue)")
        devices[name]?.state = state
    }

    private func switchWatch(to watch: Int) async throws {
        _ = try relay(watch)
        let phone = try runningProcess(.phone)
        // The phone turns only to watches that it knows.
        for name in (0..<watchCount).map({ ConnectivityDevice.watch($0).name }) {
            try await found("the phone had no link to \(name) yet; does its program use WCSession.default?") {
                lines(of: .phone).contains { $0.hasSuffix("linked with \(name)") } ? true : nil
            }
        }
        while activeWatch != watch {
            try await signal(SIGURG, to: phone, of: .phone, untilTraced: "leave", "left for another watch")
            activeWatch = (activeWatch + 1) % watchCount
        }
    }

    /// Sends a signal, and waits until the trace has one more line with one of the words.
    private func signal(
        _ number: Int32, to process: LineProcess, of name: ConnectivityDevice, untilTraced words: String...
    ) async throws {
        func count() -> Int { lines(of: name).count { line in words.contains { line.hasSuffix($0) } } }
        let before = count()
        process.signal(number)
        try await found("\(name.name) does not follow signals; does its program use WCSession.default?") {
            count() > before ? true : nil
        }
    }

    func pass(_ duration: Duration) async throws { try await Task.sleep(for: duration) }

    // MARK: - Traces

    private func lines(of device: ConnectivityDevice) -> [String] {
        // There is none before the first use of the session.
        let text = (try? String(contentsOfFile: tracePath(device), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func calls(of device: ConnectivityDevice) -> [String] {
        // A line is: time, name, mark, words.
        lines(of: device).compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3)
            return parts.count == 4 && parts[2] == "<-" ? String(parts[3]) : nil
        }
    }

    func trace() -> String {
        let names = [ConnectivityDevice.phone] + (0..<watchCount).map { .watch($0) }
        return SessionTrace.merged(names.map { lines(of: $0).joined(separator: "\n") })
    }

    func end() async {
        for device in devices.values { await device.process?.stop(patience: .seconds(5)) }
        devices = [:]
        for relay in relays { relay.end() }
    }
}
