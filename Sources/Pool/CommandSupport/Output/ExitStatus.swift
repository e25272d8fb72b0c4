package import ArgumentParser
import PoolHub
package import PoolModel
import PoolWatch

/// The exit codes of the commands.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The command did what it should; the water is OK.
    case success = 0
    /// It failed, or was refused.
    case failure = 1
    /// The water needs attention.
    case warning = 2
    /// The water is critical.
    case critical = 3
    /// There are no current values.
    case notFresh = 4
    /// A name on the command line belongs to nothing.
    case notFound = 5
    /// A server cannot be reached.
    case unreachable = 6
    /// A server refused the user name or the password.
    case badCredentials = 7
    /// TLS to a server failed.
    case tlsFailed = 8
    /// A server did not answer in time.
    case timeout = 9
    /// The command line is wrong, as in sysexits(3).
    case usage = 64
    /// There is no hub to ask, as in sysexits(3).
    case noHub = 69
    /// A screen was ended because its terminal is gone.
    case hangUp = 129
    /// A screen was ended by Ctrl-C.
    case interrupted = 130
    /// A screen was ended by SIGTERM.
    case terminated = 143

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

    /// The exit code for an error.
    init(_ error: any Error) {
        switch error {
        case ConfigurationError.notFound, AlertMatchError.notFound, ConflictNameError.notFound,
            ReceivedFile.MatchError.missing, ConfigurationExportError.missing, HubRestoreError.noBackup:
            self = .notFound
        case HubClient.Failure.notRunning, WatchClient.Failure.notPaired: self = .noHub
        default: self = .failure
        }
    }

    /// What it means, for the table of all exit codes.
    package var meaning: String {
        switch self {
        case .success: "it worked; `status` and `watch --once`: OK"
        case .failure: "it failed or was refused; standard error says why"
        case .warning: "`status` and `watch --once`: warning"
        case .critical: "`status` and `watch --once`: critical"
        case .notFresh: "`status` and `watch --once`: not fresh, or no data"
        case .notFound: "no such device, server, pool, watch, alert, conflict, file or dose"
        case .unreachable: "`server test`: unreachable"
        case .badCredentials: "`server test`: bad credentials"
        case .tlsFailed: "`server test`: TLS failed, or is expected"
        case .timeout: "`server test`: no answer in time"
        case .usage: "the command line is wrong"
        case .noHub: "no hub runs here, or the watch is not paired"
        case .hangUp: "a screen ended because its terminal is gone"
        case .interrupted: "a screen or a question ended by Ctrl-C"
        case .terminated: "a screen ended by SIGTERM"
        }
    }

    /// The table of some exit codes, for a help text.
    package static func help(_ statuses: ExitStatus...) -> String {
        (["Exit codes:"]
            + statuses.map { status in
                let number = "\(status.rawValue)"
                return "  \(number)\(String(repeating: " ", count: 5 - number.count))\(status.meaning)"
            })
            .joined(separator: "\n")
    }
}

extension ExitCode {
    /// The end of a command that has printed everything.
    package init(_ status: ExitStatus) { self.init(status.rawValue) }
}
