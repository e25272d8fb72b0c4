/// A key of a panel or of the whole console: its hint, and its effect.
///
/// The two stand together so that no hint can name a key without an effect.
struct KeyCommand<Target> {
    typealias Effect = (inout Target, ScreenContext) -> [ConsoleOutcome]

    let hint: KeyHint
    private let effect: Effect

    init(_ character: Character, _ action: String, unless obstacle: String? = nil, effect: @escaping Effect) {
        self.init([.character(character)], label: String(character), action, unless: obstacle, effect: effect)
    }

    init(
        _ keys: [Key], label: String, _ action: String, unless obstacle: String? = nil, effect: @escaping Effect
    ) {
        hint = KeyHint(keys: keys, label: label, action: action, obstacle: obstacle)
        self.effect = effect
    }

    /// Runs the effect, or shows why the key has none.
    func run(on target: inout Target, in context: ScreenContext) -> [ConsoleOutcome] {
        if let obstacle = hint.obstacle { return [.toast(.refused, "\(hint.label) \(hint.action): \(obstacle)")] }
        return effect(&target, context)
    }
}
