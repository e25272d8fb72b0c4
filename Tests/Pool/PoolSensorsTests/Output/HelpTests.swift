import ArgumentParser
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The help of each command on a terminal of 80 columns.
///
/// BLESS=1 in the environment rewrites the files.
@Suite struct HelpTests {
    private static let pages = HelpPage.all(of: PoolSensors.self)
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Snapshots")

    @Test(arguments: pages.map(\.name))
    func `the help is as it was agreed`(name: String) throws {
        let page = try #require(Self.pages.first { $0.name == name })
        let (shown, agreed) = try page.texts(from: PoolSensors.self, agreedIn: Self.folder)

        #expect(shown == agreed)
    }

    @Test func `no line of a help's paragraph is longer than a terminal of 80 columns`() {
        func longLines(_ command: any ParsableCommand.Type) -> [String] {
            // A paragraph of one line is broken well; one of several would have a short line after each long one.
            let paragraphs = command.configuration.discussion.split(separator: "\n\n").map { $0.split(separator: "\n") }
            let lines = paragraphs.filter { $0.count > 1 }.joined().filter { $0.count > 80 }
            return lines.map { "\(command._commandName): \($0)" }
                + command.configuration.subcommands.flatMap { longLines($0) }
        }
        #expect(longLines(PoolSensors.self) == [])
    }

    @Test func `no file is left of a command that is gone`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)

        #expect(Set(files) == Set(Self.pages.map { "\($0.name).txt" }))
    }
}
