import CommandSupport
import Commands
import Foundation
import Testing
import ZeroMQ

@testable import poolsensors

@Suite struct SettingsTests {
    private static let flag = "tcp://127.0.0.1:1"
    private static let variable = "tcp://127.0.0.1:2"
    private static let filed = "tcp://127.0.0.1:3"
    private static let fallback = "tcp://127.0.0.1:7654"

    /// The sources that are present, and the one that has precedence.
    static let precedence: [(flag: Bool, variable: Bool, file: Bool, value: String, origin: Origin)] = [
        (true, true, true, flag, .flag("--listen")),
        (true, true, false, flag, .flag("--listen")),
        (true, false, true, flag, .flag("--listen")),
        (true, false, false, flag, .flag("--listen")),
        (false, true, true, variable, .environment("POOLSENSORS_HUB_LISTEN")),
        (false, true, false, variable, .environment("POOLSENSORS_HUB_LISTEN")),
        (false, false, true, filed, .file(path: "/etc/p.json")),
        (false, false, false, fallback, .fallback),
    ]

    @Test(arguments: precedence)
    func `flags win over the environment, that over the file, and that over the default`(
        row: (flag: Bool, variable: Bool, file: Bool, value: String, origin: Origin)
    ) throws {
        let file = try SettingsFile(
            path: "/etc/p.json", bytes: Data(#"{"hub": {"listen": "\#(Self.filed)"}}"#.utf8))
        let settings = Settings(
            flags: row.flag ? ["hub.listen": Self.flag] : [:],
            environment: row.variable ? ["POOLSENSORS_HUB_LISTEN": Self.variable] : [:], file: row.file ? file : nil)

        #expect(try settings.value(of: Catalog.hubListen).text == row.value)
        #expect(settings.text(of: Catalog.hubListen.entry).origin == row.origin)
    }

    @Test(arguments: [
        ("127.0.0.1:7654", "tcp://127.0.0.1:7654"), ("tcp://127.0.0.1:7654", "tcp://127.0.0.1:7654"),
        ("*:7654", "tcp://*:7654"), ("[fd00::2]:1", "tcp://[fd00::2]:1"), ("ipc:///tmp/x", "ipc:///tmp/x"),
    ])
    func `an address needs no scheme`(text: String, endpoint: String) throws {
        #expect(EndpointText.read(text)?.text == endpoint)
        for setting in ["hub.listen", "watch.hub"] {
            #expect(Catalog.all.first { $0.key == setting }?.isReadable(text) == true)
        }
    }

    @Test func `every setting listens to its variable`() {
        for entry in Catalog.all {
            let settings = Settings(flags: [:], environment: [entry.variable: "x"], file: nil)

            let (text, origin) = settings.text(of: entry)

            #expect(text == "x", "\(entry.key)")
            #expect(origin == .environment(entry.variable))
        }
    }

    @Test func `an empty variable does not count`() throws {
        let settings = Settings(flags: [:], environment: ["POOLSENSORS_WATCH_NAME": ""], file: nil)

        #expect(try settings.value(of: Catalog.watchName) == "watch")
    }

    @Test func `a setting without a value says so with nil`() throws {
        let settings = Settings(flags: [:], environment: [:], file: nil)

        #expect(try settings.value(of: Catalog.watchDevice) == nil)
        #expect(settings.text(of: Catalog.watchDevice.entry).text == nil)
    }

    @Test func `a wrong value names its place, itself, and what is expected`() throws {
        let bad = Settings(
            flags: ["hub.listen": "nowhere"], environment: ["POOLSENSORS_PROBE_QOS": "2"], file: nil)

        let flagError = try #require(throws: SettingError.self) { _ = try bad.value(of: Catalog.hubListen) }
        #expect(
            "\(flagError)"
                == #"--listen is "nowhere", expected HOST:PORT, such as 192.168.1.20:7654, or ipc://PATH"#)
        #expect(flagError.isUsage)
        let variableError = try #require(throws: SettingError.self) { _ = try bad.value(of: Catalog.probeQoS) }
        #expect("\(variableError)" == #"POOLSENSORS_PROBE_QOS is "2", expected a whole number from 0 to 1"#)
        #expect(!variableError.isUsage)
    }

    @Test func `a wrong value of a secret is not shown`() {
        let origins: [(Origin, String)] = [
            (.environment("POOLSENSORS_PROBE_PASSWORD"), "POOLSENSORS_PROBE_PASSWORD"),
            (.file(path: "/etc/p.json"), "/etc/p.json: probe.password"),
        ]
        for (origin, place) in origins {
            let error = SettingError(entry: Catalog.probePassword.entry, text: "sesame-71", origin: origin)
            #expect("\(error)" == "\(place) is hidden, expected a text")
        }
    }

    @Test func `variables that look like settings but are not are found`() {
        let settings = Settings(
            flags: [:],
            environment: [
                "POOLSENSORS_HUB_LISTEM": "x", "POOLSENSORS_CONFIG": "x", "POOLSENSORS_STATE": "x", "HOME": "/",
            ], file: nil)

        #expect(settings.unknownVariables(catalog: Catalog.all) == ["POOLSENSORS_HUB_LISTEM"])
    }
}
