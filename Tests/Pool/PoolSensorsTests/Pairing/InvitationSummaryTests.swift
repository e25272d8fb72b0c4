import CommandSupport
import Foundation
import Platform
import TestSupport
import Testing
import ZeroMQ

@testable import poolsensors

@Suite struct InvitationSummaryTests {
    private func summary(
        _ endpoint: String, valid: Duration = .seconds(600), file: String? = nil, addresses: [String] = []
    ) throws -> InvitationSummary {
        InvitationSummary(endpoint: try Endpoint(endpoint), valid: valid, file: file, addresses: addresses)
    }

    @Test func `the hint says what to type on the watch`() throws {
        let printed = try summary("tcp://192.168.1.20:7654", addresses: ["192.168.1.20"])
        #expect(
            printed.lines == ["Valid for 10m, for one watch. On the watch: poolsensors watch pair CODE"])
        #expect(!printed.isLocal && printed.reached == nil)
        #expect(
            try summary("tcp://192.168.1.20:7654", valid: .seconds(90), file: "c.txt").lines == [
                "Valid for 1m30s, for one watch. On the watch: poolsensors watch pair --file c.txt"
            ])
    }

    @Test(arguments: ["tcp://127.0.0.1:9000", "tcp://[::1]:9000", "tcp://localhost:9000"])
    func `a hub that listens on this machine only is told how to listen on the network`(endpoint: String) throws {
        let found = try summary(endpoint, addresses: ["192.168.1.20", "[fd00::2]"])

        #expect(found.isLocal && found.reached == nil)
        #expect(found.lines[1] == "Only a watch on this machine can use it: the hub listens at \(endpoint).")
        #expect(
            Array(found.lines[2...]) == [
                "For one on another machine, stop the hub, start it like this, and make another code:",
                "  poolsensors hub --listen 192.168.1.20:9000", "  poolsensors hub --listen [fd00::2]:9000",
            ])
        #expect(try summary(endpoint).lines.last?.hasSuffix("needs a network address.") == true)
    }

    @Test func `for a hub that is a service, the hint names the file with its settings`() throws {
        let found = InvitationSummary(
            endpoint: try Endpoint("tcp://127.0.0.1:7654"), valid: .seconds(600), file: nil,
            addresses: ["192.168.1.20"], isService: true)
        #expect(found.notes[1].contains("/etc/default/poolsensors") && found.notes[1].contains("systemctl restart"))
        #expect(found.notes[2...] == ["  POOLSENSORS_HUB_LISTEN=192.168.1.20:7654"])
    }

    @Test func `a hub at a socket is local, too`() throws {
        let found = try summary("ipc:///tmp/hub.ipc", addresses: ["192.168.1.20"])
        #expect(found.isLocal && found.lines.last == "  poolsensors hub --listen 192.168.1.20:7654")
    }

    @Test(arguments: ["tcp://0.0.0.0:7654", "tcp://[::]:7654"])
    func `a hub that listens on all addresses is reached at the first one of the machine`(endpoint: String) throws {
        let found = try summary(endpoint, addresses: ["192.168.1.20", "10.0.0.2"])

        #expect(found.reached?.text == "tcp://192.168.1.20:7654" && !found.isLocal)
        #expect(found.lines[1] == "The watch connects to tcp://192.168.1.20:7654.")
        #expect(found.lines.last == "  poolsensors pair --reach 10.0.0.2:7654")
        let unknown = try summary(endpoint)
        #expect(unknown.reached == nil && unknown.lines[1].contains("--reach ADDRESS:PORT"))
    }

    @Test func `addresses of this machine are ones that others can reach`() {
        for address in LocalAddresses.all {
            #expect(LocalAddresses.isReachable(address) && (try? Endpoint("tcp://\(address):1")) != nil, "\(address)")
        }
        for address in ["127.0.0.1", "[::1]", "169.254.1.2", "[fe80::1%eth0]"] {
            #expect(!LocalAddresses.isReachable(address), "\(address)")
        }
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
