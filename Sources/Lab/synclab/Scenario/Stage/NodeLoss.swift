import CommandSupport
import PoolModel

/// A node that has ended, or does not answer, although the run did not end or stop it.
struct NodeLoss: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    let description: String

    /// Its process ended by itself.
    static func ended(_ name: String, _ end: ChildProcess.End) -> NodeLoss {
        NodeLoss(description: "the process of \(name) \(end), though it was not asked to end")
    }

    /// Its process runs, and does not answer.
    static func silent(_ name: String, _ question: String, for patience: Duration) -> NodeLoss {
        let time = DurationText.text(patience)
        return NodeLoss(description: "the process of \(name) has not answered to \"\(question)\" for \(time)")
    }
}
