/// Something that a run may meet.
///
/// A survey in which one of these never came up has proven nothing about it.
public enum CoverageMark: Int, CaseIterable, Sendable {
    // What goes wrong on the network.
    case messageDropped, messageCut, messageDuplicated, messageHeldUp, lateMessageAtHub, lateMessageAtWatch
    case messageReplayed, partition, partitionToHub, partitionToWatch
    case connectionReset, connectionUnroutable, dialNotAdmitted
    // What goes wrong with processes, disks and clocks.
    case hubCrashed, watchCrashed, hubLostUnstored, watchLostUnstored, hubStoredUntold, hubRolledBack
    case hubStalled, watchStalled, watchStartedLate
    case hubTailKept, watchTailKept, hubTailTorn, watchTailTorn, storeTailReordered
    case hubStoreSlow, watchStoreSlow, hubStoreFailed, watchStoreFailed
    case hubWallJumped, watchWallJumped
    // Answers and events of the hub.
    case requestDone, requestChangedNothing, requestVersionMoved, requestReservedKind, requestNotStored
    case requestUnknownWatch, watchPaired, watchPairedAgain, watchUnpaired, refusedNotPaired
    case refusedInvitationVoid, refusedTakenOver, sessionLinked, sessionSilent, sessionUnroutable, sessionFarewell
    case sessionTakenOver, sessionUnpaired, committed, forked, acknowledged
    case hubDroppedForeignSession, hubDroppedGreeting
    // Retransmissions and replacements.
    case greetedAgain, contextSentAgain, registerSentAgain, registerSuperseded, creditNamedMissing
    // Snapshots that go as what has changed.
    case deltaSent, deltaStored
    // Actions and events of a watch.
    case watchLinked, watchLost, watchRefused, watchReconnected, snapshotShown, registerShown
    case watchDroppedForeignSession, watchDroppedOldContext, watchDroppedOldRegister, watchDroppedOldWelcome
    case watchFollowedNewEpoch, pairingAnswered, pairingRefused
    // Changes by persons, and their results.
    case editAccepted, editUnchanged, editNotStored, editUnknownConflict, editConfirmed, editLost
    case conflictNewest, conflictOwner, conflictDeleted, conflictUnseen, conflictTogether, conflictReadOnly
    case conflictInvalid, conflictLostInRestore, conflictDeletionLostInRestore
    case conflictRestoredByHub, conflictRestoredByWatch, conflictPutAside, settlingUnknown
    case uploadsTaken, uploadsContradicted, clockSuspect, sessionContradicted
    // User info.
    case itemAccepted, itemAcceptedUrgent, itemTooLarge, itemQueueFull, itemNotStored, itemUnknown, itemUnderWay
    case itemCancelled, itemReceived, itemToldAgain, itemDelivered, itemsLost, itemAhead, inboxFull
    case exchangeDroppedFrame, exchangeDroppedOld, transferUnknownWatch
    // Live messages.
    case messageHandled, messageIgnored, messageReplied, messageDelivered, messageNotReachable, messageTooLarge
    case messageTooMany, messageTimedOut, messageReplyFailed, messageDeliveryFailed, messageSessionReset
    case messageUnknown, replySent, lateReply, itemsContradicted
    // Files.
    case fileAccepted, fileRefused, fileCancelled, fileReceived, fileToldAgain, fileDelivered, fileFailed, fileGivenUp
    case fileFrameDropped, fileNotStored, fileWorkFailed
    // Other faults.
    case messageDamaged, damageDropped, frameForged, frameDropped, watchRolledBack
    // The cost of one watch for the hub.
    case frameFlood, watchCutOff, sessionCutOff, hubHeardNothing, connectionClosedByHub
    // Faults of connecting.
    case socketShortage, handshakeWaited, handshakeUndecided, handshakeBrokenOff, handshakeWrongAnswer
    // Transactions that become durable together.
    case groupStored
    // Register values that travel together.
    case registersSentTogether
}

/// How often each mark came up.
public struct CoverageCounts: Hashable, Sendable {
    private var counts: [Int] = Array(repeating: 0, count: CoverageMark.allCases.count)

    /// Creates counts of nothing.
    public init() {}

    /// How often a mark came up.
    public subscript(occasion: CoverageMark) -> Int { counts[occasion.rawValue] }

    /// The marks that never came up.
    public var missed: [CoverageMark] { CoverageMark.allCases.filter { self[$0] == 0 } }

    mutating func note(_ occasion: CoverageMark, count: Int = 1) {
        counts[occasion.rawValue] += count
    }

    /// Adds the counts of another run.
    public mutating func add(_ other: CoverageCounts) {
        for position in counts.indices {
            counts[position] += other.counts[position]
        }
    }
}
