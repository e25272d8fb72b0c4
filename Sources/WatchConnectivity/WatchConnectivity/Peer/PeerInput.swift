package import SyncCore

extension PeerState {
    /// What happens to a companion.
    package enum Input: Hashable, Sendable {
        // MARK: The app, by its session

        /// The app activates its session. Without a delegate nothing happens but a note in the trace (rule R13).
        case activate(hasDelegate: Bool)
        /// The app gave its session a delegate, which may be another one: what waited for one is delivered (rule R5).
        case delegateSet
        /// The session of another watch shall become the app's (rules R22–R26); phone only.
        case leave
        /// The app sends a live message; `hasErrorHandler` tells whether anybody would learn of a failure.
        case send(MessageToken, Live, hasErrorHandler: Bool, hasDelegate: Bool)
        /// The app replaces its context. Answered by ``Output/answered(_:)`` once it is durable.
        case updateContext(Payload, hasDelegate: Bool)
        /// The app queues user info under an id that the session drew.
        case transferUserInfo(RandomID, Payload, isComplication: Bool, hasDelegate: Bool)
        /// The app queues a file of this path, under an id that the session drew; nil if it is to be copied yet.
        case transferFile(RandomID, path: String, metadata: Payload?, copy: CopiedFile? = nil, hasDelegate: Bool)
        /// The app cancels a transfer (rules R97, R98, R131).
        case cancel(RandomID)
        /// A call that was begun has returned.
        case delivered(DeliveryID, Handling)
        /// The app replies to a message that it was given, from whatever thread.
        case reply(MessageID, Payload)
        /// The app gets another state: a phone's or watch's own system decides that, or the code that tests.
        case appState(AppState)
        /// The app has high priority while it is in the background, or no longer (rule R37); until its process ends.
        case priority(Bool)
        /// The app has completed a background task.
        case backgroundTaskCompleted

        // MARK: The device

        /// The link to the counterpart opened or closed; the engine's session opens and closes before.
        case link(isOpen: Bool)
        /// The counterpart was paired, or is no longer; durable.
        case paired(Bool)
        /// This device's app was installed or removed; durable, and installed as long as nothing else is said.
        case installed(Bool)
        /// The app's complication was put on the face or taken off (watch); durable.
        case complication(isEnabled: Bool)
        /// This device was rebooted and is not unlocked yet, or is (phone, rule R41).
        case locked(Bool)
        /// This device's own app is by design without a counterpart (watch, 7019).
        case watchOnly(Bool)

        // MARK: The engine and the disk

        /// A request to the engine has its answer; nil if the link's driver ended first.
        case engineAnswered(EngineTag, TransferAnswer?)
        /// The engine tells something.
        case engineEvent(TransferEvent)
        /// The engine's driver is about to end.
        ///
        /// What it leaves unanswered may have to be handed over again. So that nothing overtakes it (rules R89 and
        /// R126), no transfer is handed over before ``engineStarted(_:)``.
        case engineEnding
        /// A new driver runs the engine, which holds this; whatever the one before was asked has its answer already.
        case engineStarted(Holdings)
        /// A copy of a file that the app sends is durable in the device's folder.
        case fileCopied(RandomID, CopiedFile)
        /// It cannot be copied (7013, 7015).
        case fileNotCopied(RandomID, WCError.Code)
        /// A record is durable.
        case persisted(Record)
        /// A record could not be made durable; nothing of it remains.
        case persistFailed(Record, reason: String)
        /// A deadline has come, or may have.
        case timeReached
    }

    /// A payload that the app gave.
    package enum Payload: Hashable, Sendable {
        /// The bytes of its property list, or the data itself.
        case bytes([UInt8])
        /// It holds what no property list holds: 7010. The key path of the culprit and its type are for the trace.
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

    /// The session's own name for a message that the app sends; the next one is greater.
    package struct MessageToken: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }
}

extension PeerState.Payload {
    /// The bytes, if they are any.
    var bytes: [UInt8] {
        guard case .bytes(let bytes) = self else { return [] }
        return bytes
    }
}
