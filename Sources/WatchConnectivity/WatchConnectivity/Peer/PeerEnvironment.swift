package import SyncCore

/// The environment of a peer: a disk, an engine, a clock and a queue, either real or simulated.
///
/// All members except ``persist(_:)`` and ``hold(_:path:)`` return at once. They are called under the driver's lock,
/// except ``path(of:)``, ``remove(_:)`` and ``hold(_:path:)``; so none of them may call back into the driver before
/// it has returned.
package protocol PeerEnvironment: AnyObject, Sendable {
    /// The time now.
    var moment: Moment { get }
    /// Makes a record durable before it returns.
    func persist(_ record: PeerState.Record) throws
    /// Sends a request to the engine; requests reach the link in the order of the calls.
    ///
    /// The answer goes to ``PeerDriver/handle(_:)`` as ``PeerState/Input/engineAnswered(_:_:)``, once. There is none
    /// for `consumedItem`, `consumedFile` and `resultTaken`.
    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag)
    /// Holds or copies a file that the app sends: after the return, the app may remove or replace the file, and the
    /// process may be killed.
    ///
    /// Called on the app's thread, before anything of the transfer is stored.
    ///
    /// - Returns: The complete, durable copy; nil if ``copyFile(_:path:)`` has to make it, or to report why it
    ///   cannot.
    func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile?
    /// Releases what is held of a file, if anything is.
    func releaseOriginal(_ id: RandomID)
    /// Copies a file that the app sends, from the held file if there is one; the driver gets the result.
    ///
    /// A second copy for the same id replaces the first.
    func copyFile(_ id: RandomID, path: String)
    /// Removes a copy.
    func releaseCopy(_ file: String)
    /// The path of a received file, so that the app can move it; nil if it is not there any more.
    ///
    /// Called on the queue.
    func path(of file: FileOffer) -> String?
    /// Removes what the app left of a received file.
    ///
    /// Called on the queue.
    func remove(_ file: FileOffer)
    /// Starts the app in the background, if the code that runs this supports that.
    func launchApp(_ reason: PeerState.LaunchReason)
    /// Suspends the app, if it is still in the background and the code that runs this can do so.
    func suspendApp()
    /// Ends the app's process, if the code that runs this can do so.
    func endApp()
    /// Creates the directory for the watch, empty, or removes it.
    func watchDirectory(exists: Bool)
    /// The path of the directory for the watch (phone).
    var watchDirectoryPath: String? { get }
    /// Calls ``PeerDriver/handle(_:)`` with ``PeerState/Input/timeReached`` at this instant or soon after.
    ///
    /// A later call replaces the instant; nil removes it.
    func wake(at deadline: Instant?)
    /// Runs work of the session, one at a time and in order, never on the caller's stack and never on the main
    /// thread.
    func enqueue(_ work: @escaping @Sendable () -> Void)
    /// Writes a line to the trace.
    func trace(_ event: TraceEvent)
}

extension PeerEnvironment {
    /// Does nothing: there is no system that suspends apps.
    package func suspendApp() {}

    /// Does nothing: a process cannot end another app's process, and should not end its own.
    ///
    /// The trace has a warning instead.
    package func endApp() {}

    /// Holds nothing: without a store, nothing has to survive the end of the process.
    package func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? { nil }

    /// Does nothing, because nothing is held.
    package func releaseOriginal(_ id: RandomID) {}
}

/// What a peer driver calls: the app's side of it.
package protocol PeerApp: AnyObject, Sendable {
    /// Calls the delegate or a handler, and returns how it was handled.
    ///
    /// Called on the session's queue, one at a time.
    ///
    /// `path` is the path of a received file; nil for all other calls.
    func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling
    /// The app's view of the session changed; called on the session's queue, before the call that reports the change.
    func viewChanged(from old: SessionView, to new: SessionView)
}
