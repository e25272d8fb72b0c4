import Dispatch
import Foundation
import Platform
import SyncCore

/// The implementation of one `WCSession` object: its delegate, and its peer client (`client`).
final class SessionBacking: Sendable {
    /// The observers of the session.
    let observations = ObserverTable()
    private let role: PeerState.Role
    /// Whether it is a default session, which changes its client when the active watch changes.
    private let followsActiveWatch: Bool
    private let state: Lock<State>

    // Unchecked: delegates and handlers belong to the client and are used only as it expects; the rest is locked.
    private struct State: @unchecked Sendable {
        weak var delegate: (any WCSessionDelegate)?
        /// Whether the present delegate was called before.
        var wasCalled = false
        var client: PeerClient?
        /// The registry, if the session owns it instead of the other way round.
        var ownRegistry: SessionRegistry?
        weak var registry: SessionRegistry?
        /// The method that the delegate was found to lack during the current call.
        var lacking: String?
        var backgroundTaskHandler: ((Set<WKRefreshBackgroundTask>) -> Void)?
    }

    /// Creates the backing of a session.
    ///
    /// Without a client it gets an unpaired one when needed.
    init(
        role: PeerState.Role, client: PeerClient? = nil, registry: SessionRegistry? = nil,
        followsActiveWatch: Bool = false
    ) {
        self.role = role
        self.followsActiveWatch = followsActiveWatch
        state = Lock(State(client: client, registry: registry))
    }

    /// Registers the session with its client.
    func settle(_ session: WCSession) {
        client?.add(listener: session)
    }

    /// Makes the session the owner of its registry instead of the other way round.
    func own(_ registry: SessionRegistry) {
        state.withLock { state in
            state.ownRegistry = registry
            state.registry = registry
        }
    }

    var client: PeerClient? { state.withLock(\.client) }

    var view: SessionView { client?.view ?? SessionView() }

    /// The registry that the delegate's code uses.
    var registry: SessionRegistry? { state.withLock { $0.registry } }

    // MARK: - Delegate

    var delegate: (any WCSessionDelegate)? { state.withLock { Unlocked($0.delegate) }.value }

    func set(delegate: (any WCSessionDelegate)?, of session: WCSession) {
        let given = Unlocked(delegate)
        let (client, isSame) = state.withLock { state in
            let isSame = state.delegate === given.value
            state.delegate = given.value
            if !isSame { state.wasCalled = false }
            return (state.client, isSame)
        }
        guard !isSame, delegate != nil, let client, client.owner === session else { return }
        client.peerDriver.handle(.delegateSet)
    }

    /// Whether this is the first call of a delegate.
    func isFirstCall() -> Bool {
        state.withLock { state in
            defer { state.wasCalled = true }
            return !state.wasCalled
        }
    }

    /// Records that the delegate lacks a method.
    func note(lacking method: String) {
        state.withLock { $0.lacking = method }
    }

    /// The method that the delegate was found to lack since the last call of this function.
    func takeLacking() -> String? {
        state.withLock { state in
            defer { state.lacking = nil }
            return state.lacking
        }
    }

    var backgroundTaskHandler: ((Set<WKRefreshBackgroundTask>) -> Void)? {
        get { state.withLock { Unlocked($0.backgroundTaskHandler) }.value }
        set {
            let given = Unlocked(newValue)
            state.withLock { $0.backgroundTaskHandler = given.value }
        }
    }

    // MARK: - Peer client

    func activate(_ session: WCSession) {
        if let fault = registry?.start.fault { return fail(session, fault) }
        if followsActiveWatch, let wanted = registry?.activeClient, wanted !== client,
            view.activationState == .notActivated
        {
            bind(session, to: wanted)
        }
        let client = usableClient(of: session)
        client.give(to: session)
        if delegate != nil { client.isActivating = true }
        client.peerDriver.handle(.activate(hasDelegate: delegate != nil))
    }

    /// Another watch became the active one.
    ///
    /// The session changes to it now, or at its next activation if it is active.
    func leave(_ session: WCSession, for next: PeerClient?) {
        guard let client, client !== next else { return bind(session, to: next) }
        guard client.view.activationState != .notActivated, client.owner === session else {
            guard client.owner === session, client.isActivating else { return bind(session, to: next) }
            // The pending activation continues with the other watch.
            client.isActivating = false
            client.peerDriver.handle(.leave)
            bind(session, to: next)
            return activate(session)
        }
        client.peerDriver.handle(.leave)
    }

    /// The client; if there was none, it gets an unpaired one.
    func usableClient(of session: WCSession) -> PeerClient {
        if let client { return client }
        let unpaired = PeerClient.unpaired(role)
        let client = state.withLock { state in
            let client = state.client ?? unpaired
            state.client = client
            return client
        }
        client.add(listener: session)
        return client
    }

