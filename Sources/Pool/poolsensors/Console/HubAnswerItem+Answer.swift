import CommandSupport
import PoolControl
import PoolHub
import PoolModel
import TerminalUI

extension HubAnswerItem.Outcome {
    /// What the hub says, for the person who asked.
    init(_ answer: HubReply) {
        switch answer {
        case .done(let sentence): self = .done(sentence)
        case .refused(let sentence): self = .refused(sentence)
        case .revisionMoved(let revision):
            self = .refused("the configuration is at revision \(revision) now; look at it and try again")
        case .serverHasDevices(_, let devices): self = .takesMore(devices.joined(separator: ", "))
        case .trial(_, let reason?): self = .refused(reason)
        case .trial: self = .done("the server accepts the hub")
        case .invitation(_, let seconds):
            self = .done("the invitation is valid for \(DurationText.text(.seconds(seconds)))")
        case .history(let history): self.init(history)
        case .detection(.progress(let progress)):
            if progress.isOver {
                let count = progress.offers.count
                self = .done("found \(count) \(count == 1 ? "device" : "devices") at \(progress.server)")
            } else {
                self = .done("listening to \(progress.server) for \(progress.secondsLeft) s")
            }
        case .shared(let file): self = .done("\(file.name) is on its way to watch \(file.watch)")
        case .configurationExported(let report): self = .done("wrote the configuration to \(report.path)")
        case .log, .alerts, .differences, .configurationImport, .links, .shares, .look, .state, .working:
            self = .done("")
        }
    }

    private init(_ answer: HistoryAnswer) {
        switch answer {
        case .exported(let path, let readings, _): self = .done("wrote \(readings) readings to \(path)")
        case .deletion(let readings, isDone: false): self = .takesMore("\(readings)")
        case .deletion(let readings, isDone: true): self = .done("deleted \(readings) readings")
        case .deletionGrew(let readings, _): self = .takesMore("\(readings)")
        case .backedUp(let path, let readings, _): self = .done("copied \(readings) readings to \(path)")
        case .compacted, .size, .page, .lines, .series: self = .done("")
        }
    }

    /// What went wrong on the way to the hub, or what it declined with an error.
    init(_ error: any Error) {
        self = .refused(PlainText.oneLine("\(error)"))
    }
}
