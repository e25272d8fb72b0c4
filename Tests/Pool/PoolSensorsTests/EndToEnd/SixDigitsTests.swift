import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

/// Pairing by six digits, each side a process.
@Suite(.timeLimit(.minutes(20))) struct SixDigitsTests: Household {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a watch pairs with the six digits that the hub shows; wrong ones are counted`() async throws {
        let port = try LocalTools.freePorts(1)[0]
        let hub = try Program(["hub", "--listen", "127.0.0.1:\(port)"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        let offer = try Program(["pair", "--code", "--valid", "10m"], in: folder)
        let words = try await offer.line(containing: "On the watch: ").split(separator: " ").map(String.init)
        let (digits, address) = (words[words.count - 3], try #require(words.last))
        #expect(digits.count == 6 && offer.lines.contains(digits), "\(offer.lines)")

        let other = digits == "000000" ? "000001" : "000000"
        let wrong = try await Program.run(["watch", "pair", other, "--hub", address, "--name", "Wrist"], in: folder)
        #expect(wrong.end != .exited(0))
        #expect(wrong.lines.joined().contains("the code is wrong: 4 tries are left"), "\(wrong.lines)")
        let paired = try await run("watch", "pair", digits, "--hub", address, "--name", "Wrist")
        #expect(paired.contains { $0.contains("as \"Wrist\"") }, "\(paired)")
        #expect(await offer.ended() == .exited(0))
        #expect(offer.lines.contains("a watch has the invitation"))
        #expect(try await run("watches").contains { $0.hasPrefix("Wrist") })
        await end(hub)
    }

    @Test func `where no other machine reaches the hub, and what does not belong together, is said`() async throws {
        let hub = try await startHub()
        let table: [([String], String)] = [
            (["pair", "--code"], "which no other machine reaches: leave out --code"),
            (["pair", "--code", "--json"], "give --code alone, or --output or --json"),
            (["watch", "pair", "123456"], "six digits need the address beside them: give --hub"),
            (["watch", "pair", "psw2-x", "--hub", "127.0.0.1:1"], "--hub belongs to six digits: leave it out"),
            (["watch", "pair", "123456", "--hub", "nowhere"], "expected what `poolsensors pair --code` shows"),
        ]
        for (arguments, words) in table {
            let (end, lines) = try await Program.run(arguments, in: folder)
            #expect(end != .exited(0), "\(arguments)")
            #expect(lines.joined(separator: " ").contains(words), "\(arguments): \(lines)")
        }
        await end(hub)
    }
}
