/// What a motor device answered to a command.
package enum DeviceAnswer: Hashable, Sendable {
    /// It was carried out, now or when the same id came before.
    case done
    /// It was not; the device holds nothing of it when it is ``Reason/busy``.
    case refused(Reason)
    /// It came too late.
    case expired

    /// Where the command stands by it; nil when it was done.
    package var denial: CommandStatus? {
        switch self {
        case .done: nil
        case .refused(let reason): .refused(reason)
        case .expired: .expired
        }
    }
}

extension DeviceAnswer: TextCodable {
    /// Reads an answer: `done`, `expired`, `refused busy`.
    package init(_ text: String) throws(ModelProblem) {
        if text == "done" {
            self = .done
            return
        }
        switch try CommandStatus(text) {
        case .expired: self = .expired
        case .refused(let reason): self = .refused(reason)
        case .idle, .asked, .sent, .confirmed, .unconfirmed, .unknown:
            throw ModelProblem("\(Excerpt(text)) is no answer of a device")
        }
    }

    /// The answer as programs read it.
    package var text: String { denial?.text ?? "done" }
}
