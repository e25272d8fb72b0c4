import Foundation
import SyncCore

extension SessionBacking {
    func send(
        _ payload: PeerState.Payload, isData: Bool, wantsReply: Bool, _ handlers: HandlerTable.Handlers,
        of session: WCSession
    ) {
        let line = speaking(session)
        var handlers = handlers
        handlers.culprit = payload.culprit
        let token = line.handlers.keep(handlers)
        line.shell.handle(
            .send(
                token, PeerState.Live(payload: payload, isData: isData, wantsReply: wantsReply),
                hasErrorHandler: handlers.failure != nil, hasDelegate: delegate != nil))
    }

    func updateContext(_ payload: PeerState.Payload, of session: WCSession) throws {
        let line = speaking(session)
        if let code = line.shell.updateContext(payload, hasDelegate: delegate != nil) {
            throw WCError(code, culprit: payload.culprit)
        }
    }

    func transfer(
        _ userInfo: [String: Any], isComplication: Bool, of session: WCSession
    ) -> WCSessionUserInfoTransfer {
        let line = speaking(session)
        let beginning = TransferStart()
        defer { beginning.end() }
        let (id, payload) = (RandomID.random(), SessionPayload.payload(userInfo))
        let transfer = line.transfers.userInfo(id) {
            WCSessionUserInfoTransfer(
                id, AppDictionary(userInfo, as: payload), on: line, culprit: payload.culprit, beginning: beginning)
        }
        line.shell.handle(
            .transferUserInfo(id, payload, isComplication: isComplication, hasDelegate: delegate != nil))
        return transfer
    }

    func transfer(_ file: URL, metadata: [String: Any]?, of session: WCSession) -> WCSessionFileTransfer {
        let line = speaking(session)
        let beginning = TransferStart()
        defer { beginning.end() }
        let (id, payload) = (RandomID.random(), metadata.map(SessionPayload.payload))
        let sent = WCSessionFile(
            url: file, metadata: metadata.flatMap { given in payload.map { AppDictionary(given, as: $0) } })
        let transfer = line.transfers.file(id) {
            WCSessionFileTransfer(
                id, sent, byteCount: Self.byteCount(of: file), on: line, culprit: payload?.culprit, beginning: beginning
            )
        }
        line.shell.transferFile(id, path: file.sessionPath, metadata: payload, hasDelegate: delegate != nil)
        return transfer
    }

    /// The dictionary of bytes that there may be.
    static func dictionary(_ bytes: [UInt8]?) -> [String: Any] {
        bytes.flatMap(SessionPayload.dictionary) ?? [:]
    }

    /// The session's line; what comes of what is sent goes to this session if nobody else has activated the line.
    private func speaking(_ session: WCSession) -> PeerClient {
        let line = usableLine(of: session)
        line.forgetEndedProcess()
        if line.owner == nil { line.give(to: session) }
        return line
    }

    /// The bytes of the file as far as they are known; whether it can be read is found out later.
    private static func byteCount(of file: URL) -> UInt64? {
        guard file.isFileURL else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.uint64Value
    }
}

extension URL {
    /// How a companion names a file: its path, or the whole of a URL that is no file's and that nothing can be read of.
    var sessionPath: String { isFileURL ? path : absoluteString }

    /// The URL that a companion names so.
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
