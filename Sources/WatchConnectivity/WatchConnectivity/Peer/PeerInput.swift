package import SyncCore

extension PeerState {
    /// What happens to a peer.
    package enum Input: Hashable, Sendable {
        // MARK: The app, by its session

        /// The app activates its session.
        ///
        /// Without a delegate this only writes a line to the trace.
        case activate(hasDelegate: Bool)
        /// The app set its session's delegate, perhaps a new one: content that waited for a delegate is delivered.
        case delegateSet
        /// The app is being switched to another watch; phone only.
        case leave
        /// The app sends a live message; `hasErrorHandler` says whether the app would be notified of a failure.
        case send(MessageToken, Live, hasErrorHandler: Bool, hasDelegate: Bool)
        /// The app replaces its context; the answer is ``Output/answered(_:)``, once the context is durable.
        case updateContext(Payload, hasDelegate: Bool)
        /// The app queues user info under an id that the session generated.
        case transferUserInfo(RandomID, Payload, isComplication: Bool, hasDelegate: Bool)
        /// The app queues the file at this path, under an id that the session generated; `copy` is nil if it still
        /// has to be copied.
        case transferFile(RandomID, path: String, metadata: Payload?, copy: CopiedFile? = nil, hasDelegate: Bool)
        /// The app cancels a transfer.
        case cancel(RandomID)
        /// A call that was begun has returned.
        case delivered(DeliveryID, Handling)
        /// The app replies to a message that it received, on any thread.
        case reply(MessageID, Payload)
        /// The state of the app changed: the device's own system decides that, or the code of a test.
        case appState(AppState)
        /// The app gets or loses high priority in the background; the priority ends with its process.
        case priority(Bool)
        /// The app has completed a background task.
        case backgroundTaskCompleted
        /// The app has completed a background task that it had completed before.
        case backgroundTaskCompletedAgain
        /// Whether the phone's default session is for this watch; true without this input, and on a watch.
        case chosen(Bool)

        // MARK: The device

        /// The link to the counterpart opened or closed; the engine's session opens and closes before.
        case link(isOpen: Bool)
        /// The counterpart was paired or unpaired; durable.
        case paired(Bool)
        /// This device's app was installed or removed; durable.
        ///
        /// It counts as installed by default.
        case installed(Bool)
        /// The app's complication was added to the watch face or removed from it (watch); durable.
        case complication(isEnabled: Bool)
        /// This device was rebooted and is not unlocked yet, or was unlocked (phone).
        case locked(Bool)
        /// Whether this device's app has no counterpart by design (watch, 7019).
        case watchOnly(Bool)

        // MARK: The engine and the disk

        /// The engine's answer to a request; nil if the transport ended first.
        case engineAnswered(EngineTag, TransferAnswer?)
        /// An event of the engine.
        case engineEvent(TransferEvent)
        /// The engine's transport is about to end.
        ///
        /// Requests that it leaves unanswered may have to be handed over again. So that nothing overtakes them, no
        /// transfer is handed over before ``engineStarted(_:)``.
        case engineEnding
        /// A new transport runs the engine, which has these contents; all requests to the old transport are answered.
        case engineStarted(StoredTransfers)
        /// A copy of a file that the app sends is durable in the device's folder.
        case fileCopied(RandomID, CopiedFile)
        /// The file cannot be copied (7013, 7015).
        case fileNotCopied(RandomID, WCError.Code)
        /// A record is durable.
        case persisted(Record)
        /// A record could not be made durable; nothing of it was stored.
        case persistFailed(Record, reason: String)
        /// A deadline has passed, or may have.
        case timeReached
    }

    /// A payload that the app gave.
    package enum Payload: Hashable, Sendable {
        /// The data itself, or a dictionary as it is sent, and the size in bytes that counts for the limits if that is
        /// another one: the size of the dictionary's binary property list.
        case bytes([UInt8], counted: Int? = nil)
        /// It contains a value that a property list cannot contain: 7010.
        ///
        /// The key path and the type of the value are for the trace.
        case unsupported(keyPath: String, type: String)
    }

    /// A live message.
    package struct Live: Hashable, Sendable {
        package var payload: Payload
        /// Whether it is `Data` and not a dictionary.
        package var isData: Bool
        package var wantsReply: Bool

        package init(payload: Payload, isData: Bool, wantsReply: Bool) {
            self.payload = payload
            self.isData = isData
            self.wantsReply = wantsReply
        }
    }

    /// The session's identifier of a message that the app sends; each is greater than the one before.
    package struct MessageToken: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }
}

extension PeerState.Input {
    /// The name of what the app does; nil for an input that does not come from the app's code.
    var callName: String? {
        switch self {
        case .activate: "activate"
        case .send(_, let live, _, _): live.isData ? "sendMessageData" : "sendMessage"
        case .updateContext: "updateApplicationContext"
        case .transferUserInfo(_, _, isComplication: true, _): "transferCurrentComplicationUserInfo"
        case .transferUserInfo: "transferUserInfo"
        case .transferFile: "transferFile"
        case .cancel: "cancel"
        case .reply: "a reply"
        case .backgroundTaskCompleted, .backgroundTaskCompletedAgain: "setTaskCompletedWithSnapshot"
        case .delegateSet, .leave, .delivered, .appState, .priority, .chosen, .link, .paired, .installed,
            .complication, .locked, .watchOnly, .engineAnswered, .engineEvent, .engineEnding, .engineStarted,
            .fileCopied, .fileNotCopied, .persisted, .persistFailed, .timeReached:
            nil
        }
    }
}

extension PeerState.Input {
    /// Whether the app sends something.
    var sends: Bool {
        switch self {
        case .send, .updateContext, .transferUserInfo, .transferFile: true
        default: false
        }
    }
}

extension PeerState.Payload {
    /// The bytes, if the payload can be encoded.
    var bytes: [UInt8] {
        guard case .bytes(let bytes, _) = self else { return [] }
        return bytes
    }
}
