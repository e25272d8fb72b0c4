import Commands
import Logging
import PoolModel
import TerminalUI
import ZeroMQ

/// All settings: each flag, variable and key of the configuration file is defined here.
enum Catalog {
    // MARK: - Common

    static let state = Setting<String>(
        key: "state", flag: "--state", valueName: "dir", summary: "The folder of all state",
        expected: "the path of a folder", fallback: .computed(StateFolders.standardPath)
    ) { $0.isEmpty ? nil : $0 }
    static let logLevel = Setting<Logger.Level>.choice(
        "log.level", flag: "--log-level", "How much is logged to standard error", fallback: .warning)

    static let units = Setting<DisplayUnits>(
        key: "units", flag: nil, valueName: "units", summary: "The units in which people see and type values",
        expected: "words such as us, or fahrenheit,gal, of \(DisplayUnits.words.joined(separator: ", "))",
        fallback: .text("metric")
    ) { DisplayUnits($0) }

    // MARK: - Hub and pairing

    static let hubListen = Setting<Endpoint>(
        key: "hub.listen", flag: "--listen", valueName: "address", summary: "Where watches connect",
        expected: EndpointText.expected, fallback: .text("127.0.0.1:7654"), read: EndpointText.read)
    static let pairValid = Setting<Duration>.duration(
        "pair.valid", flag: "--valid", "How long the invitation is valid", in: .seconds(1)...(.seconds(604_800)),
        fallback: "10m")

    // MARK: - The hub's screens

    static let consoleColor = Setting<ColorChoice>.choice(
        "console.color", flag: "--color", "How many colours the hub's screens use", fallback: .auto)
    static let consoleTheme = Setting<Theme.Appearance>.choice(
        "console.theme", flag: "--theme", "The background of the hub's screens", fallback: .dark)

    // MARK: - Watch

    static let watchName = Setting<String>(
        key: "watch.name", flag: "--name", valueName: "name",
        summary: "The name of the watch; each name is a separate watch", expected: "a name of 1 to 64 bytes",
        fallback: .text("watch")
    ) { (1...64).contains($0.utf8.count) ? $0 : nil }
    static let watchHub = Setting<Endpoint?>.optionalEndpoint(
        "watch.hub", flag: "--hub", "Where the hub listens now, if it moved", absence: "where it was when pairing")
    static let watchDevice = Setting<String?>.optionalText(
        "watch.device", flag: "--device", valueName: "device", "The device to show, by name or start of its id",
        absence: "the one that is selected on the hub")
    static let watchColor = Setting<ColorChoice>.choice(
        "watch.color", flag: "--color", "How many colours to use", fallback: .auto)
    static let watchTheme = Setting<Theme.Appearance>.choice(
        "watch.theme", flag: "--theme", "Light text on dark, or dark text on light", fallback: .dark)
    static let watchLayout = Setting<WatchLayout>.choice(
        "watch.layout", flag: "--layout", "The face; if it does not fit, the next smaller one is shown",
        fallback: .automatic)
    static let watchTimeout = Setting<Duration>.duration(
        "watch.timeout", flag: "--timeout", "How long --once waits for the hub",
        in: .zero...(.seconds(86_400)), fallback: "5s")

    // MARK: - Probe

    static let probeServer = Setting<ServerAddress>(
        key: "probe.server", flag: "--server", valueName: "host:port", summary: "The MQTT broker",
        expected: ServerAddress.expected, fallback: .text("127.0.0.1:1883"), read: ServerAddress.init)
    static let probeTLS = Setting<Bool>.boolean("probe.tls", flag: "--tls", "Encrypt the connection", fallback: false)
    static let probeCAFile = Setting<String?>.optionalText(
        "probe.caFile", flag: "--ca-file", valueName: "file", "The authorities to trust, a PEM file",
        expected: "the path of a PEM file", absence: "the system's")
    static let probeUsername = Setting<String?>.optionalText(
        "probe.username", flag: "--username", valueName: "name", "The user name at the broker", absence: "none")
    static let probePasswordFile = Setting<String?>.optionalText(
        "probe.passwordFile", flag: "--password-file", valueName: "file",
        "The file whose first line is the password", expected: "the path of a file", absence: "none")
    static let probePassword: Setting<String?> = {
        var setting = Setting<String?>.optionalText(
            "probe.password", flag: nil, valueName: "password", "The password at the broker", absence: "none")
        setting.isSecret = true
        return setting
    }()
    static let probeTopicPrefix = Setting<String>.text(
        "probe.topicPrefix", flag: "--topic-prefix", valueName: "topic",
        "The topics are this, a slash, and the number of the device", fallback: "pool/sensor")
    static let probeDevices = Setting<Int>.whole(
        "probe.devices", flag: "--devices", "How many devices publish", in: 1...100_000, fallback: 1)
    static let probeRate = Setting<Double>.number(
        "probe.rate", flag: "--rate", valueName: "hz", "Samples a second of each device",
        in: 0.00001...1000, fallback: "1")
    static let probeSeed = Setting<UInt64>.whole(
        "probe.seed", flag: "--seed", "The same seed gives the same pools", in: 0...(.max), fallback: 1)
    static let probeSpeed = Setting<Double>.number(
        "probe.speed", flag: "--speed", valueName: "factor",
        "How much faster than real time the pools change; the time between samples grows with it",
        in: 0.001...1_000_000,
        fallback: "1")
    static let probeFormat = Setting<ProbeFormat>.choice(
        "probe.format", flag: "--format", "The notation of the payloads", fallback: .json)
    static let probeRetain = Setting<Bool>.boolean(
        "probe.retain", flag: "--retain", "Ask the broker to keep the newest sample of each topic", fallback: false)
    static let probeQoS = Setting<Int>.whole(
        "probe.qos", flag: "--qos", "At 1 each sample is published until the broker confirmed it, at 0 once",
        in: 0...1, fallback: 1)
    static let probeProfile = Setting<ProbeProfile>.choice(
        "probe.profile", flag: "--profile", "The kind of pool", fallback: .garden)

    // MARK: - Demo

    static let demoRate = Setting<Double>.number(
        "demo.rate", flag: "--rate", valueName: "hz", "Samples a second of each of the two pools", in: 0.001...1000,
        fallback: "1")
    static let demoSeed = Setting<UInt64>.whole(
        "demo.seed", flag: "--seed", "The same seed gives the same pools", in: 0...(.max), fallback: 1)

    /// All of them, in the order in which lists show them.
    static let all: [SettingEntry] = [
        state.entry, logLevel.entry, units.entry, hubListen.entry, pairValid.entry, consoleColor.entry,
        consoleTheme.entry, watchName.entry, watchHub.entry,
        watchDevice.entry, watchColor.entry, watchTheme.entry, watchLayout.entry, watchTimeout.entry, probeServer.entry,
        probeTLS.entry, probeCAFile.entry, probeUsername.entry, probePasswordFile.entry, probePassword.entry,
        probeTopicPrefix.entry, probeDevices.entry, probeRate.entry, probeSeed.entry, probeSpeed.entry,
        probeFormat.entry, probeRetain.entry, probeQoS.entry, probeProfile.entry, demoRate.entry, demoSeed.entry,
    ]
}
