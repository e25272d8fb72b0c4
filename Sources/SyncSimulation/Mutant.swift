package import SyncCore

/// A system with one fault of design: if the checks do not find it, they would not find such a fault in earnest.
package enum Mutant: String, CaseIterable, Sendable {
    case hubWelcomesStrangers, hubIgnoresSessions, hubIgnoresForks, hubNeedsNoRoundTrip, hubForgetsNobody
    case watchIgnoresSessions, watchIgnoresRevisions, watchIgnoresLeftEpochs, watchIgnoresOrders
    case watchTakesAnyWelcome, watchNeedsNoRoundTrip, watchGreetsWhileStoring, watchForgetsHoles
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
        case .hubAnswersEarly, .watchAcknowledgesEarly: []
        }
    }
}
