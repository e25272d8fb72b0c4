import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite struct ProcessGroupLockTests {
    @Test func `a lifeline is cut when its holder ends, however that dies`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lifeline")
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read { source.yield($0) }
        // The shell holds the lock with its descriptor 9 until it ends.
        let holder = try ChildProcess(
            "/bin/sh",
            ["-c", "exec 9<>\"$1\"; flock 9; echo held; read -r x <\"$2\"", "sh", path, try folder.fifo("f")],
            environment: ["PATH": "/bin:/usr/bin"], files: (nil, pipe.writingEnd, nil))
        pipe.closeWritingEnd()
        for await line in lines where line == "held" { break }
        let cut = try ProcessGroupLock.cut(path: path)

        holder.signal(SIGKILL)

        var elements = 0
        for await _ in cut { elements += 1 }
        #expect(elements == 1)
    }

    @Test func `a lifeline whose holder is gone already is cut at once`() async throws {
        let folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: folder.path("lifeline"), contents: nil)

        var elements = 0
        for await _ in try ProcessGroupLock.cut(path: folder.path("lifeline")) { elements += 1 }

        #expect(elements == 1)
    }

    @Test func `a missing lifeline is an error`() {
        #expect(throws: CommandFailure.self) { _ = try ProcessGroupLock.cut(path: "/nowhere/lifeline") }
    }
}
