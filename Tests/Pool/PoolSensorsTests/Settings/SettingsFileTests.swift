import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import poolsensors

@Suite struct SettingsFileTests {
    private func file(_ json: String) throws -> SettingsFile {
        try SettingsFile(path: "/c.json", bytes: Data(json.utf8))
    }

    private func failure(_ json: String) throws -> String {
        try #require(throws: CommandFailure.self) { _ = try file(json) }.description
    }

    @Test func `texts, numbers and boolean values are taken as texts`() throws {
        let json = """
            {"state": "/s", "watch": {"name": "Küche"}, "probe": {"rate": 2.5, "devices": 3, "tls": true,
             "seed": 18446744073709551615}, "log": {"level": "debug"}}
            """

        #expect(
            try file(json).values == [
                "state": "/s", "watch.name": "Küche", "probe.rate": "2.5", "probe.devices": "3", "probe.tls": "true",
                "probe.seed": "18446744073709551615", "log.level": "debug",
            ])
    }

    @Test func `what is remembered joins what is there, and the file stays as private as it was`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/deep/config.json"
        try SettingsFile.remember("light", of: "console.theme", at: path)
        func read() throws -> [String: String] {
            try SettingsFile(path: path, bytes: Data(contentsOf: URL(filePath: path))).values
        }
        #expect(try read() == ["console.theme": "light"])

        let json = #"{"console.theme": "dark", "probe": {"rate": 2.5, "tls": true, "password": "p/w"}, "hub": {}}"#
        try Data(json.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try SettingsFile.remember("light", of: "console.theme", at: path)
        try SettingsFile.remember("light", of: "watch.theme", at: path)

        let expected = [
            "console.theme": "light", "watch.theme": "light", "probe.rate": "2.5", "probe.tls": "true",
            "probe.password": "p/w",
        ]
        #expect(try read() == expected)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/deep") == ["config.json"])
    }

    @Test func `a file that is no object is left as it is`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/config.json"
        try Data("[1]".utf8).write(to: URL(filePath: path))
        #expect(throws: CommandFailure.self) { try SettingsFile.remember("light", of: "console.theme", at: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
    }

    @Test func `an empty object sets nothing`() throws {
        #expect(try file("{}").values.isEmpty)
        #expect(try file(#"{"hub": {}}"#).values.isEmpty)
    }

    @Test(arguments: [
        (#"{"hub": {"lisen": "x"}}"#, #"/c.json: "hub.lisen" is not a setting; did you mean "hub.listen"?"#),
        (#"{"quux": 1}"#, #"/c.json: "quux" is not a setting; `poolsensors config show` lists them all"#),
        (#"{"hub": "tcp://h:1"}"#, #"/c.json: "hub" is not a setting; `poolsensors config show` lists them all"#),
        (
            #"{"probe": {"qos": 7}}"#, #"/c.json: probe.qos is "7", expected a whole number from 0 to 1"#
        ),
        (
            #"{"log": {"level": null}}"#,
            "/c.json: log.level is no text, number or truth value, expected one of trace, debug, info, notice, warning, "
                + "error, critical"
        ),
        (
            #"{"watch": {"name": ["a"]}}"#,
            "/c.json: watch.name is no text, number or truth value, expected a name of 1 to 64 bytes"
        ),
        (#"[1]"#, #"/c.json: expected a JSON object such as {"hub": {"listen": "tcp://…"}}"#),
    ])
    func `an error names the file, the key, the value, and what is allowed`(json: String, words: String) throws {
        #expect(try failure(json) == words)
    }

    @Test(arguments: ["", "{", "{\"a\": }", "\u{0}\u{1}", "{\"hub\": {\"listen\": \"x\"}"])
    func `a broken file is said to be broken`(json: String) throws {
        #expect(try failure(json).hasPrefix("/c.json: not a JSON file: "))
    }

    @Test func `a secret is not shown in an error`() throws {
        let words = try failure(#"{"probe": {"password": ""}}"#)

        #expect(words == "/c.json: probe.password is hidden, expected a text")
    }

    @Test func `the place is the flag's, then the variable's, then the user's folder of configurations`() {
        let environment = ["HOME": "/h", "POOLSENSORS_CONFIG": "/v.json"]

        let named = SettingsFile.Location(flag: "/f.json", environment: environment)
        #expect(named.path == "/f.json")
        #expect(named.origin == .flag("--config"))
        let variable = SettingsFile.Location(flag: nil, environment: environment)
        #expect(variable.path == "/v.json")
        #expect(variable.origin == .environment("POOLSENSORS_CONFIG"))
        let home = SettingsFile.Location(flag: nil, environment: ["HOME": "/h"])
        #expect(home.path == "/h/.config/poolsensors/config.json")
        #expect(home.origin == .fallback)
        let folder = SettingsFile.Location(flag: nil, environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/x"])
        #expect(folder.path == "/x/poolsensors/config.json")
    }

    @Test func `a file that nobody named may be missing, one that was named may not`() throws {
        #expect(try SettingsFile(at: .init(flag: nil, environment: ["HOME": "/nowhere"])) == nil)
        let failure = try #require(throws: CommandFailure.self) {
            _ = try SettingsFile(at: .init(flag: "/nowhere/c.json", environment: [:]))
        }
        #expect(failure.description == "cannot read the configuration file /nowhere/c.json: No such file or directory")
    }
}
