import SyncCore

/// The names that the engine gives to reasons, as scenarios write them.
enum ScenarioRules {
    /// The rules by which values lose.
    static let names = Conflict.Rule.allCases.map(\.rawValue)
    /// The reasons for which a hub declines.
    static let refusals = Refusal.Code.allCases.map(\.rawValue)
}
