import Platform
import WatchConnectivity

/// The pairs of the process, and the failure of a test whose code uses the process's own session.
///
/// That is a mistake while the test has a pair: the session has no counterpart.
enum LivePairs {
    /// The pairs, and whose mistake it was.
    ///
    /// Of several tests that run at the same time, the one that made the mistake is known if the code runs in the test's
    /// task. Code on another queue may belong to any of them.
    struct Suspects<Pair: Sendable>: Sendable {
        /// Who used the process's session.
        enum Finding: Sendable {
            /// The test that runs; the pairs are its own.
            case running([Pair])
            /// The test of this pair.
            case owner(Pair)
            /// One of these tests.
            case oneOf([String])
        }

        private struct Entry: Sendable {
            let pair: Pair
            let test: RunningTest?
            /// Whether its test was found, or suspected.
            var isReported = false
        }

        private var entries: [Entry] = []

        mutating func add(_ pair: Pair, of test: RunningTest?) { entries.append(Entry(pair: pair, test: test)) }

        mutating func removeAll(where isMeant: (Pair) -> Bool) { entries.removeAll { isMeant($0.pair) } }

        /// Finds out whose code used the process's session.
        ///
        /// - Parameter test: The test in whose task the code runs.
        /// - Returns: Nil if it is nobody's mistake, or if the test was found before.
        mutating func find(_ test: RunningTest?) -> Finding? {
            guard let test else { return findElsewhere() }
            // Without pairs of its own the test may still use one that code outside of any test made.
            let owner = entries.contains { $0.test == test } ? test : nil
            let found = entries.indices.filter { entries[$0].test == owner && !entries[$0].isReported }
            for index in found { entries[index].isReported = true }
            return found.isEmpty ? nil : .running(found.map { entries[$0].pair })
        }

        /// The same for code that does not run in the task of a test.
        private mutating func findElsewhere() -> Finding? {
            let isNew = entries.contains { !$0.isReported }
            guard isNew, let last = entries.last else { return nil }
            for index in entries.indices { entries[index].isReported = true }
            let tests = Set(entries.map(\.test))
            return tests.count == 1 ? .owner(last.pair) : .oneOf(tests.compactMap { $0?.name }.sorted())
        }
    }

    private struct WeakStage: Sendable {
        weak var stage: PairRunner?
    }

    private static let mistake = """
        WCSession.default was used by code that runs as no side of a TestPair, so it is the process's own session, which \
        has no counterpart
        """
    private static let waysOut = """
        call the code in `pair.asDefault(.phone) { … }`; or, if it goes on in a queue, a timer or a detached task, make \
        the pair with `TestPair(singleton: .phone)`; or pass it `pair.phone` (for the watch, `.watch` and `pair.watch`)
        """

    private static let suspects = Lock(Suspects<WeakStage>())

    static func add(_ stage: PairRunner) {
        let test = RunningTest.current
        suspects.withLock { $0.add(WeakStage(stage: stage), of: test) }
        SessionRegistry.observeStrays { usesProcess() }
    }

    static func remove(_ stage: PairRunner) {
        suspects.withLock { suspects in suspects.removeAll { $0.stage == nil || $0.stage === stage } }
    }

    /// Code that runs as no side got the process's own session.
    private static func usesProcess() {
        let test = RunningTest.current
        switch suspects.withLock({ $0.find(test) }) {
        case nil: break
        case .running(let pairs):
            for pair in pairs { pair.stage?.noteMistake("\(mistake): \(waysOut)") }
            RunningTest.fail("\(mistake): \(waysOut)")
        case .owner(let pair):
            pair.stage?.noteMistake("\(mistake): \(waysOut)")
            pair.stage?.failLater("\(mistake): \(waysOut)")
        case .oneOf(let names):
            let tests = names.map { "`\($0)`" }.joined(separator: ", ")
            RunningTest.fail("\(mistake). It is code on another queue of one of these tests: \(tests). \(waysOut)")
        }
    }
}

extension LivePairs.Suspects.Finding: Equatable where Pair: Equatable {}
