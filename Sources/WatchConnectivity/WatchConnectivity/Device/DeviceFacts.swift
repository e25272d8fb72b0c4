#if Processes
    /// The facts about a device and its app that do not depend on the counterpart.
    struct DeviceFacts: Hashable, Sendable {
        /// The state of the app's process.
        var appState: PeerState.AppState
        /// Whether the app has high priority in the background.
        var hasPriority = false
        /// Whether the app is installed.
        var isInstalled: Bool
        /// Whether the app's complication is on the watch face (watch).
        var isComplicationEnabled: Bool
        /// Whether the device was rebooted and has not been unlocked since (phone).
        var isLocked: Bool
        /// Whether the app has no counterpart by design (watch).
        var isWatchOnly: Bool

        /// Takes the initial facts from a setup.
        init(_ setup: SessionSetup) {
            appState = setup.appState
            isInstalled = setup.isAppInstalled
            isComplicationEnabled = setup.isComplicationEnabled
            isLocked = setup.isLocked
            isWatchOnly = setup.isWatchOnly
        }

        /// The inputs that report the facts to a peer.
        func inputs(of role: PeerState.Role) -> [PeerState.Input] {
            switch role {
            case .phone: [.installed(isInstalled), .locked(isLocked), .appState(appState), .priority(hasPriority)]
            case .watch:
                [
                    .watchOnly(isWatchOnly), .installed(isInstalled), .complication(isEnabled: isComplicationEnabled),
                    .appState(appState), .priority(hasPriority),
                ]
            }
        }

        /// Updates the facts from an input, if it is about one of them.
        mutating func note(_ input: PeerState.Input) {
            switch input {
            case .appState(let state):
                appState = state
                if state == .notRunning { hasPriority = false }
            case .priority(let hasPriority): self.hasPriority = hasPriority
            case .installed(let isInstalled): self.isInstalled = isInstalled
            case .complication(let isEnabled): isComplicationEnabled = isEnabled
            case .locked(let isLocked): self.isLocked = isLocked
            case .watchOnly(let isWatchOnly): self.isWatchOnly = isWatchOnly
            case .activate, .delegateSet, .leave, .send, .updateContext, .transferUserInfo, .transferFile, .cancel,
                .delivered, .reply, .backgroundTaskCompleted, .backgroundTaskCompletedAgain, .chosen, .link, .paired,
                .engineAnswered, .engineEvent,
                .engineEnding,
                .engineStarted, .fileCopied, .fileNotCopied, .persisted, .persistFailed, .timeReached:
                break
            }
        }
    }
#endif
