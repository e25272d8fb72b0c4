internal import Foundation
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#endif

/// A program that cannot outlive this process, with what it writes.
///
/// A shell stands guard: it waits for the end of its input, which the system closes with this process, and then ends
/// the program. It also keeps the program's number from being given to another process while this object is there.
/// When this process goes and the program is suspended, the system sends SIGHUP to both, which the guard must survive.
final class GuardedProcess: Sendable {
    private static let script = """
        trap "" HUP PIPE
        "$@" >&2 </dev/null & echo $!
        exec 2>/dev/null
        read -r _
        kill -9 $!
        wait $!
        """

    /// The program's process, not the guard's.
    let processIdentifier: Int32
    /// What the program writes to its standard output and error.
    let log: LineLog
    /// Ends with the guard, which has seen to the end of the program before.
    private let announcement: LineLog
    /// The guard waits for its closing; nil after that.
    private let guardInput: Lock<Int32?>

    private init(processIdentifier: Int32, log: LineLog, announcement: LineLog, guardInput: Int32) {
        self.processIdentifier = processIdentifier
        self.log = log
        self.announcement = announcement
        self.guardInput = Lock(guardInput)
    }

    deinit {
        release()
    }

    static func start(_ path: String, _ arguments: [String]) async throws -> GuardedProcess {
        let (input, output, error) = (try openPipe(), try openPipe(), try openPipe())
        let log = LineLog(reading: error.reading)
        let announcement = LineLog(reading: output.reading)
        do {
            defer { for end in [input.reading, output.writing, error.writing] { close(end) } }
            let guardProcess = try spawn(
                try Tool.shell.path, ["-c", script, "guard", path] + arguments,
                files: (input.reading, output.writing, error.writing))
            // It ends when `guardInput` is closed.
            Thread.detachNewThread { _ = waitForEnd(of: guardProcess) }
        } catch {
            close(input.writing)
            throw error
        }
        guard let line = await announcement.line(containing: ""), let identifier = Int32(line) else {
            close(input.writing)
            throw Tool.Failure(description: "the guard of \(path) did not start it")
        }
        return GuardedProcess(
            processIdentifier: identifier, log: log, announcement: announcement, guardInput: input.writing)
    }

    /// Sends a signal to the program.
    func signal(_ number: Int32) {
        // The number is the program's own until the guard has ended, which it does after the release only.
        guardInput.withLock { input in
            if input != nil { _ = kill(processIdentifier, number) }
        }
    }

    /// Ends the program at once, and waits until nothing is left of it.
    func end() async {
        release()
        await announcement.end()
    }

    /// Makes the guard end the program.
    private func release() {
        guardInput.withLock { input in
            if let descriptor = input.take() { close(descriptor) }
        }
    }
}
