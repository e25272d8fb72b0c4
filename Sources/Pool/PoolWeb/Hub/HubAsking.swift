package import PoolControl
import PoolHub

/// The way to a running hub.
package protocol HubAsking: Sendable {
    /// Asks the hub.
    ///
    /// - Throws: If no hub runs, or it does not answer.
    func ask(_ command: HubCommand) async throws -> HubReply
}

/// The hub that runs on a folder of this machine.
package struct RunningHub: HubAsking {
    /// How long the hub may take: a page waits no longer.
    private static let patience = Duration.seconds(20)

    let path: String

    /// Creates the way to the hub of a folder.
    package init(path: String) { self.path = path }

    package func ask(_ command: HubCommand) async throws -> HubReply {
        try await HubClient.performAtRunning(command, path: path, patience: Self.patience)
    }
}

extension HubCommand {
    /// Whether the page may send it.
    ///
    /// An attacker who takes over the page's server cannot ask for more than this: no file is read or written, no
    /// secret leaves the hub, no server is added or changed.
    package var isForThePage: Bool {
        switch self {
        case .look, .log, .state, .outcome, .doses, .advice, .forecast: true
        case .history(.page), .history(.series), .alerts(.report): true
        case .edited(_, _, let command): command.isEditForThePage
        case .history(.size), .history(.lines), .history(.export), .history(.delete), .history(.backUp),
            .history(.compact), .edit, .testServer, .tryServer, .invite, .unpair, .alerts(.acknowledge),
            .alerts(.snooze), .alerts(.test), .alerts(.change), .alerts(.setSigningSecret), .detection, .diff,
            .restoreRevision, .exportConfiguration, .backUp, .links, .share, .reconnect, .names:
            false
        }
    }

    /// Whether the page may send it on behalf of somebody.
    private var isEditForThePage: Bool {
        switch self {
        case .edit(let edit): edit.isForThePage
        case .invite, .unpair, .alerts(.acknowledge), .alerts(.snooze): true
        case .alerts(.report), .alerts(.test), .alerts(.change), .alerts(.setSigningSecret),
            .history, .doses, .advice, .forecast, .testServer, .tryServer, .log, .detection, .diff, .restoreRevision,
            .exportConfiguration, .backUp, .links, .share, .reconnect, .look, .outcome, .state, .names, .edited:
            false
        }
    }
}

extension HubEdit {
    /// Whether the page may send it on behalf of somebody.
    fileprivate var isForThePage: Bool {
        switch self {
        case .editDevice(_, let patch):
            // Where a device listens is not for the page.
            patch.serverID == nil && patch.topic == nil && patch.mapping == nil
        case .editPool, .replaceLimits, .addCalibration, .removeCalibration, .settle: true
        case .addServer, .editServer, .removeServer, .addDevice, .removeDevice, .selectDevice, .addPool, .removePool,
            .setLimits, .clearLimits, .applyPreset, .setHistory, .setExport, .importConfiguration:
            false
        }
    }
}
