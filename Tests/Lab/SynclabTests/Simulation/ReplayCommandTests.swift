import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

/// What `replay` says of a schedule to the program that started it.
@Suite struct ReplayCommandTests {
    @Test(arguments: [(200_000, 0), (100, 1)] as [(Int, Int32)])
    func `replay ends with 1 for a schedule that breaks a rule, and with 0 for another one`(
        stepLimit: Int, status: Int32
    ) async throws {
        let folder = try TemporaryFolder()
        let schedule = #"{"seed": "0", "watches": 1, "options": {"chaos": "1s", "stepLimit": \#(stepLimit)}}"#
        try write(Data(schedule.utf8), to: folder.path("x.json"))

        let (end, lines) = try await Program.run(
            ["replay", folder.path("x.json"), "--until", "0s"], in: folder, program: Program.laboratory)

        #expect(end == .exited(status), "\(lines)")
        #expect(lines.contains { $0.contains("the engines never come to rest") } == (status == 1))
    }
}
