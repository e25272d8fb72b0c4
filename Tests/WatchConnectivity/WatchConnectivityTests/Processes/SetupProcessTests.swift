import Foundation
import TestSupport
import Testing

/// Which device a process is, and what cannot be one.
@Suite(.timeLimit(.minutes(20)))
struct SetupProcessTests {
    private let world: AppWorld

    init() throws {
        world = try AppWorld()
    }

    // T11
    @Test func `without any set-up the session is usable and unpaired`() async throws {
        let app = try AppProcess("app", environment: [:])
        try await app.line("ready")
        #expect(try await app.ask("activate", "activated") == "activated 2 none")
        #expect(try await app.ask("state", "state").contains("\"paired\":false"))
        app.tell("send {}")
        try await app.line("error 7005")
        #expect(try await app.ask("context {}", "contextRefused") == "contextRefused 7005")
        app.tell("info {\"n\":1}")
        try await app.line("infoFinished {\"n\":1} 7005")
        #expect(await app.end() == 0)
    }

    @Test func `an app has a folder for documents, in the home of its process`() async throws {
        for side in ["phone", "watch"] {
            let home = world.path(of: "home of \(side)")
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            let variables = ["CFFIXED_USER_HOME": home]
            let app = try await side == "phone" ? world.phone(variables) : world.watch("watch", variables)
            #expect(FileManager.default.fileExists(atPath: home + "/Documents"))
            #expect(await app.end() == 0)
        }
    }

    // R12, R58
    @Test func `a phone without a watch is activated, and says that it is unpaired`() async throws {
        let phone = try await world.phone()
        #expect(try await phone.ask("activate", "activated") == "activated 2 none")
        phone.tell("send {}")
        try await phone.line("error 7005")
        #expect(await phone.end() == 0)
    }

    // R29: the same session goes on.
    @Test func `a watch that is paired later is told to the running session`() async throws {
        let phone = try await world.phone()
        try await phone.ask("activate", "activated")
        let watch = try await world.watch()
        try await watch.ask("activate", "activated")
        try await phone.state("\"paired\":true", "\"installed\":true", "\"reachable\":true")
        phone.tell("ask {}")
        try await phone.line("reply {\"echo\":{}}")
        #expect(!phone.lines.contains { $0.hasPrefix("inactive") })
    }

    @Test func `a second process on the same folder is refused in clear words`() async throws {
        let (phone, watch) = try await world.both()
        let trace = world.path(of: "trace")
        let second = try await world.phone([
            "WATCHCONNECTIVITY_MEETING": world.path(of: "elsewhere"), "WATCHCONNECTIVITY_TRACE": trace,
        ])
        #expect(try await second.ask("activate", "activated").hasPrefix("activated 0 70"))
        let text = try String(contentsOfFile: trace, encoding: .utf8)
        #expect(text.contains("is in use by process"))
        phone.tell("ask {}")
        try await phone.line("reply {\"echo\":{}}")
        #expect(await watch.end() == 0)
    }

    @Test func `what is wrong with the variables is on the standard error at the first use`() throws {
        let missing = world.path(of: "nowhere/phone")
        let cases: [(variables: [String: String], line: String)] = [
            (
                ["SIDE": "phone", "STATE": missing],
                "WATCHCONNECTIVITY_STATE cannot be \"\(missing)\": there is no folder \(world.path(of: "nowhere")); "
                    + "create it, or choose another path."
            ),
            (
                ["SIDE": "phone", "STATE": world.path(of: "phone"), "INVITATION_FILE": missing],
                "WATCHCONNECTIVITY_INVITATION_FILE cannot be \"\(missing)\": there is no folder "
                    + "\(world.path(of: "nowhere")); create it, or choose another path."
            ),
            (
                ["SIDE": "watch", "STATE": world.path(of: "watch"), "INVITATION": "secret"],
                "WATCHCONNECTIVITY_INVITATION cannot be \"…\": give the whole code that the phone wrote."
            ),
            (
                ["SIDE": "tablet", "STATE": world.path(of: "phone")],
                "WATCHCONNECTIVITY_SIDE cannot be \"tablet\": write phone or watch."
            ),
            (
                ["STATE": world.path(of: "phone")],
                "WATCHCONNECTIVITY_SIDE is not set: set it, or none of the variables for an unpaired session."
            ),
            (
                ["SIDE": "phone", "STATE": world.path(of: "phone"), "TRACE": missing],
                "WATCHCONNECTIVITY_TRACE cannot be \"\(missing)\": name a file that can be written, in a folder that "
                    + "exists, or stderr."
            ),
            (["SIED": "phone"], "WATCHCONNECTIVITY_SIED has no effect: the variables are WATCHCONNECTIVITY_SIDE, "),
        ]
        for (variables, line) in cases {
            let errors = try standardError(of: variables)
            #expect(errors.hasPrefix("WatchConnectivity: \(line)"), "\(variables): \(errors)")
            #expect(errors.split(separator: "\n").count == 1)
        }
        #expect(try standardError(of: ["SIDE": "phone", "STATE": world.path(of: "phone")]) == "")
    }

