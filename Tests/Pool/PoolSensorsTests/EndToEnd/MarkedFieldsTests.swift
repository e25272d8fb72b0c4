import BrokerFixture
import CommandSupport
import Foundation
import MQTT
import PoolControl
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import PoolHub
@testable import poolsensors

/// A full configuration in which each secret, and each field that watches must not see, contains a unique mark.
///
/// All outputs of the hub are then searched for the marks.
///
/// The fields are not listed here: they are those of the encrypted export, which contains all of them. A new field
/// fails the test until it is set and marked below, or listed in ``unmarkable`` with the reason.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MarkedFieldsTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The groups of fields that watches see; all others are only for the hub.
    private static let seenByWatches =
        [
            "server/name", "device/name", "device/membership", "device/timing", "device/pool", "pool/name",
            "pref/selection",
        ] + Quantity.allCases.flatMap { ["device/limits-\($0.rawValue)", "pool/limits-\($0.rawValue)"] }

    /// Values that are only for the hub and have no mark, with the reason.
    private static let unmarkable = [
        "server/endpoint/host 127.0.0.1": "the broker that the readings come from",
        "server/endpoint/tls": "yes or no",
        "server/endpoint/protocol": "one of two words",
        "device/mapping/values/quantity": "one of a few words",
        "device/mapping/values/unit": "one of seven words",
        "device/mapping/values/time/form": "one of five words",
        "device/mapping/time/form": "one of five words",
        "device/mapping/changesOnly": "yes or no",
        "device/calibration-ph/versions/method": "one of five words",
        "device/calibration-ph/versions/madeAt": "when, not what",
        "pref/export/period": "one of four words",
        "pref/export/format": "one of two words",
        "pref/alerts/muted": "one of a few words, and watches are told it",
        "pref/alerts/confirmationSamples": "a number of one digit",
        "pref/alerts/quietHours/start": "a number of few digits",
        "pref/alerts/quietHours/end": "a number of few digits",
        "pref/alerts/quietHours/criticalPasses": "yes or no",
        "pref/alerts/language": "one of two words",
        "pref/alerts/channels/mqtt/serverID": "the identity of a server, which watches know",
    ]

    /// Fields that the full configuration leaves unset, with the reason.
    private static let unset = [
        ".answers": "given on watches, and not part of what is exported",
        ".devices.learnsInterval": "unset where a person has given the interval",
    ]

    // A value that is only for the hub and whose characters cannot contain a mark.
    private let host = "127.77.31.9"
    private let zone = "Europe/Paris"
    private let passphrase = "MARK-passphrase of twelve"

    // MARK: - The test

    @Test func `P7 P99 P115 no marked secret and no marked private field is where it may not be`() async throws {
        let broker = try await Broker.start()
        let listener = try await BrokerListener(broker)
        var said: [(command: String, lines: [String])] = []
        let hub = try Program(hubArguments + ["--plain"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        for arguments in try configuring(broker) { said.append((words(arguments), try await set(arguments))) }
        let code = try #require(try await run("pair", "--name", "Kitchen").first { $0.hasPrefix("psw2-") })
        said += try await looking([["watch", "pair", code, "--name", "Kitchen"]])
        let watch = try Program(
            ["watch", "--name", "Kitchen", "--json", "--log-level", "trace", "--record", folder.path("watch.engine")],
            in: folder)
        try await alert(watch, through: listener)
        try write("a file for the watch", to: "note.txt")
        said += try await looking([
            ["watches", "files", "send", "Kitchen", folder.path("note.txt")],
            ["history", "export", "--watch", "Kitchen"],
        ])
        _ = await watch.line { $0.contains(#""fileNotice":{"#) && $0.contains("readings-") }
        said += try await lookingOnWatch() + lookingAtHub() + doingAtHub()
        hub.signal(SIGKILL)
        _ = await hub.ended()
        try expectPrivateFiles()

        let second = try Program(hubArguments + ["--json"], in: folder)
        _ = await second.line { $0.contains("listening") }
        said += try await lookingAtHub()
        await end(watch, second)
        said += try await lookingAtHub()

        let marks = try marks(code)
        #expect(marks.count > 60)
        let places =
            try places(listener) + said.map { printed($0.lines, by: $0.command) }
            + [logged(hub, "the hub"), logged(second, "the hub, as JSON"), logged(watch, "watch")]
        let leaks = places.flatMap { $0.leaks(marks) }
        #expect(leaks.isEmpty, "\(leaks.joined(separator: "\n"))")
        expectSeeing(places, marks)
        await broker.stop()
    }

    private func words(_ arguments: [String]) -> String { arguments.joined(separator: " ") }

    /// The output of a command; a watch must not print what it must not know.
    private func printed(_ lines: [String], by command: String) -> ReadablePlace {
        let isOfWatch = command == "watch" || command.hasPrefix("watch ")
        return ReadablePlace("`\(command)`", Data(lines.joined(separator: "\n").utf8)) { mark in
            mark.kind == .hubOnly && !isOfWatch ? "the owner sees what is configured" : nil
        }
    }

    /// The lines and the log of a running process.
    private func logged(_ program: Program, _ name: String) -> ReadablePlace { printed(program.lines, by: name) }

    private var hubArguments: [String] {
        [
            "hub", "--listen", "ipc://\(folder.path("hub.ipc"))", "--log-level", "trace", "--record",
            folder.path("hub.engine"),
        ]
    }

    // MARK: - The full configuration

    /// The commands that set every field of the configuration.
    private func configuring(_ broker: Broker) throws -> [[String]] {
        for name in ["token", "user"] { try write("MARKphonesecret\(name)0123456789012".prefix(30) + "\n", to: name) }
        for name in ["password-1", "password-2", "signing", "short", "sesame"] { try write("MARK-\(name)\n", to: name) }
        try write("\(passphrase)\n", to: "passphrase")
        for name in ["ca", "cert", "key"] { try write("-----BEGIN MARK-contents-\(name)", to: "MARK-\(name).pem") }
        try write(mapping, to: "mapping")
        try FileManager.default.createDirectory(atPath: folder.path("MARK-folder"), withIntermediateDirectories: true)
        return [
            [
                "server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)", "--username",
                "MARK-user-1", "--password-file", folder.path("password-1"), "--announce", "MARK-prefix-1", "--note",
                "MARK-note-1",
            ],
            [
                "server", "add", "--name", "Away", "--host", host, "--port", "48731", "--username", "MARK-user-2",
                "--password-file", folder.path("password-2"), "--announce", "MARK-prefix-2", "--mqtt", "5", "--tls",
                "--note", "MARK-note-2",
                "--ca-file", folder.path("MARK-ca.pem"), "--client-cert", folder.path("MARK-cert.pem"), "--client-key",
                folder.path("MARK-key.pem"), "--no-test",
            ],
            ["pool", "add", "--name", "Basin", "--volume", "731529.53"],
            [
                "device", "add", "--name", "Lagoon", "--server", "Garden", "--topic", "MARK-topic-1/MARK-topic-2",
                "--type",
                "MARK-type-1", "--mapping", folder.path("mapping"), "--pool", "Basin", "--interval", "50m",
            ],
            [
                "device", "add", "--name", "Spa", "--server", "Away", "--topic", "MARK-topic-3", "--type",
                "MARK-type-2",
                "--interval", "50m",
            ],
            ["device", "select", "Lagoon"],
            ["limits", "set", "ph", "6.8", "7.0", "7.6", "7.8", "--device", "Lagoon"],
            ["limits", "set", "orp", "510", "610", "810", "910", "--pool", "Basin"],
            [
                "calibrate", "add", "Lagoon", "ph", "--point", "6.731529:7.031527", "--point", "9.731523:10.031521",
                "--author", "MARK-author", "--valid-from", "2026-06-01T12:34:56.789Z",
            ],
            ["history", "keep", "--days", "3217", "--summaries", "3571", "--yes"],
            ["history", "auto", "--every", "hourly", "--format", "jsonl", "--to", folder.path("MARK-folder")],
            [
                "alerts", "settings", "--mute", "orp", "--cooldown", "3253s", "--longest-repeat", "591193s",
                "--samples",
                "3", "--confirmation", "3259s", "--hysteresis", "ph=0.0731529", "--missing-delay", "83311s",
                "--connection-delay", "3271s", "--quiet", "02:13-02:14", "--quiet-passes-critical", "--mqtt-topic",
                "MARK-alerts", "--mqtt-server", "Garden", "--webhook", "http://127.0.0.1:1/MARK-hook?token=MARK-token",
                "--webhook-secret-name", "MARK-secret-name", "--webhook-secret-file", folder.path("signing"),
                "--language",
                "fr",
            ],
            [
                "alerts", "channel", "ntfy", "topic=MARK-ntfy-topic", "server=http://127.0.0.1:1/MARK-ntfy-path",
                "username=MARK-ntfy-user", "--secret-file", "password=\(folder.path("sesame"))", "--yes",
            ],
            [
                "alerts", "channel", "pushover", "device=MARK-phone", "server=http://127.0.0.1:1/MARK-push-path",
                "--secret-file", "token=\(folder.path("token"))", "--secret-file", "user=\(folder.path("user"))",
                "--yes",
            ],
        ]
    }

    private var mapping: String {
        """
        {"profile":"MARK-profile","values":[{"quantity":"ph","path":"MARK-ph"},
        {"quantity":"temperature","topic":"~/MARK-value","path":"MARK-path","scale":1.0731519,"offset":0.0731511,
        "unit":"°F","unitPlace":{"topic":"~/MARK-unit","path":"MARK-unit-path"},
        "time":{"topic":"~/MARK-time-1","path":"MARK-time-path-1","form":"milliseconds","zone":"\(zone)"},
        "sentinels":[7777.31],"conditions":[{"path":"MARK-condition","is":["MARK-word"],"isNot":["MARK-other"]}]}],
        "time":{"topic":"~/MARK-time-2","path":"MARK-time-path-2","form":"milliseconds","zone":"\(zone)"},
        "availability":[{"topic":"~/MARK-there","path":"MARK-there-path","online":["MARK-on"],"offline":["MARK-off"]}],
        "measurement":"MARK-counter","heartbeats":["~/MARK-beat"],"changesOnly":true}
        """
    }

    /// The files that a user wrote, with marks in them.
    private let typed = [
        "password-1", "password-2", "signing", "short", "sesame", "token", "user", "passphrase", "mapping",
        "MARK-ca.pem",
        "MARK-cert.pem", "MARK-key.pem",
    ]

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }

    /// Runs a command and expects success.
    private func set(_ arguments: [String]) async throws -> [String] {
        let (end, lines) = try await Program.run(arguments, in: folder)
        #expect(end == .exited(0), "\(arguments): \(lines)")
        return lines
    }

    /// Publishes until the watch shows an alert.
    private func alert(_ watch: Program, through listener: BrokerListener) async throws {
        let topic = "MARK-topic-1/MARK-topic-2"
        try listener.publish(#"{"MARK-there-path":"MARK-on"}"#, to: "\(topic)/MARK-there")
        var count = 0
        try await poll("an alert on the watch: \(watch.lines.suffix(3))") {
            count += 1
            let now = Int(Date().timeIntervalSince1970 * 1000)
            try listener.publish(#"{"MARK-time-path-2":\#(now)}"#, to: "\(topic)/MARK-time-2")
            try listener.publish(
                #"{"MARK-ph":9.4,"MARK-counter":\#(count),"MARK-member":"MARK-payload"}"#, to: topic)
            // The hub handles the message before the next one.
            try await run("device", "list")
            return watch.lines.contains { $0.contains(#""severity":"critical""#) }
        }
    }

    // MARK: - Outputs

    private func looking(_ commands: [[String]]) async throws -> [(command: String, lines: [String])] {
        var said: [(command: String, lines: [String])] = []
        for arguments in commands {
            said.append((words(arguments), try await Program.run(arguments, in: folder).lines))
        }
        return said
    }

    private func lookingOnWatch() async throws -> [(command: String, lines: [String])] {
        let name = ["--name", "Kitchen"]
        var commands = [["watch", "--once"] + name, ["watch", "--once", "--json"] + name]
        for command in [["pending"], ["conflicts"], ["alerts", "list"], ["files", "list"]] {
            commands += [["watch"] + command + name, ["watch"] + command + name + ["--json"]]
        }
        commands += [
            ["watch", "rename", "Lagoon", "Spa"] + name, ["watch", "limits", "Lagoon", "ph", "--low", "7.1"] + name,
            ["watch", "select", "Nobody"] + name, ["watch", "alerts", "ack", "1"] + name,
        ]
        return try await looking(commands)
    }

    /// The output for the owner: the lists as text and as JSON, and the errors.
    private func lookingAtHub() async throws -> [(command: String, lines: [String])] {
        let shown =
            Self.lists + [
                ["device", "show", "Lagoon"], ["config", "diff", "1"], ["history", "chart", "Lagoon"],
                ["history", "list", "Lagoon"], ["server", "test", "Garden"], ["server", "test", "Away"],
                ["device", "try", "Lagoon", "--text", #"{"MARK-ph":7.2}"#],
            ]
        return try await looking(shown + shown.map { $0 + ["--json"] })
    }

    /// The output of the owner's changes, and the errors.
    private func doingAtHub() async throws -> [(command: String, lines: [String])] {
        let (sealed, password) = (folder.path("sealed"), folder.path("password-1"))
        let passphrase = ["--passphrase-file", folder.path("passphrase")]
        return try await looking([
            ["server", "add", "--name", "Garden", "--host", "x", "--password-file", password],
            ["alerts", "test", "ntfy"], ["alerts", "test", "pushover"],
            ["server", "edit", "Away", "--no-tls"], ["device", "add", "--name", "Third", "--topic", "MARK-topic-3"],
            ["history", "export", "--out", folder.path("readings.csv")], ["config", "restore", "1"],
            ["hub", "backup", folder.path("backup")], ["server", "remove", "Away"],
            ["config", "export", sealed, "--json"] + passphrase, ["config", "export", sealed] + passphrase,
            ["config", "import", sealed, "--json"] + passphrase,
            ["config", "import", sealed, "--passphrase-file", password],
            ["config", "export", sealed, "--passphrase-file", folder.path("short")],
        ])
    }

    private static let lists = [
        ["status"], ["server", "list"], ["device", "list"], ["device", "profiles"], ["pool", "list"],
        ["limits", "show"], ["calibrate", "list"], ["alerts", "list"], ["alerts", "settings"], ["alerts", "channel"],
        ["alerts", "channel", "ntfy"], ["alerts", "channel", "pushover"], ["history", "list"],
        ["history", "size"], ["conflicts", "list"], ["config", "log"], ["config", "show"], ["watches", "list"],
        ["watches", "files", "list"], ["link", "show"],
    ]

    // MARK: - The marks

    /// The marks of the fields and secrets in the encrypted export, and of those that no configuration contains.
    private func marks(_ code: String) throws -> [Mark] {
        let path = folder.path("sealed")
        let export = try SealedExport(reading: path)
        let contents = try export.open(with: PassphraseKey(passphrase, ofExport: path), path: path)
        guard case .object(let members) = try AnyJSON.read(String(decoding: contents, as: UTF8.self)),
            case .list(let entries) = members["entries"]
        else { throw CocoaError(.coderInvalidValue) }
        #expect(
            members.keys.sorted() == [
                "entries", "hub", "passwords", "phoneSecrets", "program", "records", "revision", "signingSecrets",
                "writtenAt",
            ], "what is new in an export may be a secret: mark it")
        try expectFull(contents)
        var marks = try entries.flatMap { try fields(of: $0) }
        for section in ["passwords", "signingSecrets", "phoneSecrets"] {
            guard case .object(let secrets) = members[section] else { throw CocoaError(.coderInvalidValue) }
            #expect(!secrets.isEmpty)
            for (name, value) in secrets.sorted(by: { $0.key < $1.key }) {
                guard case .text(let secret) = value else { throw CocoaError(.coderInvalidValue) }
                marks.append(Mark("\(section)/\(name)", .secret, secret))
            }
        }
        marks.append(Mark("the passphrase", .secret, passphrase))
        marks.append(Mark("the payload of a device", .hubOnly, "MARK-payload"))
        marks += ["ca", "cert", "key"].map { Mark("the file of \($0)", .secret, "MARK-contents-\($0)") }
        marks.append(Mark("the secret of the invitation", .secret, String(code.split(separator: "-")[3])))
        return try marks + keys()
    }

    /// The keys of the hub and of the watch, as bytes and as digits.
    private func keys() throws -> [Mark] {
        let names = ["hub/hub.key.secret", "hub.keys/secrets.key.secret", "watches/Kitchen/watch.key.secret"]
        let others = [
            "hub/secrets.sealed.secret", "hub/shares.secret", "watches/Kitchen/hub.secret",
            "watches/Kitchen/notices.secret", "watches/Kitchen/shelf.secret",
        ]
        let found = try files(in: folder.path("state")).filter { $0.hasSuffix(".secret") }
        #expect(
            found.map { String($0.dropFirst(folder.path("state").count + 1)) }.sorted() == (names + others).sorted(),
            "a file of a new kind: mark what is secret in it")
        return try names.flatMap { name in
            let bytes = Array(try Data(contentsOf: URL(filePath: folder.path("state/\(name)"))))
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return [Mark(name, .secret, bytes), Mark("\(name) in digits", .secret, digits)]
        }
    }

    /// The marks of one entry that is only for the hub; each of its fields must have its own.
    private func fields(of entry: AnyJSON) throws -> [Mark] {
        guard case .object(let members) = entry, case .text(let kind) = members["kind"],
            case .text(let group) = members["group"], case .text(let value) = members["value"]
        else { throw CocoaError(.coderInvalidValue) }
        guard !Self.seenByWatches.contains("\(kind)/\(group)") else { return [] }
        return try AnyJSON.read(value).leaves("\(kind)/\(group)").flatMap { path, value -> [Mark] in
            let text =
                switch value {
                case .text(let text): text
                case .number(let number): number.rounded() == number ? "\(Int64(number))" : "\(number)"
                default: ""
                }
            guard Self.unmarkable[path] == nil, Self.unmarkable["\(path) \(text)"] == nil else { return [] }
            if case .number = value, text.count >= 4 { return [Mark(path, .hubOnly, text)] }
            let made = text == host || text == zone ? [text] : Mark.made(in: text)
            #expect(!made.isEmpty, "\(path) is \"\(text)\", which is no mark: give it one, or say why it can have none")
            return made.map { Mark(path, .hubOnly, $0) }
        }
    }

    /// Expects that every field was set.
    private func expectFull(_ contents: [UInt8]) throws {
        var problems: [ConfigurationProblem] = []
        let configuration = try ExportedConfiguration(contents, path: "sealed").configuration(&problems)
        #expect(problems.isEmpty)
        let unset = UnsetFields(of: configuration, comparedWith: PoolConfiguration()).paths
            .filter { Self.unset[$0] == nil }
        #expect(unset.isEmpty, "not set, so not marked: \(unset.joined(separator: ", "))")
    }

    // MARK: - The places

    private func files(in path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted().map { "\(path)/\($0)" }.filter {
            let type = try FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType
            return type == .typeRegular
        }
    }

    /// The files, and the messages that the broker received.
    private func places(_ listener: BrokerListener) throws -> [ReadablePlace] {
        func file(_ path: String, mayHold reason: @escaping (Mark) -> String?) throws -> ReadablePlace {
            ReadablePlace(path, try Data(contentsOf: URL(filePath: path)), mayHold: reason)
        }
        func files(in name: String, mayHold reason: @escaping (Mark) -> String?) throws -> [ReadablePlace] {
            try self.files(in: folder.path(name)).map { path in
                try file(path) { mark in
                    let isOwn =
                        path.hasSuffix("/state/\(mark.name)")
                        || path.hasSuffix("/backup/hub.key.secret") && mark.name == "hub/hub.key.secret"
                    return isOwn ? "the key's own file" : reason(mark)
                }
            }
        }
        let configured = { (mark: Mark) in mark.kind == .hubOnly ? "the configuration itself" : nil }
        var places = [
            try file(folder.path("watch.engine")) { _ in nil },
            try file(folder.path("hub.engine")) { $0.kind == .hubOnly ? "as its help says" : nil },
            try file(folder.path("sealed")) { _ in nil },
        ]
        places += try files(in: "state/hub", mayHold: configured)
        places += try files(in: "state/hub.keys") { _ in nil }
        places += try files(in: "state/watches") { _ in nil }
        places += try files(in: "backup", mayHold: configured)
        // All other files: exports and leftovers.
        let others = try self.files(in: folder.url.path).filter { path in
            !typed.contains(String(path.dropFirst(folder.url.path.count + 1)))
                && !places.contains { $0.name == path }
        }
        places += try others.map { try file($0) { _ in nil } }
        let published: Set = [
            "server/announcement/prefix", "pref/alerts/channels/mqtt/topic",
            // The device's model for Home Assistant.
            "device/source/type",
        ]
        places.append(
            ReadablePlace("what the hub published", listener.heard) {
                published.contains($0.name) ? "the owner had it announced" : nil
            })
        return places
    }

    /// Expects that other users cannot read the files of a killed hub.
    private func expectPrivateFiles() throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path("state")) {
            let whole = folder.path("state/\(path)")
            // The watch is running and may have removed the file.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: whole) else { continue }
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let type = attributes[.type] as? FileAttributeType
            // Access to a socket is controlled by its folder.
            #expect(mode & 0o077 == 0 || type == .typeSocket, "state/\(path) has the mode \(String(mode, radix: 8))")
        }
        for name in ["hub.engine", "watch.engine"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    /// Expects that the places contain what they should, because a search in nothing finds nothing.
    private func expectSeeing(_ places: [ReadablePlace], _ marks: [Mark]) {
        func expect(_ words: [String], in name: String) {
            let found = places.filter { $0.name.hasSuffix(name) }
            #expect(!found.isEmpty, "\(name)")
            for word in words {
                #expect(found.contains { $0.data.range(of: Data(word.utf8)) != nil }, "\(word) is not in \(name)")
            }
        }
        expect(
            [
                "Lagoon", #""kind":"raised""#, "device/", "server/", "alerts", "newest", "course",
                "a file for the watch",
            ],
            in: "/watch.engine")
        expect(["MARK-topic-1", "MARK-hook", "MARK-user-2"], in: "/hub.engine")
        expect(["MARK-prefix-1", "Lagoon"], in: "what the hub published")
        expect([host, "MARK-user-1"], in: "`server list --json`")
        // Each private field occurs in at least one place where it is allowed.
        for mark in marks where mark.kind == .hubOnly && mark.name != "the payload of a device" {
            #expect(places.contains { $0.reason(mark) != nil && mark.isIn($0.data) }, "\(mark.name)")
        }
    }
}

/// A client that publishes as a device does, and records all messages of the hub.
private final class BrokerListener: Sendable {
    private let client: Client
    private let messages = Recorder<Message>()

    init(_ broker: Broker) async throws {
        client = try Client()
        let isReady = Awaited(false)
        try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { [messages, client] event in
            switch event {
            case .connected: _ = try? client.subscribe(to: [TopicFilter("#")])
            case .subscribed: isReady.change { $0 = true }
            case .message(let message): messages.record(message)
            default: break
            }
        }
        await isReady.wait { $0 }
    }

    func publish(_ text: String, to topic: String) throws {
        try client.publish(Array(text.utf8), to: TopicName(topic))
    }

    /// All topics and payloads except those of the device.
    var heard: Data {
        let others = messages.items.filter { !$0.topic.text.hasPrefix("MARK-topic-1") }
        return Data(others.flatMap { Array($0.topic.text.utf8) + [10] + $0.payload + [10] })
    }
}
