import Foundation
import TestSupport
import Testing

@testable import Commands

/// That a process which takes and says lines answers, is waited for, and is never taken for another one's end.
@Suite(.timeLimit(.minutes(1))) struct LineProcessTests {
    private func shell(_ script: String, patience: Duration = LineProcess.usualPatience) throws -> LineProcess {
        // A line for a process that has ended must not end this one.
        signal(SIGPIPE, SIG_IGN)
        return try LineProcess("/bin/sh", ["-c", script], environment: [:], patience: patience)
    }

    @Test func `each line that is told is answered, and what is no answer waits for another question`() async throws {
        let process = try shell("while read -r x; do echo \"heard $x\"; echo \"$x\"; done")
        process.tell("one")

        #expect(try await process.answer { $0 == "one" ? 1 : nil } == 1)
        #expect(try await process.answer { $0 } == "heard one")
        process.tell("two")
        #expect(try await process.answer { $0 } == "heard two")
        #expect(await process.kill() == nil)
    }

    @Test func `an end is told to who waits, and what was said before is not lost`() async throws {
        let process = try shell("echo last; exit 3")

        await #expect(throws: LineProcess.Loss.ended(.exited(3))) {
            try await process.answer { $0 == "more" ? 1 : nil }
        }
        process.tell("nobody reads this")
        #expect(try await process.answer { $0 } == "last")
        #expect(await process.kill() == .exited(3))
    }

    @Test func `an end by a signal of another one is no end by this one`() async throws {
        let process = try shell("kill -KILL $$")

        await #expect(throws: LineProcess.Loss.ended(.signalled(SIGKILL))) { try await process.answer { $0 } }
        #expect(await process.kill() == .signalled(SIGKILL))
    }

    @Test func `a process that is silent is given up, but not while it is suspended`() async throws {
        let patience = Duration.seconds(1)
        let process = try shell("read -r x; echo \"$x\"; read -r x", patience: patience)
        process.suspend()
        #expect(process.isSuspended)
        let answer = Task { try await process.answer { $0 } }
        process.tell("late")
        let silent = try shell("read -r x", patience: patience)
        await #expect(throws: LineProcess.Loss.silent(patience)) { try await silent.answer { $0 } }
        #expect(silent.end == nil)
        process.resume()

        #expect(try await answer.value == "late")
    }

    @Test func `lines can go to somebody else`() async throws {
        let (lines, source) = AsyncStream<String>.makeStream()
        let process = try LineProcess("/bin/sh", ["-c", "echo a; echo b"], environment: [:]) { source.yield($0) }
        await #expect(throws: LineProcess.Loss.ended(.exited(0))) { try await process.answer { $0 } }
        source.finish()

        #expect(await lines.reduce(into: []) { $0.append($1) } == ["a", "b"])
    }

    @Test func `a process that nobody needs is killed`() async throws {
        var process: LineProcess? = try shell("echo $$; trap '' TERM HUP; while :; do sleep 1; done")
        let number = try #require(try await process?.answer { pid_t($0) })
        process = nil

        try await poll("the end of process \(number)") { kill(number, 0) != 0 && errno == ESRCH }
    }

    @Test func `while a process is stopped its time does not run`() {
        let start = SuspendingClock.now
        let asked = start.advanced(by: .seconds(1))
        var uptime = ProcessUptime(at: start)
        func timeLeft(at seconds: Int) -> Duration {
            uptime.timeLeft(of: .seconds(10), since: asked, at: start.advanced(by: .seconds(seconds)))
        }

        #expect(timeLeft(at: 4) == .seconds(7))
        #expect(timeLeft(at: 11) == .zero)
        uptime.stop()
        #expect(timeLeft(at: 1000) == .seconds(10))
        uptime.goOn(at: start.advanced(by: .seconds(1000)))
        #expect(timeLeft(at: 1001) == .seconds(9))
        #expect(timeLeft(at: 1010) == .zero)
    }
}
