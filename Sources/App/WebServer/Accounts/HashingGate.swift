import Platform

/// Lets two passwords be hashed at a time, and few wait: more would fill the memory.
///
/// People who are logged in, or use a known browser, have places of their own and go first; one holder has few.
actor HashingGate {
    static let runningMax = 2
    /// How many strangers wait, and how many others.
    static let waitingMax = 8
    /// The places of one holder, at work or waiting.
    static let perHolder = 2

    private struct Waiting {
        let isKnown: Bool
        let turn: CheckedContinuation<Void, Never>
    }

    private var running = 0
    private var waiting: [Waiting] = []
    private var places: [String: Int] = [:]

    /// Does the work on a thread of its own, when it is its turn.
    ///
    /// - Parameters:
    ///   - holder: Who asks for it: an address, a browser or a session.
    ///   - isKnown: Whether that is no stranger.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``Problem`` if too many wait; what the work throws.
    func perform<Result: Sendable>(
        for holder: String, isKnown: Bool, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        guard places[holder, default: 0] < Self.perHolder else {
            throw Problem.tooMany("passwords from here are being checked: try again in a few seconds", wait: 3)
        }
        let isFree = running < Self.runningMax
        guard isFree || waiting.count(where: { $0.isKnown == isKnown }) < Self.waitingMax else {
            throw Problem.tooMany("too many passwords are being checked: try again in a few seconds", wait: 5)
        }
        places[holder, default: 0] += 1
        if isFree {
            running += 1
        } else {
            // The one that leaves hands its place on, so `running` stays.
            await withCheckedContinuation { waiting.append(Waiting(isKnown: isKnown, turn: $0)) }
        }
        defer { leave(holder) }
        return try await runOnThread(stop: {}, work)
    }

    /// Whether the next stranger is turned away.
    var isFull: Bool { running >= Self.runningMax && waiting.count { !$0.isKnown } >= Self.waitingMax }

    /// How many wait.
    var waitingCount: Int { waiting.count }

    private func leave(_ holder: String) {
        places[holder] = places[holder].flatMap { $0 > 1 ? $0 - 1 : nil }
        if waiting.isEmpty {
            running -= 1
        } else {
            waiting.remove(at: waiting.firstIndex(where: \.isKnown) ?? 0).turn.resume()
        }
    }
}
