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

    /// What a companion wants done, in this order.
    package enum Output: Hashable, Sendable {
        /// Make a record durable, then say so.
        case persist(Record)
        /// Hand a request to the engine, in this order; the answer comes by ``Input/engineAnswered(_:_:)``, except to
        /// `consumedItem`, `consumedFile` and `resultTaken`, which have none.
        case engine(EngineTag, EngineRequest)
        /// Copy a file that the app sends into the device's folder, durably, under a name that follows from the id, so
        /// that another copy for the same id replaces it.
        case copyFile(RandomID, path: String)
        /// The copy of a file is not needed any more.
        case releaseCopy(String)
        /// A file need not be held for its copying any more: its copy is recorded, or nobody wants it.
        case letGo(RandomID)
        /// Call the app, on the session's queue, if ``PeerState/begin(_:at:)`` still says so then. There is one call at
        /// a time; the next follows its return.
        case call(DeliveryID, Call)
        /// The answer to ``Input/updateContext(_:hasDelegate:)``; nil if it is accepted and durable.
        case answered(WCError.Code?)
        /// Start the app in the background: something waits for it (rules R39, R87, R105, R109, R134).
        case launchApp(LaunchReason)
        /// End the app's process, if that can be: it left a background task open (rule R135).
        case endApp
        /// Remove the phone's directory for this watch, or make it anew, empty (rule R32).
        case watchDirectory(exists: Bool)
        /// A line for the trace.
        case trace(TraceEvent)
    }

    /// What an engine is asked; each goes out in the order of the outputs.
    package enum EngineRequest: Hashable, Sendable {
        case message(Message)
        case item(Exchange.Transfer)
        case cancelItem(RandomID)
        case consumedItem(RandomID)
        case reply(MessageID, [UInt8])
        case decline(MessageID, MessageRefusal, text: String)
        /// A file whose copy is the engine's from now on; empty metadata count as none.
        case file(CopiedFile, metadata: [UInt8])
        /// By the engine's id of the transfer, which the answer to `file` told.
        case cancelFile(RandomID)
        case consumedFile(RandomID)
        case resultTaken(RandomID)
    }

    /// What the app is called with.
    package enum Call: Hashable, Sendable {
        case activationDidComplete(WCSessionActivationState, WCError.Code?)
        case didBecomeInactive
        case didDeactivate
        case watchStateDidChange
        case companionAppInstalledDidChange
        case reachabilityDidChange
        /// A message without a reply.
        case message([UInt8], isData: Bool)
        /// A message whose reply the other app awaits under this name.
        case messageWithReply(MessageID, [UInt8], isData: Bool)
        case context([UInt8])
        case userInfo([UInt8])
        /// A received file; empty metadata count as none. The shell deletes what is left at the path when the call has
        /// returned (rule R119).
        case file(FileOffer)
        /// It is no longer among the outstanding ones.
        case didFinishUserInfo(OutstandingUserInfo, WCError.Code?)
        /// It is no longer among the outstanding ones.
        case didFinishFile(OutstandingFile, WCError.Code?)
        /// The reply to a message that the app sent; nothing more comes for it.
        case replyHandler(MessageToken, [UInt8], isData: Bool)
        /// The failure of a message that the app sent. Nothing more comes for it, unless `comesAgain`: then this is the
        /// first of the two calls of ``SessionBehaviour/callsErrorHandlerTwice``.
        case errorHandler(MessageToken, WCError.Code, comesAgain: Bool)
        /// Nothing more comes for a message that the app sent, and no handler is called: it asked for no reply and was
        /// handled (rule R55), or it failed and has no error handler (rule R49).
        case messageSettled(MessageToken)
        /// Background content woke the app: it gets a task to hold until the content is delivered (rule R134).
        case backgroundTask
        /// The time for the oldest open task is over; the app is ended if it does not complete it now (rule R135).
        case backgroundTaskExpired
        /// How far a file has arrived; not a delegate's call, but in order with them.
        case fileProgress(RandomID, byteCount: UInt64, of: UInt64)
    }
}
