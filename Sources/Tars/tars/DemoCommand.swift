import ArgumentParser
import Commands
import Foundation
import Platform
import TarsApp
import TarsDevice
import TarsLink
import TarsModel
import TarsPhone
import Text

/// A home on this machine: a broker, two motor devices, a bridge, the phone and two watches.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a whole home on this machine, and shows what it can do.",
        discussion: """
            It starts its own mosquitto, two simulated motor devices, a bridge, a phone and
            two watches, each a separate process, and takes a tour: pair with a PIN, act by
            the short link, walk out of range and act through the bridge, run a shortcut, and
            be refused with a reason. The summary comes from the motors' logs: each command
            that was accepted moved once. The short link is simulated: no radio is measured.
            """)

    @Option(name: .customLong("for"), help: ArgumentHelp("How long to go on after the tour.", valueName: "duration"))
    var duration = "5s"

    @Flag(help: "Keep its folder, with the motors' logs.") var keep = false

    func validate() throws {
        if DurationText.duration(duration) == nil {
            throw ValidationError("--for is \"\(duration)\", expected \(DurationText.expected)")
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let mosquitto = LocalTools.path(of: "mosquitto", environment: environment) else {
            throw CommandFailure(
                "the demo needs mosquitto: install it with `apt install mosquitto`", exitStatus: .notFound)
        }
        let folder = try ScratchFolder.make(prefix: "tars-demo", environment: environment)
        let household = DemoHousehold(folder: folder, mosquitto: mosquitto, environment: environment)
        let length = DurationText.duration(duration) ?? .seconds(5)
        let result = Kept<DemoSummary>()
        defer {
            if keep {
                Output.standard.line("demo: its folder is \(folder)")
            } else {
                ScratchFolder.remove(folder, program: "tars")
            }
        }
        do {
            _ = try await untilStopped {
                try await household.start()
                try await DemoTour(household).run(length)
                result.value = try household.summary()
            }
        } catch {
            await household.stop()
            throw CommandFailure(error)
        }
        await household.stop()
        guard let summary = result.value else { return }
        for line in summary.lines { Output.standard.line(line) }
        if !summary.isRight { throw ExitCode(1) }
    }
}

/// A value that a task finds.
final class Kept<Value: Sendable>: Sendable {
    private let kept = Lock<Value?>(nil)

    var value: Value? {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }
}

/// The processes of the demo.
final class DemoHousehold: Sendable {
    static let devices: [(serial: String, mode: String, name: String, room: String)] = [
        ("0042A1", "press", "Coffee", "Kitchen"), ("0042A2", "switch", "Lamp", "Hall"),
    ]
    static let pin = "314159"

    let folder: String
    private let mosquitto: String
    private let environment: [String: String]
    private let children = Lock<[ChildProcess]>([])
    private let heard = Lock<[String]>([])

    init(folder: String, mosquitto: String, environment: [String: String]) {
        self.folder = folder
        self.mosquitto = mosquitto
        self.environment = environment
    }

    var air: Air { Air(folder: "\(folder)/air") }
    private var state: [String] { ["--state", "\(folder)/state"] }

    /// Starts everything, and returns when commands are answered.
    func start() async throws {
        let port = try LocalTools.freePorts(1)[0]
        try makeFolder(air.folder)
        let configuration = ["listener \(port) 127.0.0.1", "allow_anonymous true", "log_dest none"]
        try PrivateFile.write(configuration.map { $0 + "\n" }.joined(), to: "\(folder)/mosquitto.conf")
        try launch("broker", mosquitto, ["-c", "\(folder)/mosquitto.conf"])
        for device in Self.devices {
            try launch(
                device.name, LocalTools.ownPath,
                [
                    "device", "--serial", device.serial, "--mode", device.mode, "--pin", Self.pin, "--folder",
                    "\(folder)/\(device.serial)", "--air", air.folder, "--adv", "200ms",
                ])
        }
        let broker = ["--broker", "127.0.0.1:\(port)"]
        try launch("bridge", LocalTools.ownPath, ["bridge", "--serial", "H001", "--air", air.folder] + broker)
        try launch("phone", LocalTools.ownPath, ["phone", "--air", air.folder] + broker + state)
        try await waitFor("phone is ready")
        for watch in ["Left", "Right"] {
            try launch(watch, LocalTools.ownPath, ["watch", "--name", watch, "--plain"] + state)
        }
    }

    /// Runs a command of this program to its end.
    func command(_ arguments: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await command(arguments)
    }

