import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

/// The processes of a home in one folder: what the suites about them share.
protocol HomeSuite: Sendable {
    var folder: TemporaryFolder { get }
}

extension HomeSuite {
    /// Runs a command on the phone's machine to its end.
    func tars(_ arguments: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await tars(arguments)
    }

    /// Runs a command on the machine of a phone, the first or another one.
    func tars(_ arguments: [String], state: String = "s") async throws -> (end: ChildProcess.End, lines: [String]) {
        try await Program.run(arguments + ["--state", folder.path(state)], in: folder, program: Program.tars)
    }

    /// Starts a phone, and waits until it answers.
    func phone(_ arguments: String...) async throws -> Program { try await phone(arguments) }

    /// Starts a phone, the first or another one, and waits until it answers.
    func phone(_ arguments: [String], state: String = "s") async throws -> Program {
        let phone = try Program(
            ["phone", "--state", folder.path(state)] + arguments, in: folder, program: Program.tars)
        _ = try await phone.line(containing: "phone is ready")
        return phone
    }

    /// Ends processes as people do.
    func end(_ programs: Program...) async {
        for program in programs {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    /// A device whose button is pressed by a line in a pipe.
    func device(_ mode: String = "switch") throws -> (program: Program, button: FileHandle) {
        let button = folder.path("button-\(UUID().uuidString)")
        let status = unsafe mkfifo(button, 0o600)
        #expect(status == 0)
        let command =
            "exec '\(Program.tars)' device --serial 42 --mode \(mode) --pin 314159 --folder '\(folder.path("d"))' "
            + "--air '\(folder.path("air"))' --adv 100ms <'\(button)'"
        let program = try Program(["-c", command], in: folder, program: "/bin/sh")
        return (program, try #require(FileHandle(forWritingAtPath: button)))
    }

    /// The lines of the motor's log.
    var movements: [Substring] {
        let log = FileManager.default.contents(atPath: folder.path("d/motor.log")) ?? Data()
        return String(decoding: log, as: UTF8.self).split(separator: "\n")
    }

    /// Acts until the motor has moved so often: a phone that has just started hears its devices in a moment, and on a busy
    /// machine the word of a device may come later than its command waits.
    func act(_ thing: String, _ action: String, moves count: Int, state: String = "s") async throws {
        try await poll("\(thing) is \(action)") {
            if movements.count < count { _ = try await tars(["do", thing, action], state: state) }
            return movements.count == count
        }
    }

    /// Takes the phone out of range, and waits until it hears nothing.
    func walkAway() async throws {
        let (end, lines) = try await Program.run(
            ["walk", "away", "--air", folder.path("air")], in: folder, program: Program.tars)
        #expect(end == .exited(0), "\(lines)")
        try await poll("nothing is near") { try await tars("scan").lines == ["Nothing is near."] }
    }
}
