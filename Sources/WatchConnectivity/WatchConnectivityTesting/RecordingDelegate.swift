public import Foundation
public import WatchConnectivity

// Unchecked: all mutable state is protected by the lock.
/// A delegate that has all methods, replies to messages as configured, and records its calls.
///
/// It saves each received file's content in time, as an app must. Its lists may be read on any thread.
public final class RecordingDelegate: NSObject, WCSessionDelegate, @unchecked Sendable {
    // Unchecked: its metadata are a property list that never changes.
    /// A file that arrived.
    public struct ReceivedFile: @unchecked Sendable {
        /// The last component of its path.
        public let name: String
        /// Its bytes; nil if it could not be read.
        public let content: Data?
        /// The metadata sent with it.
        public let metadata: [String: Any]?
    }

    // Unchecked: all of this is protected by the lock; the dictionaries are property lists that never change.
    private struct Record {
        var calls: [String] = []
        var activationStates: [WCSessionActivationState] = []
        var messages: [[String: Any]] = []
        var messageData: [Data] = []
        var contexts: [[String: Any]] = []
        var userInfos: [[String: Any]] = []
        var files: [ReceivedFile] = []
        var finishedUserInfos: [(userInfo: [String: Any], error: (any Error)?)] = []
        var finishedFiles: [(name: String, error: (any Error)?)] = []
        var answer: (@Sendable ([String: Any]) -> [String: Any]?)?
        var answerToData: (@Sendable (Data) -> Data?)?
        var onCall: (@Sendable (WCSession, String) -> Void)?
    }

    private let lock = NSLock()
    private var record = Record()

    private func read<Value>(_ path: KeyPath<Record, Value>) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return record[keyPath: path]
    }

    private func write(_ change: (inout Record) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        change(&record)
    }

    private func called(_ name: String, _ session: WCSession, _ change: (inout Record) -> Void = { _ in }) {
        write { record in
            record.calls.append(name)
            change(&record)
        }
        read(\.onCall)?(session, name)
    }

    // MARK: - Recorded calls

    /// The names of the methods that were called, in order, for example `didReceiveUserInfo`.
    public var calls: [String] { read(\.calls) }
    /// The states after activations.
    public var activationStates: [WCSessionActivationState] { read(\.activationStates) }
    /// The messages, with and without a reply.
    public var messages: [[String: Any]] { read(\.messages) }
    /// The data messages, with and without a reply.
    public var messageData: [Data] { read(\.messageData) }
    /// The application contexts.
    public var contexts: [[String: Any]] { read(\.contexts) }
    /// The user infos.
    public var userInfos: [[String: Any]] { read(\.userInfos) }
    /// The files.
    public var files: [ReceivedFile] { read(\.files) }
    /// The finished transfers of user infos, with their errors.
    public var finishedUserInfos: [(userInfo: [String: Any], error: (any Error)?)] { read(\.finishedUserInfos) }
    /// The finished transfers of files, with their errors.
    public var finishedFiles: [(name: String, error: (any Error)?)] { read(\.finishedFiles) }

    /// Clears the recorded calls.
    public func clear() {
        write { record in
            var empty = Record()
            (empty.answer, empty.answerToData, empty.onCall) = (record.answer, record.answerToData, record.onCall)
            record = empty
        }
    }

    // MARK: - Behaviour

    /// The reply to a message that asks for one; without a closure, or if it returns nil, there is no reply.
    public var answer: (@Sendable (_ message: [String: Any]) -> [String: Any]?)? {
        get { read(\.answer) }
        set { write { $0.answer = newValue } }
    }

    /// The reply to a data message that asks for one; the same rules apply.
    public var answerToData: (@Sendable (_ message: Data) -> Data?)? {
        get { read(\.answerToData) }
        set { write { $0.answerToData = newValue } }
    }

    /// Called within each call, after it is recorded.
    public var onCall: (@Sendable (_ session: WCSession, _ name: String) -> Void)? {
        get { read(\.onCall) }
        set { write { $0.onCall = newValue } }
    }

    // MARK: - WCSessionDelegate

    /// Records the state.
    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) {
        called("activationDidComplete", session) { $0.activationStates.append(activationState) }
    }

    /// Records the call.
    public func sessionDidBecomeInactive(_ session: WCSession) { called("sessionDidBecomeInactive", session) }

    /// Records the call.
    public func sessionDidDeactivate(_ session: WCSession) { called("sessionDidDeactivate", session) }

    /// Records the call.
    public func sessionWatchStateDidChange(_ session: WCSession) { called("sessionWatchStateDidChange", session) }

    /// Records the call.
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        called("sessionCompanionAppInstalledDidChange", session)
    }

    /// Records the call.
    public func sessionReachabilityDidChange(_ session: WCSession) { called("sessionReachabilityDidChange", session) }

    /// Records the message.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        called("didReceiveMessage", session) { $0.messages.append(message) }
    }

    /// Records the message and replies to it.
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        called("didReceiveMessage replyHandler", session) { $0.messages.append(message) }
        if let reply = answer?(message) { replyHandler(reply) }
    }

    /// Records the data.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        called("didReceiveMessageData", session) { $0.messageData.append(messageData) }
    }

    /// Records the data and replies to them.
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        called("didReceiveMessageData replyHandler", session) { $0.messageData.append(messageData) }
        if let reply = answerToData?(messageData) { replyHandler(reply) }
    }

    /// Records the context.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        called("didReceiveApplicationContext", session) { $0.contexts.append(applicationContext) }
    }

    /// Records the user info.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        called("didReceiveUserInfo", session) { $0.userInfos.append(userInfo) }
    }

    /// Records the end of a transfer.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        called("didFinish userInfoTransfer", session) { record in
            record.finishedUserInfos.append((userInfoTransfer.userInfo, error))
        }
    }

    /// Records the file and its content.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let received = ReceivedFile(
            name: file.fileURL.lastPathComponent, content: FileManager.default.contents(atPath: file.fileURL.path),
            metadata: file.metadata)
        called("didReceive file", session) { $0.files.append(received) }
    }

    /// Records the end of a transfer.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        called("didFinish fileTransfer", session) { record in
            record.finishedFiles.append((fileTransfer.file.fileURL.lastPathComponent, error))
        }
    }
}
