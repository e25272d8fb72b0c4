// The shapes in which published code uses the interface; that this file compiles is the first half of the test.
public import WatchConnectivity

// As in ts95/WatchConnectivitySwift: a protocol of the client's own that the session has by itself.
protocol SessionProviding: AnyObject {
    var delegate: (any WCSessionDelegate)? { get set }
    var activationState: WCSessionActivationState { get }
    var isReachable: Bool { get }
    var isPaired: Bool { get }
    var applicationContext: [String: Any] { get }
    var outstandingFileTransfers: [WCSessionFileTransfer] { get }
    func activate()
    func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?)
    func updateApplicationContext(_ applicationContext: [String: Any]) throws
    @discardableResult func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    @discardableResult func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer
}

extension WCSession: SessionProviding {}
// Swift 6 clients write this (with `@retroactive` outside of this package), so that the class must not be Sendable by
// itself. Unchecked: as they do.
extension WCSession: @unchecked Sendable {}
extension WCSessionActivationState: CustomStringConvertible {
    /// As one client adds it.
    public var description: String { "state \(rawValue)" }
}

// Unchecked: as clients do with mocks.
final class MockSession: WCSession, @unchecked Sendable {
    var sent: [[String: Any]] = []
    var reachable = true
    override class func isSupported() -> Bool { false }
    override var isReachable: Bool { reachable }
    override var activationState: WCSessionActivationState { .activated }
    override func activate() { delegate?.session(self, activationDidCompleteWith: .activated, error: nil) }
    override func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        sent.append(message)
        replyHandler?(["echo": message])
    }
    override func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        WCSessionUserInfoTransfer()
    }
    override func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        WCSessionFileTransfer()
    }
}

final class MockFile: WCSessionFile {
    override var fileURL: URL { URL(fileURLWithPath: "/mock/file") }
    override var metadata: [String: Any]? { ["kind": "mock"] }
}

final class MockTransfer: WCSessionUserInfoTransfer {
    override var isTransferring: Bool { true }
    override var userInfo: [String: Any] { ["mock": true] }
}

// As in Communicator: one class for both sides, registrations of handlers, completions by transfer.
final class Communicator: NSObject, WCSessionDelegate {
    @MainActor static let shared = Communicator()
    typealias Completion = ((any Error)?) -> Void
    private(set) var registered: [(String) -> Void] = []
    private(set) var completions: [WCSessionFileTransfer: Completion] = [:]
    private let session: WCSession

    init(session: WCSession = .default) {
        self.session = session
        super.init()
        session.delegate = self
    }

    func observe(_ handler: @escaping (String) -> Void) { registered.append(handler) }

    func send(file: URL, completion: @escaping Completion) {
        let transfer = session.transferFile(file, metadata: ["id": "x"])
        completions[transfer] = completion
    }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        for handler in registered { handler("activated") }
    }
    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        completions.removeValue(forKey: fileTransfer)?(error)
    }
}

// As in WatchSync: every code by name.
func words(for error: WCError) -> String {
    switch error.code {
    case .companionAppNotInstalled: "companion app not installed"
    case .deliveryFailed: "delivery failed"
    case .deviceNotPaired: "device not paired"
    case .fileAccessDenied: "file access denied"
    case .genericError: "generic"
    case .insufficientSpace: "insufficient space"
    case .invalidParameter: "invalid parameter"
    case .messageReplyFailed: "message reply failed"
    case .messageReplyTimedOut: "message reply timed out"
    case .notReachable: "not reachable"
    case .payloadTooLarge: "payload too large"
    case .payloadUnsupportedTypes: "payload unsupported types"
    case .sessionInactive: "session inactive"
    case .sessionMissingDelegate: "session missing delegate"
    case .sessionNotActivated: "session not activated"
    case .sessionNotSupported: "session not supported"
    case .transferTimedOut: "transfer timed out"
    case .watchAppNotInstalled: "watch app not installed"
    case .watchOnlyApp: "watch only app"
    }
}

// As in proxies: optional calls.
final class Proxy: NSObject, WCSessionDelegate {
    weak var target: (any WCSessionDelegate)?
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        target?.session(session, activationDidCompleteWith: state, error: error)
    }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        target?.session?(session, didReceiveMessage: message)
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        target?.session?(session, didReceiveMessage: message, replyHandler: replyHandler)
    }
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        target?.session?(session, didReceiveMessageData: messageData, replyHandler: replyHandler)
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        // swift-format-ignore: NeverForceUnwrap
        target?.session!(session, didReceiveUserInfo: userInfo)
    }
    func sessionReachabilityDidChange(_ session: WCSession) {
        target?.sessionReachabilityDidChange?(session)
    }
}

// A Swift 6 client: the reply handler with @Sendable, isolation of its own.
@MainActor final class Model: NSObject, WCSessionDelegate {
    private(set) var count = 0
    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}
    nonisolated func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void
    ) {
        Task { @MainActor in
            count += 1
            replyHandler(["count": count])
        }
    }
}

// A class with a property of the same name as the members that tell of content.
final class Owner: NSObject, WCSessionDelegate {
    let session: WCSession? = WCSession.isSupported() ? .default : nil
    func start() {
        session?.delegate = self
        session?.sendMessage([:], replyHandler: nil)
        session?.transferUserInfo()
        session?.transferCurrentComplicationUserInfo()
    }
    func session(_ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
}
