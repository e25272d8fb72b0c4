import Foundation
import Testing

@testable import Commands

@Suite struct ChildProcessTests {
    private func shell(_ script: String, environment: [String: String] = [:]) async throws -> (
        ChildProcess.End, [String]
    ) {
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        let child = try ChildProcess(
            "/bin/sh", ["-c", script], environment: environment, files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        var words: [String] = []
        for await line in lines { words.append(line) }
        return (await child.ended(), words)
    }

    @Test func `a child gets its arguments and variables, and nothing on its input`() async throws {
        let (end, words) = try await shell("read -r x; echo \"$? $A\"; exit 7", environment: ["A": "b c"])

        #expect(end == .exited(7))
        #expect(words == ["1 b c"])
    }

    @Test func `the last line of a child needs no end`() async throws {
        let (_, words) = try await shell("printf 'one\\ntwo'")

        #expect(words == ["one", "two"])
    }

    @Test(arguments: [0, 127, 128, 255] as [Int32])
    func `a child tells its whole status`(status: Int32) async throws {
        let (end, _) = try await shell("exit \(status)")

        #expect(end == .exited(status))
    }

    @Test func `a child that was ended by a signal says so`() async throws {
        let (end, _) = try await shell("kill -9 $$")

        #expect(end == .signalled(SIGKILL))
    }

    @Test func `a child obeys signals although this process ignores them`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let (end, _) = try await shell("kill -PIPE $$")

        #expect(end == .signalled(SIGPIPE))
    }

    @Test(arguments: [O_CLOEXEC, 0])
    func `a child gets none of this process's files, also of a library that lets them go on`(flag: Int32) async throws {
        let descriptor = unsafe open("/dev/null", O_RDWR | flag)
        defer { close(descriptor) }

        let (_, words) = try await shell("ls /proc/self/fd")

        #expect(!words.contains("\(descriptor)"))
    }

    @Test func `a child that does not performOrders is ended after the patience`() async throws {
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read { source.yield($0) }
        let child = try ChildProcess(
            "/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"],
            environment: ["PATH": "/bin:/usr/bin"],
            files: (nil, pipe.writingEnd, nil))
        pipe.closeWritingEnd()
        for await line in lines where line == "ready" { break }

        #expect(await child.stop(patience: .milliseconds(50)) == .signalled(SIGKILL))
    }

    @Test func `a program that is not there is named`() throws {
        let failure = try #require(throws: CommandFailure.self) {
            _ = try ChildProcess("/nowhere/x", [], environment: [:], files: (nil, nil, nil))
        }

        #expect(failure.description == "cannot start /nowhere/x: No such file or directory")
    }
}
