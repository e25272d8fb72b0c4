import Foundation
import Platform

/// What a process has said, line by line, and how it ended.
final class ProcessOutput: Sendable {
    /// Why a line did not come.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    private struct Waiter {
        var number: Int
        var isWanted: @Sendable (String) -> Bool
        var continuation: CheckedContinuation<String, any Error>
    }

    private struct State {
        var lines: [String] = []
        /// The lines that nobody has taken yet.
        var fresh: [String] = []
        var rest: [UInt8] = []
        var isAtEnd = false
        var status: Int32?
        var lastWaiter = 0
        var waiting: [Waiter] = []
        var ending: [CheckedContinuation<Int32, Never>] = []
    }

    private let name: String
    private let state = Lock(State())

    init(_ name: String) {
        self.name = name
    }

    /// All lines so far.
    var lines: [String] { state.withLock(\.lines) }

    /// Lets nobody take the lines so far.
    func forget() { state.withLock { $0.fresh = [] } }

    /// Takes the first line that is wanted and was not taken before; waits until there is one, or the test's time is
    /// over.
    func line(where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<String, any Error>? = state.withLock { state in
                    if let index = state.fresh.firstIndex(where: isWanted) {
                        return .success(state.fresh.remove(at: index))
                    }
                    if state.isAtEnd { return .failure(missing("has ended", state.lines)) }
                    if Task.isCancelled { return .failure(missing("was not heard in time", state.lines)) }
                    state.waiting.append(Waiter(number: number, isWanted: isWanted, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let (waiter, lines) = state.withLock { state in
                let index = state.waiting.firstIndex { $0.number == number }
                return (index.map { state.waiting.remove(at: $0) }, state.lines)
            }
            waiter?.continuation.resume(throwing: missing("did not say what was awaited", lines))
        }
    }

    /// Waits until the process has ended; gives its status, negative for a signal.
    func status() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.ending.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    // MARK: - What comes

    func take(_ bytes: Data) {
        let ready = state.withLock { state -> [(Waiter, String)] in
            state.rest += bytes
            var ready: [(Waiter, String)] = []
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: state.rest[..<end], as: UTF8.self)
                state.rest.removeSubrange(...end)
                state.lines.append(line)
                if let index = state.waiting.firstIndex(where: { $0.isWanted(line) }) {
                    ready.append((state.waiting.remove(at: index), line))
                } else {
                    state.fresh.append(line)
                }
            }
            return ready
        }
        for (waiter, line) in ready { waiter.continuation.resume(returning: line) }
    }

    func finish() {
        let (waiting, lines) = state.withLock { state in
            state.isAtEnd = true
            defer { state.waiting = [] }
            return (state.waiting, state.lines)
        }
        for waiter in waiting { waiter.continuation.resume(throwing: missing("has ended", lines)) }
    }

    func exited(_ status: Int32) {
        let ending = state.withLock { state in
            state.status = status
            defer { state.ending = [] }
            return state.ending
        }
        for continuation in ending { continuation.resume(returning: status) }
    }

    private func missing(_ why: String, _ lines: [String]) -> Missing {
        Missing(description: "the \(name) \(why); it said:\n" + lines.suffix(40).joined(separator: "\n"))
    }
}
