package import SyncCore

/// A system with one fault of design: if the checks do not find it, they would not find such a fault in earnest.
package enum Mutant: String, CaseIterable, Sendable {
    case hubWelcomesStrangers, hubIgnoresSessions, hubIgnoresForks, hubNeedsNoRoundTrip, hubForgetsNobody
    case watchIgnoresSessions, watchIgnoresRevisions, watchIgnoresLeftEpochs, watchIgnoresOrders
    case watchTakesAnyWelcome, watchNeedsNoRoundTrip, watchGreetsWhileStoring, watchForgetsHoles
    case hubIgnoresBases, hubForgetsLosers, hubCreatesUnknown, hubForgetsEditIDs, hubTrustsNumbers
    case hubIgnoresAuthority, hubBelievesClocks, hubSplitsEdits, hubIgnoresGaps, hubAwaitsSlowest
    case watchMergesSentEdits, watchSeesOnlySnapshot, watchTrustsNumbers, watchKeepsNumbering, watchSalvagesNothing
    case watchForgetsConflicts, watchForgetsDeletions, watchConfirmsEarly
    case itemsAcknowledgedEarly, itemsAnsweredEarly, itemsNotRecognised, itemsRenamed, itemsTrustNumbers
    case itemsNeverRenumbered, itemsHideGaps, itemsTakenOutOfOrder, itemsMarkedApart, itemsForgetInbox
    case itemsOverfillInbox, itemsCancelledLate, budgetRefilledBackwards, budgetNotStored
    case messagesTwice, messagesTakeLateReplies, messagesOutliveSessions
    case fileDoneBeforeVerified, fileDoneBeforeDurable, fileResumesAtWritten, fileForgetsFinished, fileTakesAnyOffset
    case fileMixesMetadata, fileForgottenWhenSent, fileAcceptedBeforeDurable, fileIgnoresCredit
    case fileRemovedBeforeConsumed
    case hubReadsAnything
    /// The hub's application lets watches see what has to stay at the hub.
    case hubShowsSecrets
    /// The hub is told that a step of the transfers is durable before it is.
    case hubRecordsEarly
    /// A watch is told that a step of the transfers is durable before it is.
    case watchRecordsEarly
    /// The hub is told that a transaction is durable before it is.
    case hubAnswersEarly
    /// A watch is told that a record is durable before it is.
    case watchAcknowledgesEarly

    /// The fault of the engines, none if the fault lies in their stores.
    package var flaws: DesignFlaws {
        switch self {
        case .hubWelcomesStrangers: .hubWelcomesStrangers
        case .hubIgnoresSessions: .hubIgnoresSessions
        case .hubIgnoresForks: .hubIgnoresForks
        case .hubNeedsNoRoundTrip: .hubNeedsNoRoundTrip
        case .hubForgetsNobody: .hubForgetsNobody
        case .watchIgnoresSessions: .watchIgnoresSessions
        case .watchIgnoresRevisions: .watchIgnoresRevisions
        case .watchIgnoresLeftEpochs: .watchIgnoresLeftEpochs
        case .watchIgnoresOrders: .watchIgnoresOrders
        case .watchTakesAnyWelcome: .watchTakesAnyWelcome
        case .watchNeedsNoRoundTrip: .watchNeedsNoRoundTrip
        case .watchGreetsWhileStoring: .watchGreetsWhileStoring
        case .watchForgetsHoles: .watchForgetsHoles
        case .hubIgnoresBases: .hubIgnoresBases
        case .hubForgetsLosers: .hubForgetsLosers
        case .hubCreatesUnknown: .hubCreatesUnknown
        case .hubForgetsEditIDs: .hubForgetsEditIDs
        case .hubTrustsNumbers: .hubTrustsNumbers
        case .hubIgnoresAuthority: .hubIgnoresAuthority
        case .hubBelievesClocks: .hubBelievesClocks
        case .hubSplitsEdits: .hubSplitsEdits
        case .hubIgnoresGaps: .hubIgnoresGaps
        case .hubAwaitsSlowest: .hubAwaitsSlowest
        case .watchMergesSentEdits: .watchMergesSentEdits
        case .watchSeesOnlySnapshot: .watchSeesOnlySnapshot
        case .watchTrustsNumbers: .watchTrustsNumbers
        case .watchKeepsNumbering: .watchKeepsNumbering
        case .watchSalvagesNothing: .watchSalvagesNothing
        case .watchForgetsConflicts: .watchForgetsConflicts
        case .watchForgetsDeletions: .watchForgetsDeletions
        case .watchConfirmsEarly: .watchConfirmsEarly
        case .itemsAcknowledgedEarly: .itemsAcknowledgedEarly
        case .itemsAnsweredEarly: .itemsAnsweredEarly
        case .itemsNotRecognised: .itemsNotRecognised
        case .itemsRenamed: .itemsRenamed
        case .itemsTrustNumbers: .itemsTrustNumbers
        case .itemsNeverRenumbered: .itemsNeverRenumbered
        case .itemsHideGaps: .itemsHideGaps
        case .itemsTakenOutOfOrder: .itemsTakenOutOfOrder
        case .itemsMarkedApart: .itemsMarkedApart
        case .itemsForgetInbox: .itemsForgetInbox
        case .itemsOverfillInbox: .itemsOverfillInbox
        case .itemsCancelledLate: .itemsCancelledLate
        case .budgetRefilledBackwards: .budgetRefilledBackwards
        case .budgetNotStored: .budgetNotStored
        case .messagesTwice: .messagesTwice
        case .messagesTakeLateReplies: .messagesTakeLateReplies
        case .messagesOutliveSessions: .messagesOutliveSessions
        case .fileDoneBeforeVerified: .fileDoneBeforeVerified
        case .fileDoneBeforeDurable: .fileDoneBeforeDurable
        case .fileResumesAtWritten: .fileResumesAtWritten
        case .fileForgetsFinished: .fileForgetsFinished
        case .fileTakesAnyOffset: .fileTakesAnyOffset
        case .fileMixesMetadata: .fileMixesMetadata
        case .fileForgottenWhenSent: .fileForgottenWhenSent
        case .fileAcceptedBeforeDurable: .fileAcceptedBeforeDurable
        case .fileIgnoresCredit: .fileIgnoresCredit
        case .fileRemovedBeforeConsumed: .fileRemovedBeforeConsumed
        case .hubReadsAnything: .hubReadsAnything
        case .hubAnswersEarly, .watchAcknowledgesEarly, .hubRecordsEarly, .watchRecordsEarly, .hubShowsSecrets: []
        }
    }
}
