import ArgumentParser
import Commands
import Foundation
import Peripherals
import Platform
import TarsApp
import TarsDevice
import TarsPhone

/// A home on this machine: a broker, two motor devices, a bridge, the phone and two watches.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a whole home on this machine, and shows what it can do.",
        discussion: """
            It starts its own mosquitto, two simulated motor devices, a bridge, a phone and
            two watches, each a separate process, and takes a tour: pair with a PIN, act by
            the short link, walk out of range and act through the bridge, run a shortcut, be
            refused with a reason, and rename a lamp on two sides at once. The summary comes from the motors' logs: each command
            that was accepted moved once. The short link is simulated: no radio is measured.
            """)

    @OptionGroup var options: DemoOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let mosquitto = LocalTools.path(of: "mosquitto", environment: environment) else {
            throw CommandFailure(
                "the demo needs mosquitto: install it with `apt install mosquitto`", exitStatus: .notFound)
        }
        let length = options.length
        try await options.run("tars", environment) { folder in
            let household = DemoHousehold(folder: folder, environment: environment)
            return (
                household.stage,
                {
                    try await household.start(mosquitto: mosquitto)
                    try await DemoTour(home: household).run(length)
                    return try household.summary()
                }
            )
        }
    }
}

/// The processes of the demo.
struct DemoHousehold {
    static let devices: [(serial: String, mode: String, name: String, room: String)] = [
        ("0042A1", "press", "Coffee", "Kitchen"), ("0042A2", "switch", "Lamp", "Hall"),
    ]
    static let pin = "314159"

    let folder: String
    let stage: DemoStage

    init(folder: String, environment: Environment) {
        self.folder = folder
        stage = DemoStage(program: "tars", options: ["--state", "\(folder)/state"], environment: environment)
    }

    var air: Air { Air(folder: "\(folder)/air") }

    /// Starts everything, and returns when commands are answered.
    func start(mosquitto: String) async throws {
        let port = try LocalTools.freePorts(1)[0]
        try StateHome.make(air.folder)
        let configuration = ["listener \(port) 127.0.0.1", "allow_anonymous true", "log_dest none"]
        try PrivateFile.write(configuration.map { $0 + "\n" }.joined(), to: "\(folder)/mosquitto.conf")
        try stage.launch("broker", ["-c", "\(folder)/mosquitto.conf"], of: mosquitto, isBare: true)
        for device in Self.devices {
            try stage.launch(
                device.name,
                [
                    "device", "--serial", device.serial, "--mode", device.mode, "--pin", Self.pin, "--folder",
                    "\(folder)/\(device.serial)", "--air", air.folder, "--adv", "200ms",
                ], isBare: true)
        }
        let broker = ["--broker", "127.0.0.1:\(port)"]
        try stage.launch("bridge", ["bridge", "--serial", "H001", "--air", air.folder] + broker, isBare: true)
        try stage.launch("phone", ["phone", "--air", air.folder] + broker)
        try await stage.hear("phone is ready")
        for watch in ["Left", "Right"] { try stage.launch(watch, ["watch", "--name", watch, "--plain"]) }
    }

    /// What the motors' logs say.
    func summary() throws -> DemoOptions.Summary {
        let logs = try Self.devices.map { device in
            let text = try String(contentsOfFile: "\(folder)/\(device.serial)/motor.log", encoding: .utf8)
            return (name: device.name, lines: MotorLogLine.all(of: text))
        }
        // Each command has to move a motor once.
        let isRight = logs.allSatisfy { Set($0.lines.map(\.id)).count == $0.lines.count }
        let lines = logs.map { name, lines in
            let byWay = Dictionary(grouping: lines, by: \.origin).map { "\($1.count) by \($0)" }.sorted()
            let ways = byWay.isEmpty ? "" : ": " + byWay.joined(separator: ", ")
            return "\(name) moved \(lines.count) times\(ways)"
        }
        let end = isRight ? "Each command moved its motor once." : "A command moved its motor more than once."
        return DemoOptions.Summary(lines: lines + [end], isRight: isRight)
    }
}

/// What the demo shows.
struct DemoTour {
    let home: DemoHousehold

    private var stage: DemoStage { home.stage }

    func run(_ length: Duration) async throws {
        stage.say("Two motor devices are near the phone. They are paired with their PIN, which is never sent.")
        try await scan("both devices") { $0.count > 2 }
        _ = try await stage.command(["add", "Coffee", "--serial", "0042A1", "--pin", "271828"])
        for device in DemoHousehold.devices {
            try await stage.succeed(
                "add", device.name, "--serial", device.serial, "--pin", DemoHousehold.pin, "--room", device.room)
        }
        stage.say("By the short link:")
        try await stage.succeed("do", "Coffee", "press")
        try await stage.succeed("do", "Lamp", "on")
        stage.say("Out of range the bridge carries the same sealed bytes:")
        try home.air.walk(PhoneProcess.place, away: true)
        try await scan("the devices to be away") { $0 == ["Nothing is near."] }
        try await stage.succeed("do", "Lamp", "off")
        stage.say("One key runs a shortcut:")
        try await stage.succeed("shortcut", "Morning", "Coffee", "press")
        try await stage.succeed("run", "Morning")
        try home.air.walk(PhoneProcess.place, away: false)
        try await scan("both devices") { near in
            DemoHousehold.devices.allSatisfy { near.joined().contains($0.name) }
        }
        stage.say("What a thing cannot do is refused before anything is sent:")
        _ = try await stage.command(["do", "Coffee", "level", "40"])
        stage.say("From a watch, a separate process:")
        try await stage.succeed("watch", "--name", "Third", "--do", "Lamp on")
        stage.say(
            "The phone stands still; the watch renames the lamp meanwhile. The phone renames it, too, before it hears that:"
        )
        stage.hold("phone", true)
        try await stage.succeed("watch", "--name", "Third", "--no-wait", "--rename", "Lamp", "--to", "Reading lamp")
        stage.hold("phone", false)
        try await stage.succeed("edit", "Lamp", "--name", "Hall light")
        try await stage.succeed("watch", "--name", "Third", "--once")
        try await stage.succeed("conflicts")
        try await Task.sleep(for: length)
    }

    /// Scans until what is near is as wanted.
    private func scan(_ what: String, _ isSo: ([String]) -> Bool) async throws {
        try await stage.until(what, every: .milliseconds(500)) { isSo(try await stage.command(["scan"]).lines) }
    }
}
