import CommandSupport
import PoolModel

/// A node or an app that has ended, or does not answer, although the run did not end or stop it.
struct NodeLoss: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    let description: String

    /// Its process ended by itself.
    static func ended(_ name: String, _ end: ChildProcess.End) -> NodeLoss {
        NodeLoss(description: "the process of \(name) \(end), though it was not asked to end")
    }

    /// Its process has ended, or runs and does not answer to a question.
    init(_ loss: LineProcess.Loss, of name: String, to question: String) {
        switch loss {
        case .ended(let end): self = .ended(name, end)
        case .silent(let patience):
            let time = DurationText.text(patience)
            description = "the process of \(name) has not answered to \"\(question)\" for \(time)"
        }
    }

    private init(description: String) {
        self.description = description
    }
}