    /// Notifies the delegate that the process's device could not be started.
    private func fail(_ session: WCSession, _ fault: SessionSetupError) {
        let failing = Unlocked(session)
        DispatchQueue(label: "WatchConnectivity.fault").async {
            let session = failing.value
            session.delegate?.session(
                session, activationDidCompleteWith: .notActivated,
                error: WCError(.genericError, unsendablePath: "\(fault)"))
        }
    }

    private func bind(_ session: WCSession, to next: PeerClient?) {
        let old = view
        let last = state.withLock { state in
            defer { state.client = next }
            return state.client
        }
        guard last !== next else { return }
        last?.remove(listener: session)
        next?.add(listener: session)
        observations.changed(session, from: old, to: view)
    }

    func send(
        _ payload: PeerState.Payload, isData: Bool, wantsReply: Bool, _ handlers: HandlerTable.Handlers,
        of session: WCSession
    ) {
        let client = speaking(session)
        var handlers = handlers
        handlers.unsendablePath = payload.unsendablePath
        let token = client.handlers.keep(handlers)
        client.peerDriver.handle(
            .send(
                token, PeerState.Live(payload: payload, isData: isData, wantsReply: wantsReply),
                hasErrorHandler: handlers.failure != nil, hasDelegate: delegate != nil))
    }

    func updateContext(_ payload: PeerState.Payload, of session: WCSession) throws {
        let client = speaking(session)
        if let code = client.peerDriver.updateContext(payload, hasDelegate: delegate != nil) {
            throw WCError(code, unsendablePath: payload.unsendablePath)
        }
    }

    func transfer(
        _ userInfo: [String: Any], isComplication: Bool, of session: WCSession
    ) -> WCSessionUserInfoTransfer {
        let client = speaking(session)
        let beginning = TransferStart()
        defer { beginning.end() }
        let (id, payload) = (RandomID.random(), SessionPayload.payload(userInfo))
        let transfer = client.transfers.object(id) {
            WCSessionUserInfoTransfer(
                id, AppDictionary(userInfo, as: payload), on: client, unsendablePath: payload.unsendablePath,
                beginning: beginning)
        }
        client.peerDriver.handle(
            .transferUserInfo(id, payload, isComplication: isComplication, hasDelegate: delegate != nil))
        return transfer
    }

    func transfer(_ file: URL, metadata: [String: Any]?, of session: WCSession) -> WCSessionFileTransfer {
        let client = speaking(session)
        let beginning = TransferStart()
        defer { beginning.end() }
        let (id, payload) = (RandomID.random(), metadata.map(SessionPayload.payload))
        let sent = WCSessionFile(
            url: file, metadata: metadata.flatMap { given in payload.map { AppDictionary(given, as: $0) } })
        let transfer = client.transfers.object(id) {
            WCSessionFileTransfer(
                id, sent, byteCount: Self.byteCount(of: file), on: client, unsendablePath: payload?.unsendablePath,
                beginning: beginning
            )
        }
        client.peerDriver.transferFile(id, path: file.sessionPath, metadata: payload, hasDelegate: delegate != nil)
        return transfer
    }

    /// The dictionary encoded by some bytes; empty if there are none.
    static func dictionary(_ bytes: [UInt8]?) -> [String: Any] {
        bytes.flatMap(SessionPayload.dictionary) ?? [:]
    }

    /// The session's client.
    ///
    /// If no session has activated that client, this session gets its calls from now on.
    private func speaking(_ session: WCSession) -> PeerClient {
        let client = usableClient(of: session)
        client.forgetEndedProcess()
        if client.owner == nil { client.give(to: session) }
        return client
    }

    /// The size of the file, as far as it is known; whether the file can be read is determined later.
    private static func byteCount(of file: URL) -> UInt64? {
        guard file.isFileURL else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.uint64Value
    }
}

/// Carries a value that is not Sendable out of a lock, to a caller that may use it.
// Unchecked: no other code uses the box.
struct Unlocked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension URL {
    /// The string that the driver gets for a file: its path, or the complete URL if that is not a file URL and cannot
    /// be read.
    var sessionPath: String { isFileURL ? path : absoluteString }

    /// The URL for such a string.
    init(sessionPath path: String) {
        self = path.hasPrefix("/") ? URL(fileURLWithPath: path) : URL(string: path) ?? URL(fileURLWithPath: path)
    }
}

extension RandomID {
    /// A new id.
    static func random() -> RandomID {
        var generator = SystemRandomNumberGenerator()
        return RandomID(using: &generator)
    }
}
