import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

/// The programs of a home, each a process.
@Suite(.timeLimit(.minutes(20))) struct DemoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tars(_ arguments: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await Program.run(arguments, in: folder, program: Program.tars)
    }

    @Test func `T1 T14 T18 T22 the demo pairs, acts by both ways, and each command moves its motor once`() async throws
    {
        let (end, lines) = try await tars("demo", "--for", "0s")
        #expect(end == .exited(0), "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.contains("the PIN is wrong: 4 tries are left") })
        #expect(lines.contains("Coffee moved 2 times: 1 by bridge, 1 by short"))
        #expect(lines.contains("Lamp moved 3 times: 1 by bridge, 2 by short"))
        #expect(lines.contains("Each command moved its motor once."))
        #expect(
            !lines.contains { $0.contains("314159 ") && !$0.hasPrefix("$") }, "only the typed commands show the PIN")
    }

    @Test func `T44 removing a thing wipes its key at the device, too, and a scene ends with its last step`()
        async throws
    {
        let (air, state) = (folder.path("air"), folder.path("s"))
        let device = try Program(
            [
                "device", "--serial", "42", "--mode", "switch", "--folder", folder.path("d"), "--air", air, "--adv",
                "100ms",
            ],
            in: folder, program: Program.tars)
        let phone = try Program(["phone", "--air", air, "--state", state], in: folder, program: Program.tars)
        _ = try await phone.line(containing: "phone is ready")
        func succeed(_ arguments: String...) async throws {
            let (end, lines) = try await Program.run(
                arguments + ["--state", state], in: folder, program: Program.tars)
            #expect(end == .exited(0), "\(arguments): \(lines)")
        }
        func hasKey() throws -> Bool {
            try String(contentsOfFile: folder.path("d/device.json"), encoding: .utf8).contains(#""secret""#)
        }
        try await succeed("add", "Lamp", "--serial", "42", "--pin", "314159")
        #expect(try hasKey())
        try await succeed("scene", "Evening", "Lamp on", "100ms Lamp off")
        try await succeed("shortcut", "Night", "scene", "Evening")
        try await succeed("run", "Night")
        try await succeed("remove", "Lamp")
        try await poll("the device forgets its owner") { try !hasKey() }
        for program in [device, phone] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    @Test func `bad words are told with their value and the way out`() async throws {
        let table: [([String], String)] = [
            (["device", "--serial", "xyz", "--folder", "f", "--air", "a"], "xyz"),
            (["bridge", "--serial", "42", "--air", folder.path("air")], "begin it with H"),
            (["do", "Lamp", "on"], "start it with: tars phone"),
            (["do", "Lamp", "on", "--in", "2m"], "the time to live is 120 s: give 1 to 60 s"),
            (["open", "tars://delete/Lamp"], "is no link of this app"),
            (["walk", "north", "--air", folder.path("air")], "give away or home"),
            (["watch", "--name", "../x"], "without / and not beginning with a dot"),
            (["add", "Lamp"], "give one of --serial, --tasmota and --key"),
        ]
        for (arguments, words) in table {
            let (end, lines) = try await Program.run(
                arguments + (arguments[0] == "do" || arguments[0] == "open" ? ["--state", folder.path("s")] : []),
                in: folder, program: Program.tars)
            #expect(end != .exited(0), "\(arguments)")
            #expect(lines.joined(separator: " ").contains(words), "\(arguments): \(lines)")
        }
    }
}
