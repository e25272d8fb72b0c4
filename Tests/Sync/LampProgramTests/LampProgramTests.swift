import Foundation
import TestSupport
import Testing

/// The page about using the engine: it shows a program, and what the program prints.
@Suite struct LampProgramTests {
    private static let source = "Tests/Repository/OutsidePackage/Sources/Lamp/main.swift"

    private let page: String

    init() throws {
        page = try String(contentsOf: Repository.url("Docs/internals/use-the-engine.md"), encoding: .utf8)
    }

    @Test func `the page shows the program that is built`() throws {
        let source = try String(contentsOf: Repository.url(Self.source), encoding: .utf8)
        #expect(blocks("swift", of: page) == [source])
    }

    @Test func `the program prints what the page says, and leaves nothing behind`() async throws {
        let folder = try TemporaryFolder()
        let run = try await Run.program("LampProgram", temporaryFolder: folder.path)
        #expect(run.status == 0)
        #expect([run.output] == blocks("text", of: page))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `only blocks of the kind are read, without their fences`() {
        let text = "```swift\na\n\nb\n```\n    c\n```text\nd\n```\n```swift\n```\n"
        #expect(blocks("swift", of: text) == ["a\n\nb\n", ""])
        #expect(blocks("text", of: text) == ["d\n"])
    }

    /// The contents of the fenced blocks of a kind.
    private func blocks(_ kind: String, of page: String) -> [String] {
        page.components(separatedBy: "```\(kind)\n").dropFirst().map { rest in
            let end = rest.hasPrefix("```") ? rest.startIndex : rest.range(of: "\n```")?.upperBound
            return String(rest[..<(end ?? rest.endIndex)]).replacing("\n```", with: "\n")
        }
    }
}

/// A program of this build that has run to its end.
private struct Run {
    var status: Int32
    var output: String

    /// Runs a program; a minute is far more than it needs, and ends one that waits for what does not come.
    static func program(_ name: String, temporaryFolder: String) async throws -> Run {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", URL(filePath: own).deletingLastPathComponent().appending(path: name).path]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporaryFolder]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: pipe.fileHandleForReading.readEverything()) }
        }
        process.waitUntilExit()
        return Run(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
