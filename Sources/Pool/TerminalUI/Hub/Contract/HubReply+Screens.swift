import PoolControl

extension HubReply {
    /// Why the command was not carried out, in words; nil if it was.
    var refusal: String? {
        switch self {
        case .refused(let sentence): sentence
        case .revisionMoved(let revision):
            "the configuration has changed to revision \(revision): check it and try again"
        default: nil
        }
    }

    /// What was done, in a sentence; empty if the screens show it anyway, or never ask for it.
    private var sentence: String { if case .done(let sentence) = self { sentence } else { "" } }

    /// The reply as a short message.
    var toast: ConsoleOutcome { refusal.map { .toast(.refused, $0) } ?? .toast(.done, sentence) }
}