    /// Runs a command of this program to its end.
    func command(_ arguments: [String]) async throws -> (end: ChildProcess.End, lines: [String]) {
        Output.standard.line("$ tars \(arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " "))")
        let pipe = try PipeLines()
        let child = try ChildProcess(
            LocalTools.ownPath, arguments + state, environment: environment,
            files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        let (all, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        var said: [String] = []
        for await line in all { said.append(line) }
        for line in said { Output.standard.line("  \(line)") }
        return (await child.ended(), said)
    }

    private func launch(_ name: String, _ program: String, _ arguments: [String]) throws {
        let pipe = try PipeLines()
        let child = try ChildProcess(
            program, arguments, environment: environment, files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        pipe.read(
            { [self] line in
                heard.withLock { $0.append(line) }
                Output.standard.line("\(name): \(line)")
            }, onEnd: {})
        children.withLock { $0.append(child) }
    }

    /// Waits until a process has said something.
    private func waitFor(_ text: String) async throws {
        for _ in 0..<600 {
            if heard.withLock({ $0.contains { $0.contains(text) } }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure("the demo waited for \"\(text)\" in vain")
    }

    /// What the motors did.
    func summary() throws -> DemoSummary {
        try DemoSummary(
            logs: Self.devices.map { device in
                let text = try String(contentsOfFile: "\(folder)/\(device.serial)/motor.log", encoding: .utf8)
                return (device.name, MotorLogLine.all(of: text))
            })
    }

    /// Ends every process.
    func stop() async {
        for child in children.withLock(\.self).reversed() { _ = await child.stop(patience: .seconds(5)) }
    }
}

/// What the motors' logs say.
struct DemoSummary: Sendable {
    /// The movements of each device.
    let logs: [(name: String, lines: [MotorLogLine])]

    /// Whether each command moved a motor once.
    var isRight: Bool { logs.allSatisfy { Set($0.lines.map(\.id)).count == $0.lines.count } }

    var lines: [String] {
        logs.map { name, lines in
            let byWay = Dictionary(grouping: lines, by: \.origin).map { "\($1.count) by \($0)" }.sorted()
            let ways = byWay.isEmpty ? "" : ": " + byWay.joined(separator: ", ")
            return "\(name) moved \(lines.count) times\(ways)"
        } + [isRight ? "Each command moved its motor once." : "A command moved its motor more than once."]
    }
}

/// What the demo shows.
struct DemoTour {
    private let home: DemoHousehold

    init(_ home: DemoHousehold) { self.home = home }

    func run(_ length: Duration) async throws {
        say("Two motor devices are near the phone. They are paired with their PIN, which is never sent.")
        try await until { try await self.home.command("scan").lines.count > 2 }
        _ = try await home.command("add", "Coffee", "--serial", "0042A1", "--pin", "271828")
        for device in DemoHousehold.devices {
            try await succeed(
                "add", device.name, "--serial", device.serial, "--pin", DemoHousehold.pin, "--room", device.room)
        }
        say("By the short link:")
        try await succeed("do", "Coffee", "press")
        try await succeed("do", "Lamp", "on")
        say("Out of range the bridge carries the same sealed bytes:")
        try home.air.walk(PhoneProcess.place, away: true)
        try await until { try await self.home.command("scan").lines == ["Nothing is near."] }
        try await succeed("do", "Lamp", "off")
        say("One key runs a shortcut:")
        try await succeed("shortcut", "Morning", "Coffee", "press")
        try await succeed("run", "Morning")
        try home.air.walk(PhoneProcess.place, away: false)
        try await until {
            let near = try await self.home.command("scan").lines.joined()
            return DemoHousehold.devices.allSatisfy { near.contains($0.name) }
        }
        say("What a thing cannot do is refused before anything is sent:")
        _ = try await home.command("do", "Coffee", "level", "40")
        say("From a watch, a separate process:")
        try await succeed("watch", "--name", "Third", "--do", "Lamp on")
        try await Task.sleep(for: length)
    }

    private func say(_ text: String) { Output.standard.line("— \(text)") }

    private func succeed(_ arguments: String...) async throws {
        let (end, lines) = try await home.command(arguments)
        guard end == .exited(0) else {
            throw CommandFailure("`tars \(arguments.joined(separator: " "))` failed: \(lines.joined(separator: " "))")
        }
    }

    /// Tries again until something is so; for ten seconds.
    private func until(_ isSo: () async throws -> Bool) async throws {
        for _ in 0..<20 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw CommandFailure("the demo waited in vain for a step of its tour")
    }
}
