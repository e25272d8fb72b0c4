import SyncCore

/// Tries everything that can happen in a small world, up to stated bounds.
///
/// States that were reached before, by any path, are not followed again. From each new state the world also comes to
/// rest, and what must hold at the end is checked there.
package struct SmallExhaustion: Sendable {
    /// How far to go.
    package struct Bounds: Hashable, Sendable {
        /// The operations in a row.
        package var depth = 10
        /// The messages under way at the same time.
        package var messageCount = 3
        /// The writes of persons at the hub, and at each watch.
        package var hubWriteCount = 1
        package var watchWriteCount = 1
        /// The crashes, restores and duplicates, all together.
        package var faultCount = 1
        /// The number of states after which to stop; the report says whether it was reached.
        package var stateCount = 200_000

        package init() {}
    }

    /// What was found.
    package struct Report: Sendable {
        /// The distinct states.
        package var stateCount = 0
        /// The steps between them.
        package var transitionCount = 0
        /// Whether all states within the bounds were visited.
        package var isComplete = true
        /// What broke, and how.
        package var failure: (violation: SmallViolation, operations: [SmallOperation])?
    }

    fileprivate struct Node {
        var world: SmallWorld
        var path: [SmallOperation]
        var hubWrites = 0
        var watchWrites: [Int]
        var faults = 0
    }

    private let bounds: Bounds
    private let watchCount: Int

    package init(bounds: Bounds = Bounds(), watchCount: Int = 2) {
        self.bounds = bounds
        self.watchCount = watchCount
    }

    /// Visits the states, nearest first, until all are visited or something breaks.
    ///
    /// - Parameter isStopped: Asked before each state whether to stop; then the report says that it is not complete.
    /// - Returns: What was found.
    package func run(isStopped: () -> Bool = { false }) -> Report {
        var report = Report()
        let world = SmallWorld(watchCount: watchCount, isTimeless: true)
        var frontier = [Node(world: world, path: [], watchWrites: Array(repeating: 0, count: watchCount))]
        var visited: Set<Int> = []
        for _ in 0..<bounds.depth where !frontier.isEmpty {
            var next: [Node] = []
            for node in frontier {
                guard !isStopped() else {
                    report.isComplete = false
                    return report
                }
                for step in steps(from: node) {
                    report.transitionCount += 1
                    let reached = node.after(step)
                    guard reached.world.violation != nil || visited.insert(reached.fingerprint).inserted else {
                        continue
                    }
                    report.stateCount += 1
                    var ending = reached.world
                    if let violation = ending.violation ?? ending.finish() {
                        report.failure = (violation, reached.path)
                        return report
                    }
                    guard report.stateCount < bounds.stateCount else {
                        report.isComplete = false
                        return report
                    }
                    next.append(reached)
                }
            }
            frontier = next
        }
        return report
    }

    /// What can happen next within the bounds.
    private func steps(from node: Node) -> [SmallOperation] {
        let messages = node.world.network.indices
        let watches = 0..<watchCount
        var steps = messages.map { SmallOperation.deliver($0) } + messages.map { .lose($0) }
        if node.hubWrites < bounds.hubWriteCount { steps += [.hubWrites(0), .hubDeletes(0)] }
        for watch in watches where node.watchWrites[watch] < bounds.watchWriteCount {
            steps += [.watchWrites(watch, 0), .watchDeletes(watch, 0)]
        }
        if messages.count < bounds.messageCount {
            steps += watches.flatMap { [.greet($0), .upload($0), .snapshot($0)] as [SmallOperation] }
        }
        if node.faults < bounds.faultCount {
            steps += [.hubCrashes, .hubBacksUp, .hubIsRestored, .hubPurges]
            steps += watches.flatMap {
                [.watchCrashes($0), .watchBacksUp($0), .watchIsRestored($0)] as [SmallOperation]
            }
            if messages.count < bounds.messageCount { steps += messages.map { .duplicate($0) } }
        }
        return steps
    }
}

extension SmallExhaustion.Node {
    /// The state after a step.
    fileprivate func after(_ step: SmallOperation) -> Self {
        var next = self
        next.path.append(step)
        switch step {
        case .hubWrites, .hubDeletes: next.hubWrites += 1
        case .watchWrites(let watch, _), .watchDeletes(let watch, _): next.watchWrites[watch] += 1
        case .hubCrashes, .hubIsRestored, .watchCrashes, .watchIsRestored, .duplicate: next.faults += 1
        case .hubPurges, .greet, .upload, .snapshot, .deliver, .lose, .hubSyncs, .hubBacksUp, .watchBacksUp, .skew:
            break
        }
        next.world.perform(step)
        return next
    }

    /// A number that is equal for two states only if no later event can distinguish them, apart from accidents.
    fileprivate var fingerprint: Int {
        var hasher = Hasher()
        world.hash(into: &hasher)
        hasher.combine(hubWrites)
        hasher.combine(watchWrites)
        hasher.combine(faults)
        return hasher.finalize()
    }
}

extension SmallWorld {
    /// Feeds everything that decides about later events; the order of messages on their way does not count.
    fileprivate func hash(into hasher: inout Hasher) {
        hasher.combine(hub.ledger)
        hasher.combine(hub.boot)
        hasher.combine(hub.sessions)
        hasher.combine(hub.durable)
        hasher.combine(hub.backup)
        for watch in watches {
            hasher.combine(watch.replica)
            hasher.combine(watch.session)
            hasher.combine(watch.boot)
            hasher.combine(watch.backup)
        }
        hasher.combine(network.reduce(0) { $0 &+ $1.hashValue })
    }
}
