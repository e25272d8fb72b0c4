import PoolControl
import PoolModel

extension HubReply {
    /// Why the command was not carried out, in words; nil if it was.
    ///
    /// A removal that would also remove other things says which: the names of the devices, or the number of readings.
    var refusal: String? {
        switch self {
        case .refused(let sentence): sentence
        case .revisionMoved(let revision):
            "the configuration has changed to revision \(revision): check it and try again"
        case .serverHasDevices(_, let devices): devices.joined(separator: ", ")
        case .trial(_, let reason): reason
        case .history(let answer): answer.refusal
        default: nil
        }
    }

    /// What was done, in a sentence; empty if the screens show it anyway, or never ask for it.
    private var sentence: String {
        switch self {
        case .done(let sentence): sentence
        case .trial: "the server accepts the hub"
        case .invitation(_, let seconds): "the invitation is valid for \(DurationText.text(.seconds(seconds)))"
        case .history(let answer): answer.sentence
        case .detection(let progress):
            if progress.isOver {
                "found \(progress.offers.count) \(progress.offers.count == 1 ? "device" : "devices") "
                    + "at \(progress.server)"
            } else {
                "listening to \(progress.server) for \(progress.secondsLeft) s"
            }
        case .shared(let file): "\(file.name) is on its way to watch \(file.watch)"
        case .configurationExported(let report): "wrote the configuration to \(report.path)"
        case .dosed(let dose, _): "logged \(dose.amountText) \(dose.product.name)"
        default: ""
        }
    }

    /// The reply as a short message.
    var toast: ConsoleOutcome { refusal.map { .toast(.refused, $0) } ?? .toast(.done, sentence) }
}

extension HistoryAnswer {
    /// The number of readings that the person must first agree to delete; nil if nothing is to be agreed to.
    var deletionCount: Int? {
        switch self {
        case .deletion(let readings, isDone: false), .deletionGrew(let readings, _): readings
        case .deletion, .size, .page, .lines, .series, .exported, .backedUp, .compacted: nil
        }
    }

    fileprivate var refusal: String? { deletionCount.map { "\($0)" } }

    fileprivate var sentence: String {
        switch self {
        case .exported(let path, let readings, _): "wrote \(readings) readings to \(path)"
        case .deletion(let readings, isDone: true): "deleted \(readings) readings"
        case .backedUp(let path, let readings, _): "copied \(readings) readings to \(path)"
        case .deletion, .deletionGrew, .compacted, .size, .page, .lines, .series: ""
        }
    }
}