    /// What an app's process that only uses its session prints to its standard error.
    private func standardError(of variables: [String: String]) throws -> String {
        let process = Process()
        process.executableURL = AppBuild.present.program
        // What else is set stays: a sanitizer's options, for one.
        let others = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WATCHCONNECTIVITY_") }
        let named = variables.map { ("WATCHCONNECTIVITY_" + $0.key, $0.value) }
        process.environment = others.merging(named) { $1 }
        let errors = Pipe()
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a damaged store is refused and left as it is`() async throws {
        let (phone, _) = try await world.both()
        await phone.end()
        let file = world.path(of: "phone/companion-1/keyed.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[100..<min(4000, bytes.count)] = Data(repeating: 7, count: min(4000, bytes.count) - 100)
        try bytes.write(to: URL(filePath: file))
        let trace = world.path(of: "trace")
        let again = try await world.phone(["WATCHCONNECTIVITY_TRACE": trace])
        #expect(try await again.ask("activate", "activated").hasPrefix("activated 0 70"))
        #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("is damaged"))
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
    }

    @Test func `a watch pairs by a code that the phone wrote`() async throws {
        let file = world.path(of: "code")
        let nowhere = ["WATCHCONNECTIVITY_MEETING": ""]
        let phone = try await world.phone(["WATCHCONNECTIVITY_INVITATION_FILE": file].merging(nowhere) { $1 })
        try await phone.ask("activate", "activated")
        let code = try await text(of: file)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let watch = try await world.watch("watch", ["WATCHCONNECTIVITY_INVITATION": code].merging(nowhere) { $1 })
        try await watch.ask("activate", "activated")
        try await phone.state("\"paired\":true", "\"reachable\":true")
        watch.tell("ask {}")
        try await watch.line("reply {\"echo\":{}}")
        // The code is used up; the file has the one for the next watch.
        try await poll("a new code") { try await text(of: file) != code }
    }

    // R157
    @Test func `an app invites, pairs and unpairs by itself`() async throws {
        let nowhere = ["WATCHCONNECTIVITY_MEETING": ""]
        let phone = try await world.phone(nowhere)
        let watch = try await world.watch("watch", nowhere)
        for app in [phone, watch] { try await app.ask("activate", "activated") }
        #expect(try await watch.ask("invite", "pairingFailed").contains("only a phone"))
        let code = try await phone.ask("invite", "code").dropFirst("code ".count)
        try await watch.ask("pair \(code)", "paired")
        try await phone.state("\"paired\":true", "\"reachable\":true")
        try await watch.state("\"companion\":true")
        try await phone.ask("unpair watch", "unpaired")
        try await phone.state("\"paired\":false")
        #expect(try await watch.ask("watches", "watches") == "watches phone")
        try await watch.ask("unpair phone", "unpaired")
        try await watch.state("\"companion\":false")
        phone.tell("send {}")
        try await phone.line("error 7005")
        // The next code pairs them anew.
        let next = try await phone.ask("invite", "code").dropFirst("code ".count)
        try await watch.ask("pair \(next)", "paired")
        try await phone.state("\"paired\":true", "\"reachable\":true")
        try await phone.ask("info {\"n\":1}", "infoTaken")
        try await watch.line("info {\"n\":1}")
    }

    @Test func `with patience the first use of the session finds the counterpart`() async throws {
        let patient = ["WATCHCONNECTIVITY_PATIENCE": "30s"]
        async let starting = world.phone(patient)
        let watch = try await world.watch("watch", patient)
        let phone = try await starting
        try await phone.ask("activate", "activated")
        try await watch.ask("activate", "activated")
        #expect(try await phone.ask("state", "state").contains("\"installed\":true"))
        #expect(try await watch.ask("state", "state").contains("\"companion\":true"))
    }

    // R21–R27: each watch has its own session, contexts and queues.
    @Test func `an app switches between two watches`() async throws {
        let (phone, first) = try await world.both()
        let second = try await world.watch("second")
        try await second.ask("activate", "activated")
        try await second.state("\"companion\":true")
        try await phone.ask("context {\"for\":\"first\"}", "contextTaken")
        try await first.line("context {\"for\":\"first\"}")
        phone.tell("switch second")
        try await phone.line("inactive")
        try await phone.line("deactivated")
        phone.tell("send {}")
        try await phone.line("error 7004")
        try await phone.ask("activate", "activated")
        try await phone.state("\"installed\":true", "\"reachable\":true")
        #expect(try await phone.ask("sent", "sent") == "sent {}")
        phone.tell("ask {\"n\":2}")
        try await second.line("question {\"n\":2}")
        // The first watch's own session goes on (R21).
        try await first.ask("info {\"n\":1}", "infoTaken")
        #expect(!phone.lines.contains("info {\"n\":1}"))
        phone.tell("switch watch")
        try await phone.line("deactivated")
        try await phone.ask("activate", "activated")
        try await phone.line("info {\"n\":1}")
        #expect(try await phone.ask("sent", "sent") == "sent {\"for\":\"first\"}")
    }

    @Test func `a signal turns the phone to its next watch, and to the first one after the last`() async throws {
        let (phone, first) = try await world.both(phone: ["WATCHCONNECTIVITY_DEVICE": "signals"])
        let second = try await world.watch("second")
        try await second.ask("activate", "activated")
        try await second.state("\"companion\":true")
        for (number, watch) in [second, first].enumerated() {
            phone.send(SIGURG)
            try await phone.line("deactivated")
            try await phone.ask("activate", "activated")
            try await phone.state("\"reachable\":true")
            phone.tell("ask {\"n\":\(number)}")
            try await watch.line("question {\"n\":\(number)}")
        }
    }

    /// The contents of a file, as soon as there is one.
    private func text(of path: String) async throws -> String {
        var bytes: Data?
        try await poll(path) {
            bytes = FileManager.default.contents(atPath: path)
            return bytes != nil
        }
        return String(decoding: try #require(bytes), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
