import CommandSupport
import Foundation
package import TestSupport
import Testing

/// A suite that plays a household by hand: commands, a hub and watches, each a process.
package protocol Household {
    /// Where all of them keep what they have.
    var folder: TemporaryFolder { get }
}

extension Household {
    /// Runs a command that must end well; gives its lines.
    @discardableResult
    package func run(_ arguments: String...) async throws -> [String] {
        let (end, lines) = try await Program.run(arguments, in: folder)
        #expect(end == .exited(0), "\(arguments): \(lines)")
        return lines
    }

    /// Starts the hub and waits until watches can reach it.
    package func startHub() async throws -> Program {
        let hub = try Program(["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        return hub
    }

    /// Ends programs, one after the other, as a person does.
    package func end(_ programs: Program...) async {
        for program in programs {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }
}
