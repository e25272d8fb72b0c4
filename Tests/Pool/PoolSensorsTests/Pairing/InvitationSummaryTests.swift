import CommandSupport
import Foundation
import TestSupport
import Testing
import ZeroMQ

@testable import poolsensors

@Suite struct InvitationSummaryTests {
    @Test func `the hint says what to type on the watch`() throws {
        let endpoint = try Endpoint("tcp://127.0.0.1:7654")

        #expect(
            InvitationSummary(endpoint: endpoint, valid: .seconds(600), file: nil).lines == [
                "Holds for 10m and for one watch. On the watch: poolsensors watch pair CODE"
            ])
        #expect(
            InvitationSummary(endpoint: endpoint, valid: .seconds(90), file: "c.txt").lines == [
                "Holds for 1m30s and for one watch. On the watch: poolsensors watch pair --file c.txt"
            ])
    }

    @Test(arguments: ["tcp://0.0.0.0:7654", "tcp://[::]:7654"])
    func `an address that means every address is no place to connect to`(endpoint: String) throws {
        let lines = InvitationSummary(endpoint: try Endpoint(endpoint), valid: .seconds(1), file: nil).lines

        #expect(lines.count == 2)
        #expect(lines[1].contains("--reach tcp://ADDRESS:PORT"))
    }

    @Test func `a file with an invitation is closed to others, also if it was open before`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("code")
        _ = FileManager.default.createFile(
            atPath: path, contents: Data("a much longer text".utf8), attributes: [.posixPermissions: 0o644])

        try PrivateFile.write("code\n", to: path)

        #expect(try String(contentsOfFile: path, encoding: .utf8) == "code\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a link in place of the file is not followed`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("code"), withDestinationPath: folder.path("x"))

        #expect(throws: CommandFailure.self) { try PrivateFile.write("code\n", to: folder.path("code")) }
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }
}
