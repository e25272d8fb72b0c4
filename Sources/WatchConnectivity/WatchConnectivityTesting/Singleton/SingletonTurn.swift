import Dispatch
import Foundation
import Platform

/// The turn of a pair to stand in for the process; one pair at a time has it.
final class SingletonTurn: Sendable {
    private struct Waiter: Sendable {
        var number: UInt64
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var isTaken = false
        var lastNumber: UInt64 = 0
        /// Those who wait for it, in order.
        var waiting: [Waiter] = []
    }

    /// The time after which a wait is reported: the waiting test itself may hold the pair that has the turn.
    private static let patience = DispatchTimeInterval.seconds(10)

    private static let state = Lock(State())

    /// The number of pairs that wait.
    static var waitingCount: Int { state.withLock(\.waiting.count) }

    private let isOver = Lock(false)

    private init() {}

    deinit {
        end()
    }

    /// Takes the turn.
    ///
    /// - Throws: If another pair has it.
    static func take() throws(SingletonInUse) -> SingletonTurn {
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        guard isFree else { throw SingletonInUse() }
        return SingletonTurn()
    }

    /// Waits for the turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    static func wait() async throws -> SingletonTurn {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) } else { reportLater(number) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard hasTurn else { throw CancellationError() }
        return SingletonTurn()
    }

    private static func reportLater(_ number: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard state.withLock({ $0.waiting.contains { $0.number == number } }) else { return }
            let words = """
                TestPair: a pair with `singleton:` has waited 10 s until an earlier one is gone. If the same test holds \
                that one, release it first.

                """
            FileHandle.standardError.write(Data(words.utf8))
        }
    }

    /// Gives the turn to the next pair that waits for it.
    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        let next = Self.state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}

/// Another pair serves the code of the process that uses `WCSession.default`.
public struct SingletonInUse: Error, CustomStringConvertible {
    /// The cause and the ways out.
    public var description: String {
        """
        another TestPair in this process was made with `singleton:` and still lives: wait for its end in an async test, \
        with `try await TestPair(singleton:)`; or put these tests into a suite with `.serialized`
        """
    }
}
