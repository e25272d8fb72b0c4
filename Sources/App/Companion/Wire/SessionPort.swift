import Foundation
import Platform
import WatchConnectivity

/// One session, and its delegate: what arrives goes to a handler as values.
///
/// The handler is called on the session's queue, one call at a time and in order; the session counts content as taken when
/// the handler returns.
final class SessionPort: NSObject, Sendable {
    /// What a session reports.
    enum Input: Sendable {
        /// The session is active, and whether it is reachable.
        case active(isReachable: Bool)
        /// The devices' state changed: what was refused before may go now.
        case changed(isReachable: Bool)
        /// A message that asks for a reply.
        case message(Packet, answer: @Sendable (Packet) -> Void)
        case userInfo(Packet)
        case context(Packet)
        /// A file; it is there until the handler returns.
        case file(Packet, URL)
        /// A file that was sent has ended, with the reason if it did not arrive.
        case ended(Packet, failure: String?)
        /// Content that is not of this layer, with the name of its way.
        case foreign(String)
    }

    // The session is not Sendable, because apps may subclass it; this is the module's own, which takes calls on any thread.
    private let held: Unshared<WCSession>
    private let handler: @Sendable (Input) -> Void

    /// Takes over a session; nothing happens before ``open()``.
    init(_ session: sending WCSession, handler: @escaping @Sendable (Input) -> Void) {
        held = Unshared(session)
        self.handler = handler
        super.init()
    }

    private var session: WCSession { held.value }

    /// Becomes the session's delegate, and activates it.
    func open() {
        session.delegate = self
        session.activate()
    }

    /// Takes nothing more.
    func close() {
        if session.delegate === self { session.delegate = nil }
    }

    var isReachable: Bool { session.activationState == .activated && session.isReachable }

    /// Sends a command; one of the two handlers is called, once.
    func send(
        _ packet: Packet, onReply: @escaping @Sendable (Packet?) -> Void,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        session.sendMessage(packet.dictionary, replyHandler: { onReply(Packet($0)) }, errorHandler: onFailure)
    }

    /// Queues an event.
    ///
    /// - Throws: ``CompanionError/notRunning(app:)`` while the session is not active; nothing is queued then.
    func queue(_ packet: Packet, app: String) throws(CompanionError) {
        try requireActive(app)
        session.transferUserInfo(packet.dictionary)
    }

    /// Queues a file.
    ///
    /// - Throws: As ``queue(_:app:)``.
    func queue(_ file: URL, _ packet: Packet, app: String) throws(CompanionError) {
        try requireActive(app)
        session.transferFile(file, metadata: packet.dictionary)
    }

    /// - Throws: ``CompanionError/notRunning(app:)`` while the session is not active.
    func requireActive(_ app: String) throws(CompanionError) {
        guard session.activationState == .activated else { throw .notRunning(app: app) }
    }

    /// Ends the transfers of files with this identity.
    func cancelFile(_ id: [UInt8]) {
        for transfer in session.outstandingFileTransfers
        where transfer.file.metadata.flatMap(Packet.init)?.id == id { transfer.cancel() }
    }

    /// Whether a transfer of a file with this identity is under way.
    func isSendingFile(_ id: [UInt8]) -> Bool {
        session.outstandingFileTransfers.contains { $0.file.metadata.flatMap(Packet.init)?.id == id }
    }

    /// Replaces the context.
    ///
    /// - Throws: `WCError`, such as for a watch without the app.
    func show(_ packet: Packet) throws { try session.updateApplicationContext(packet.dictionary) }

    /// The context that was sent last, even by an earlier run.
    var shown: Packet? { Packet(session.applicationContext) }

    /// The context that arrived last, even in an earlier run.
    var received: Packet? { Packet(session.receivedApplicationContext) }
}

extension SessionPort: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        if activationState == .activated { handler(.active(isReachable: session.isReachable)) }
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func sessionWatchStateDidChange(_ session: WCSession) { handler(.changed(isReachable: isReachable)) }

    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { handler(.changed(isReachable: isReachable)) }

    func sessionReachabilityDidChange(_ session: WCSession) { handler(.changed(isReachable: isReachable)) }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void
    ) {
        guard let packet = Packet(message) else { return handler(.foreign("a message")) }
        handler(.message(packet) { replyHandler($0.dictionary) })
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        handler(Packet(applicationContext).map { .context($0) } ?? .foreign("a context"))
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        handler(Packet(userInfo).map { .userInfo($0) } ?? .foreign("user info"))
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        handler(file.metadata.flatMap(Packet.init).map { .file($0, file.fileURL) } ?? .foreign("a file"))
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        guard let packet = fileTransfer.file.metadata.flatMap(Packet.init) else { return }
        handler(.ended(packet, failure: error.map { $0.localizedDescription }))
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}

/// Holds a value that is not Sendable, but may be used on any thread.
// Unchecked: the owner says why that is so.
struct Unshared<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
