package import Commands
import PoolControl
package import PoolHub
package import PoolModel
package import PoolWatch
package import Service

/// What the exit codes mean for a pool.
extension ExitStatus {
    /// The water needs attention.
    package static let warning = ExitStatus(rawValue: 2)
    /// The water is critical.
    package static let critical = ExitStatus(rawValue: 3)
    /// There are no current values.
    package static let notFresh = ExitStatus(rawValue: 4)
    /// There is no hub to ask, as in sysexits(3).
    package static let noHub = ExitStatus(rawValue: 69)

    /// All of them with what they mean, in their order.
    package static let meanings: [(status: ExitStatus, meaning: String)] = [
        (.success, "it worked; `status` and `watch --once`: OK"),
        (.failure, "it failed or was refused; standard error says why"),
        (.warning, "`status` and `watch --once`: warning; `history mirror --lag`: late"),
        (.critical, "`status` and `watch --once`: critical"),
        (.notFresh, "`status` and `watch --once`: not fresh, or no data"),
        (.notFound, "no such device, server, pool, watch, alert, conflict, file or dose"),
        (.unreachable, "`server test`: unreachable"),
        (.badCredentials, "`server test`: bad credentials"),
        (.tlsFailed, "`server test`: TLS failed, or is expected"),
        (.timeout, "`server test`: no answer in time"),
        (.usage, "the command line is wrong"),
        (.noHub, "no hub runs here, or the watch is not paired"),
        (.hangUp, "a screen ended because its terminal is gone"),
        (.interrupted, "a screen or a question ended by Ctrl-C"),
        (.terminated, "a screen ended by SIGTERM"),
    ]

    /// What one of them means.
    private static func meaning(of status: ExitStatus) -> String {
        meanings.first { $0.status == status }?.meaning ?? ""
    }

    /// The exit code for the state of a device.
    package init(_ headline: Headline) {
        switch headline {
        case .judged(.normal): self = .success
        case .judged(.warning): self = .warning
        case .judged(.critical): self = .critical
        case .judged(.offline), .formerly, .partlyStale, .stale, .offline, .lastKnown, .noReading, .noDevice, .waiting,
            .connecting, .linkLost, .refused:
            self = .notFresh
        case .unpaired: self = .noHub
        }
    }

    /// The table of some exit codes, for a help text.
    package static func help(_ statuses: ExitStatus...) -> String {
        (["Exit codes:"]
            + statuses.map { status in
                let number = "\(status.rawValue)"
                return "  \(number)\(String(repeating: " ", count: 5 - number.count))\(meaning(of: status))"
            })
            .joined(separator: "\n")
    }
}

extension ConfigurationError: ExitCoded {
    /// A name that belongs to nothing has a code of its own.
    package var exitStatus: ExitStatus { if case .notFound = self { .notFound } else { .failure } }
}
extension AlertMatchError: ExitCoded {
    /// A name that belongs to nothing has a code of its own.
    package var exitStatus: ExitStatus { if case .notFound = self { .notFound } else { .failure } }
}
extension ConflictNameError: ExitCoded {
    /// A name that belongs to nothing has a code of its own.
    package var exitStatus: ExitStatus { if case .notFound = self { .notFound } else { .failure } }
}
extension ReceivedFile.MatchError: ExitCoded {
    /// A name that belongs to nothing has a code of its own.
    package var exitStatus: ExitStatus { if case .missing = self { .notFound } else { .failure } }
}
extension ConfigurationExportError: ExitCoded {
    /// A file that is not there has a code of its own.
    package var exitStatus: ExitStatus { if case .missing = self { .notFound } else { .failure } }
}
extension HubRestoreError: ExitCoded {
    /// A folder that holds no backup has a code of its own.
    package var exitStatus: ExitStatus { if case .noBackup = self { .notFound } else { .failure } }
}
extension ServiceFailure: ExitCoded {
    /// A hub that does not run has a code of its own.
    package var exitStatus: ExitStatus { if case .notRunning = self { .noHub } else { .failure } }
}
extension WatchClient.Failure: ExitCoded {
    /// A watch without a hub has a code of its own.
    package var exitStatus: ExitStatus { if case .notPaired = self { .noHub } else { .failure } }
}
