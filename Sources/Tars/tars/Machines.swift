import Appliances
import ArgumentParser
import BrokerCommands
import Commands
import Companion
import Foundation
import Peripherals
import Platform
import TarsDevice
import TarsModel
import TarsPhone
import Text
import ZeroMQ

/// A simulated motor device.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Runs a simulated motor device.",
        discussion: """
            It advertises, is paired with its PIN, and moves: each movement is a line of
            motor.log in its folder. Press enter to press its button, which lets the next
            phone pair without the PIN for 30 s.
            """)

    @Option(help: ArgumentHelp("Its serial number, up to 12 hexadecimal digits.", valueName: "digits"))
    var serial: Serial

    @Option(help: ArgumentHelp("How it works: press, switch, custom or curtain.", valueName: "mode"))
    var mode = "press"

    @Option(help: ArgumentHelp("Its PIN, six digits.", valueName: "digits"))
    var pin = "314159"

    @Option(help: ArgumentHelp("The folder of its files.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("The time between two advertisements.", valueName: "duration"))
    var adv = "1s"

    @Option(
        help: ArgumentHelp(
            "The energy profile, a JSON file whose numbers say that they are assumed.", valueName: "file"))
    var energy: String?

    @Option(help: ArgumentHelp("A JSON file with what goes wrong on purpose.", valueName: "file"))
    var faults: String?

    @OptionGroup var air: AirOptions

    func run() async throws {
        guard let mode = DeviceMode(rawValue: mode) else {
            let known = DeviceMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--mode is \"\(mode)\", expected one of \(known)")
        }
        guard let interval = DurationText.duration(adv), interval >= .milliseconds(20) else {
            throw ValidationError("--adv is \"\(adv)\", expected \(DurationText.expected), at least 20ms")
        }
        var options = DeviceOptions(serial: serial, mode: mode, pin: pin, air: air.place, folder: folder)
        options.advertisingInterval = interval
        if let energy {
            let bytes = try InputFile.bytes(of: energy, "the energy profile")
            options.energy = try checked { () throws(ModelProblem) in try EnergyProfile(json: bytes) }
        }
        if let faults {
            let bytes = try InputFile.bytes(of: faults, "the faults")
            do {
                options.faults = try CanonicalJSON.decode(DeviceFaults.self, from: bytes)
            } catch {
                throw CommandFailure("\(faults) holds no faults: \(error)", exitStatus: .usage)
            }
        }
        try StateHome.make(folder)
        try StateHome.make(air.air)
        let ready = options
        let (troubles, source) = AsyncStream<String>.makeStream()
        let loop = try LoopThread { try DeviceLoop(ready, try Context()) { source.yield($0) } }
        Output.standard.line("device \(serial.short): \(serial.text), \(mode.rawValue)")
        let button = Task.detached { while readLine() != nil { loop.post(.pressButton) } }
        defer { button.cancel() }
        _ = try await untilStopped {
            for await trouble in troubles { throw CommandFailure(trouble) }
        }
        loop.stop()
    }
}

/// A simulated WiFi hub of motor devices.
struct BridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge", abstract: "Runs a bridge between the simulated short link and MQTT.",
        discussion: "It carries sealed commands, and can neither read nor make one.")

    @Option(help: ArgumentHelp("Its serial number: H and up to 12 hexadecimal digits.", valueName: "digits"))
    var serial: Serial

    @OptionGroup var broker: BrokerOptions
    @OptionGroup var air: AirOptions

    func run() async throws {
        guard serial.bearer == .hub else {
            throw ValidationError("--serial is \"\(serial.short)\", that of a device: begin it with H, as in H001")
        }
        guard let settings = try broker.settings() else {
            throw ValidationError("a bridge needs its broker: give --broker \(HostAndPort.expected)")
        }
        try StateHome.make(air.air)
        let name = serial.short
        let bridge = try Bridge<TarsMaker>(serial, broker: settings, password: try broker.password(), in: air.place) {
            status in
            Output.standard.line("bridge \(name): \(status.words)")
        }
        _ = try await untilStopped { await bridge.run() }
    }
}

/// The phone.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Runs the phone of a home.",
        discussion: "One process at a time has the folder of a phone; commands and watches find it there.")

    @Option(help: ArgumentHelp("Where watches of other machines connect, such as tcp://*:7500.", valueName: "endpoint"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the simulated short link; without it only MQTT is used.", valueName: "folder"))
    var air: String?

    @OptionGroup var broker: BrokerOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        try StateHome.make(state.phoneFolder)
        try StateHome.make(state.meetingFolder)
        var place = CompanionPlace(folder: state.phoneFolder, meetingFolder: state.meetingFolder)
        place.endpoint = listen
        place.notice = { Output.standard.line("phone: \($0)") }
        var phone = PhoneProcess(place)
        phone.air = air.map(Air.init(folder:))
        phone.broker = try broker.settings()
        phone.password = try broker.password()
        phone.onBroker = { Output.standard.line("broker: \($0.words)") }
        let process = phone
        let folder = state.phoneFolder
        do {
            _ = try await untilStopped { try await process.run { Output.standard.line("phone is ready: \(folder)") } }
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// Takes a place out of range of the short link.
struct WalkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walk", abstract: "Takes the phone out of range of the simulated short link, or back.")

    @Argument(help: "away or home.")
    var whereTo: String

    @Option(
        help: ArgumentHelp("The place that walks: the phone, or a bridge by its serial number.", valueName: "place"))
    var place = PhoneProcess.place

    @OptionGroup var air: AirOptions

    func run() throws {
        guard ["away", "home"].contains(whereTo) else {
            throw ValidationError("\"\(whereTo)\" is no way: give away or home")
        }
        try air.place.walk(place, away: whereTo == "away")
        Output.standard.line("\(place) is \(whereTo == "away" ? "out of range" : "in range")")
    }
}
