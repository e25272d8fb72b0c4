package import SyncCore

/// What a companion stands on: a disk, an engine, a clock and a queue; real ones, or those of a simulation.
///
/// All members but ``persist(_:)`` and ``hold(_:path:)`` return at once. None may call back into the shell before it
/// has returned: they are called under its lock, ``path(of:)``, ``remove(_:)`` and ``hold(_:path:)`` excepted.
package protocol PeerEnvironment: AnyObject, Sendable {
    /// The time now.
    var moment: Moment { get }
    /// Makes a record durable; when it returns, it is.
    func persist(_ record: PeerState.Record) throws
    /// Hands a request to the engine; the calls' order is the order on the link.
    ///
    /// The answer goes to ``PeerDriver/handle(_:)`` as ``PeerState/Input/engineAnswered(_:_:)``, once; to
    /// `consumedItem`, `consumedFile` and `resultTaken` there is none.
    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag)
    /// Holds a file that the app sends, or copies it: when this has returned, the app may remove or replace it, and the
    /// process may be killed (rule R124). Called on the app's thread, before anything of the transfer is stored.
    ///
    /// - Returns: The whole, durable copy; nil if ``copyFile(_:path:)`` is to make it, or to say why it cannot be.
    func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile?
    /// Lets go of what was held of a file, if anything was.
    func letGo(_ id: RandomID)
    /// Copies a file that the app sends, from what is held of it if that is so; the outcome goes to the shell.
    ///
    /// A second copy for the same id replaces the first.
    func copyFile(_ id: RandomID, path: String)
    /// Removes a copy.
    func releaseCopy(_ file: String)
    /// Where a received file lies, for the app to move it away; nil if it is there no more. Called on the queue.
    func path(of file: FileOffer) -> String?
    /// Removes what the app left of a received file (rule R119). Called on the queue.
    func remove(_ file: FileOffer)
    /// Starts the app in the background, if the code that runs this wants it to be startable.
    func launchApp(_ reason: PeerState.LaunchReason)
    /// Ends the app's process, where the code that runs this can (rule R135).
    func endApp()
    /// Makes the directory for the watch, empty, or removes it.
    func watchDirectory(exists: Bool)
    /// The directory for the watch (phone).
    var watchDirectoryPath: String? { get }
    /// Calls ``PeerDriver/handle(_:)`` with ``PeerState/Input/timeReached`` at this instant or soon after; a later
    /// wish replaces an earlier one, nil takes it back.
    func wake(at deadline: Instant?)
    /// Runs work of the session, one at a time in this order, never on the caller's stack and never on the main thread.
    func enqueue(_ work: @escaping @Sendable () -> Void)
    /// Takes a line of the trace.
    func trace(_ event: TraceEvent)
}

extension PeerEnvironment {
    /// A process cannot end another one's app, and is not to end itself: that the app would be ended is in the trace.
    package func endApp() {}

    /// Where nothing outlives the process, a file need not be held.
    package func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? { nil }

    /// Nothing was held.
    package func letGo(_ id: RandomID) {}
}

/// What a shell calls: the session above it.
package protocol PeerApp: AnyObject, Sendable {
    /// Calls the delegate, or a handler, and says how it was taken. Called on the session's queue, one at a time.
    ///
    /// `path` is where a received file lies; nil for the other calls.
    func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling
    /// What the app sees changed from one view to the other; called on the session's queue, before the call that tells
    /// of it (rules R9, R77).
    func viewChanged(from old: SessionView, to new: SessionView)
}
