package import SyncCore

extension PeerState {
    /// When to come back at the latest with ``Input/timeReached``.
    package var nextDeadline: Instant? {
        [
            device.statusRetryAt, contexts.retryAt, infos.retryAt, files.retryAt, drops.retryAt, messageDeadline,
            budgetDeadline, storeRetryAt, backgroundTime.deadlines.first,
        ].compactMap(\.self).min()
    }

    /// What the app sees now; outside of an active session hardly anything (rule R17).
    package var view: SessionView {
        var view = SessionView()
        view.endedProcessCount = endedProcessCount
        view.activationState = activation
        guard activation != .notActivated else { return view }
        let facts = facts
        view.hasContentPending = hasContentPending
        view.isPaired = facts.isPaired
        view.isWatchAppInstalled = facts.isCounterpartInstalled
        view.isCompanionAppInstalled = facts.isCounterpartInstalled
        view.isComplicationEnabled = facts.isComplicationEnabled
        view.remainingComplicationUserInfoTransfers = remainingComplicationCount
        view.hasWatchDirectory = role == .phone && facts.isCounterpartInstalled
        view.isReachable = facts.isReachable && activation == .activated
        view.iOSDeviceNeedsUnlockAfterRebootForReachability = role == .watch && device.counterpartNow?.isLocked == true
        view.applicationContext = contexts.own?.payload
        view.receivedApplicationContext = contexts.shown
        return view
    }

    /// The user info that is not received, failed or cancelled yet, oldest first (rules R91, R96).
    package var outstandingUserInfo: [OutstandingUserInfo] {
        guard activation != .notActivated else { return [] }
        return infos.entries.pairs.compactMap { number, entry in
            entry.isOutstanding ? outstanding(entry, number) : nil
        }
    }

    /// The files that are not received, failed or cancelled yet, oldest first (rules R91, R96).
    package var outstandingFiles: [OutstandingFile] {
        guard activation != .notActivated else { return [] }
        return files.entries.values.compactMap { $0.isOutstanding ? $0.outstanding : nil }
    }

    /// One of the outstanding user infos, nil if it no longer exists.
    package func userInfo(_ id: RandomID) -> OutstandingUserInfo? {
        guard activation != .notActivated, let number = infos.numbers[id], let entry = infos.entries[number],
            entry.isOutstanding
        else { return nil }
        return outstanding(entry, number)
    }

    /// One of the outstanding files, nil if it no longer exists.
    package func file(_ id: RandomID) -> OutstandingFile? {
        guard activation != .notActivated, let number = files.numbers[id], let entry = files.entries[number],
            entry.isOutstanding
        else { return nil }
        return entry.outstanding
    }

    /// The names of the copies that are in use; any other copy of this pairing is left from a crash.
    package var copies: Set<String> {
        Set(files.entries.values.compactMap { $0.copy?.file })
    }

    /// The files that are to be copied yet: what is held of any other is left from a crash.
    package var filesToCopy: Set<RandomID> {
        Set(files.entries.values.compactMap { $0.stage == .copying ? $0.id : nil })
    }

    /// Whether the app is being called with this, in the process in which the call began.
    package func isBegun(_ id: DeliveryID) -> Bool {
        desk.inFlight?.id == id && desk.inFlight?.isBegun == true
    }

    func outstanding(_ entry: UserInfoQueue.Entry, _ number: UInt64) -> OutstandingUserInfo {
        OutstandingUserInfo(
            id: entry.id, payload: entry.payload, isCurrentComplicationInfo: infos.current == number)
    }
}
