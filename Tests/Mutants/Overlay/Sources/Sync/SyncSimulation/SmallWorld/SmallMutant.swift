package import SyncCore

/// A fault of design that a small world can be given, to see that its checks notice.
///
/// Some are planted in the machines under test, some in what surrounds them here: the session, the order of durability.
package enum SmallMutant: String, CaseIterable, Sendable {
    /// The newest stamp wins, whatever its author had seen.
    case newestWinsUnseen
    /// What loses is not logged.
    case silentLoser
    /// An edit that may be on its way takes a newer value under the same name.
    case coalescesSent
    /// The hub confirms uploads in a message of their own, before the snapshot that shows them.
    case confirmsApart
    /// Messages leave before the transaction is durable.
    case sendsBeforeDurable
    /// Neither sessions nor revisions are compared.
    case ignoresSessionsAndRevisions
    /// Which uploads were taken in becomes durable apart from their effect.
    case marksApart
    /// The hub is restored without a new epoch, and never looks whether a watch knows more.
    case restoresSilently
    /// A new epoch is taken over, and the old one forgotten.
    case noSalvage
    /// Each snapshot counts as the newest.
    case ignoresRevisions
    /// An edit of a cell that the hub does not have creates it.
    case upserts
    /// The numbering of the uploads goes on in a new epoch.
    case keepsNumbering
    /// A lost past is found by the revision only.
    case comparesRevisionsOnly
    /// An edit that comes again in another numbering takes effect again.
    case forgetsEditIDs
    /// The watch compares numbers, not what they name.
    case trustsNumbersAtWatch
    /// Both ends compare numbers, not what they name.
    case trustsNumbers
    /// Messages of old sessions count.
    case ignoresSessions
    /// A session is not bound to one life of the hub.
    case sessionsOutliveHub
    /// An edit is based on the last snapshot, although the person saw an own change.
    case basesOnSnapshot
    /// A watch does not bring back conflicts that the hub has lost.
    case forgetsConflicts
    /// A watch does not notice that deleted cells are back.
    case forgetsDeletions
    /// The hub takes an edit for an old one if its watch has made a write with a later stamp.
    case ordersByStamps

    /// The part of the fault that lies in the machines.
    package var mutants: Set<Mutant> {
        switch self {
        case .newestWinsUnseen: [.hubIgnoresBases]
        case .silentLoser: [.hubForgetsLosers]
        case .coalescesSent: [.watchMergesSentEdits]
        case .ignoresSessionsAndRevisions, .ignoresRevisions: [.watchIgnoresRevisions]
        case .noSalvage: [.watchSalvagesNothing]
        case .upserts: [.hubCreatesUnknown]
        case .keepsNumbering: [.watchKeepsNumbering]
        case .comparesRevisionsOnly: [.hubComparesRevisionsOnly]
        case .forgetsEditIDs: [.hubForgetsEditIDs]
        case .trustsNumbersAtWatch: [.watchTrustsNumbers]
        case .trustsNumbers: [.watchTrustsNumbers, .hubTrustsNumbers]
        case .basesOnSnapshot: [.watchSeesOnlySnapshot]
        case .forgetsConflicts: [.watchForgetsConflicts]
        case .forgetsDeletions: [.watchForgetsDeletions]
        case .ordersByStamps: [.hubOrdersByStamps]
        case .confirmsApart, .sendsBeforeDurable, .marksApart, .restoresSilently, .ignoresSessions,
            .sessionsOutliveHub:
            []
        }
    }

    /// The fault of the run that is under way in this task or on this thread.
    @TaskLocal fileprivate static var planted: SmallMutant?

    /// Whether this fault is planted.
    var isOn: Bool { Self.planted == self }

    /// Whether a watch does not compare sessions.
    static var ignoresSession: Bool { ignoresSessions.isOn || ignoresSessionsAndRevisions.isOn }
}

extension SmallMutant? {
    /// Runs something with this fault planted, if it is one.
    package func planted<Result>(in run: () throws -> Result) rethrows -> Result {
        try SmallMutant.$planted.withValue(self) {
            try Mutant.plant(self?.mutants ?? [], in: run)
        }
    }
}
