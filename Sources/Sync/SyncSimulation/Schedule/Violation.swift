public import SyncCore

/// What a simulated run broke.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property that must hold.
    public enum Rule: String, CaseIterable, Sendable {
        /// When the faults have ended, each paired watch soon holds the hub's snapshot and the newest registers.
        case convergence
        /// A watch's revision never falls within an epoch, and it never returns to an epoch that it left.
        case monotonicReads
        /// All queues keep their bounds.
        case boundedQueues
        /// A version has one content, on whichever device.
        case oneContentPerVersion
        /// A watch that applied deltas holds, byte for byte, what a snapshot of that version has.
        case exactDeltas
        /// A watch that knows a lost history is never continued within the same epoch.
        case forkDetection
        /// The hub's stamps strictly increase, whatever its wall clock does.
        case monotonicClock
        /// What depends on a record leaves only when the record is durable.
        case durabilityOrder
        /// A register's order never goes back at a watch.
        case latestWins
        /// A device that is not paired gets no session, no snapshot and no register.
        case admission
        /// Each request of the application is answered exactly once while the hub's process runs.
        case answers
        /// No side reports a link as up through which nothing comes back.
        case reachability
        /// What a person entered is shown, was replaced by an author who had seen it, or is in the log of conflicts.
        case noSilentLoss
        /// An own edit is shown until a snapshot arrives that contains its result.
        case readYourWrites
        /// No edit and no item takes effect twice.
        case exactlyOnce
        /// An own value is never replaced by one that its author had replaced.
        case noFlicker
        /// A value never loses against one whose author had seen it.
        case noFalseConflict
        /// Items of one track arrive in the order in which they were accepted.
        case inOrder
        /// A file is what was sent, or is not there.
        case wholeFiles
        /// An edit takes effect as a whole or not at all, and each value was entered by a person.
        case atomicGroups
        /// A deleted cell comes back only when a person creates it.
        case noZombies
        /// A watch changes only what it may.
        case authority
        /// A value that lost can be restored.
        case restorable
        /// What stays at the hub is in no frame to a watch.
        case secrecy
        /// A message reaches its handler at most once, and has one outcome in time.
        case atMostOnce
        /// What the network damaged is dropped.
        case intactFrames
        /// One watch does not delay another one.
        case isolation
        /// Runs come to an end.
        case progress
        /// What is on its way or has arrived is not sent again before its time, and at rest nothing is sent at all.
        case thrift
        /// What a linked peer has not confirmed is sent again at its time.
        case timeliness
        /// A durable step has changed what it says, and nothing else.
        case history
        /// What is sent after the faults have ended arrives, is answered, and is kept.
        case delivery
    }

    /// The property.
    public var rule: Rule
    /// What was seen instead.
    public var text: String
    /// When it was seen.
    public var time: Instant

    /// One line for people.
    public var description: String {
        "\(rule.rawValue) at \(Double(time.nanoseconds / 1_000_000) / 1000) s: \(text)"
    }
}
