import Foundation
import TestSupport
import Testing

/// A process of this build that takes commands and says things, a line each.
final class LineProcess: Sendable {
    /// What it said on its standard output so far.
    let lines = Recorder<String>()
    private let process = Process()
    private let input: FileHandle
    private let isOver = Awaited(false)

    /// Starts a program of this build.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // A command to a process that was just killed must not kill this one.
        _ = signal(SIGPIPE, SIG_IGN)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: own).deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        let present = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WATCHCONNECTIVITY") }
        process.environment = present.merging(environment) { $1 }
        let (commands, words) = (Pipe(), Pipe())
        process.standardInput = commands
        process.standardOutput = words
        input = commands.fileHandleForWriting
        process.terminationHandler = { [isOver] _ in isOver.change { $0 = true } }
        try process.run()
        let reading = words.fileHandleForReading
        Thread.detachNewThread { [lines] in
            var rest: [UInt8] = []
            reading.readPieces { bytes in
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.record(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
        }
    }

    func tell(_ line: String) {
        // Whether it could be written shows in what does not come.
        try? input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits for a line, the first of them or a later one.
    func says(_ line: String, times: Int = 1) async {
        await lines.wait { lines in lines.count { $0 == line } >= times }
    }

    /// Gives a command, and returns the first line after it of which there is one of these beginnings.
    func ask(_ line: String, _ beginnings: [String]) async -> String {
        let count = lines.items.count
        tell(line)
        let isWanted: @Sendable (String) -> Bool = { line in beginnings.contains { line.hasPrefix($0) } }
        await lines.wait { $0.dropFirst(count).contains(where: isWanted) }
        return lines.items.dropFirst(count).first(where: isWanted) ?? ""
    }

    func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        await isOver.wait { $0 }
    }

    /// Ends its input, and so the process.
    func end() async -> Int32 {
        try? input.close()
        await isOver.wait { $0 }
        return process.terminationStatus
    }

    deinit {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}
