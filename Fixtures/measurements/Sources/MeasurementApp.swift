public import Foundation
public import WatchConnectivity

// Unchecked: all mutable state is protected by the lock.
/// The app on one device, without its screen: carries out taps, and records what the session does.
///
/// It needs nothing but WatchConnectivity and Foundation, so that it compiles in Xcode as it does here.
public final class MeasurementApp: NSObject, WCSessionDelegate, @unchecked Sendable {
    private let session: WCSession
    private let file: URL
    private let now: () -> Date
    private let lock = NSRecursiveLock()
    private var results: Results
    private var rule: Int?
    private var replyCount = 1

    /// Begins to record into a file; what an earlier process of the app recorded there is kept.
    ///
    /// - Parameters:
    ///   - side: The device.
    ///   - system: The model of the device, and its system with the version.
    ///   - file: The file of the results, in the app's documents.
    ///   - session: The session.
    ///   - secondsFromUTC: The difference of the local time from UTC.
    ///   - now: The clock of the device.
    public init(
        side: RuleMeasurement.Side, system: String, file: URL, session: WCSession = .default,
        secondsFromUTC: Int = TimeZone.current.secondsFromGMT(), now: @escaping () -> Date = { Date() }
    ) {
        (self.session, self.file, self.now) = (session, file, now)
        // There is none at the first launch.
        results =
            (try? Results(contentsOf: file))
            ?? Results(side: side, system: system, secondsFromUTC: secondsFromUTC)
        super.init()
        note(.launched)
        session.delegate = self
        session.activate()
    }

    /// Carries out a tap in a measurement.
    public func tap(_ action: RuleMeasurement.Action, rule: Int) {
        locked { self.rule = rule }
        switch action {
        case .activate: session.activate()
        case .reply(let times): locked { replyCount = times }
        case .ask(let number): ask(number, Data(), nil)
        case .context(let number): sendContext(number)
        case .userInfo(let number):
            note(.sent, "userInfo", number)
            session.transferUserInfo(payload(number))
        case .complication(let number): sendComplication(number)
        case .file(let number, let name, let removesSource): sendFile(number, name, removesSource: removesSource)
        case .cancel: cancel()
        case .budget: noteBudget()
        case .sizes: sendSizes()
        case .done: note(.done)
        }
    }

    // MARK: - Records

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    private func note(
        _ event: Results.Event.Kind, _ content: String? = nil, _ number: Int? = nil, code: Int? = nil,
        detail: String? = nil, rule: Int? = nil
    ) {
        locked {
            results.events.append(
                Results.Event(
                    rule: rule ?? self.rule, time: now().timeIntervalSince1970, event: event, content: content,
                    number: number, code: code, detail: detail))
            do {
                try results.write(to: file)
            } catch {
                fatalError("The results cannot be written to \(file.path): \(error)")
            }
        }
    }

    /// The dictionary for something with a number in the present measurement.
    private func payload(_ number: Int) -> [String: Any] { ["rule": locked { rule } ?? 0, "number": number] }

    /// Records what arrived, under the measurement in which it was sent.
    private func noteArrival(_ event: Results.Event.Kind, _ content: String, _ payload: [String: Any]?, _ detail: String? = nil) {
        note(event, content, payload?["number"] as? Int, detail: detail, rule: payload?["rule"] as? Int)
    }

    private func code(_ error: (any Error)?) -> Int? { error.map { ($0 as NSError).code } }

    // MARK: - Calls

    private func ask(_ number: Int, _ content: Data, _ detail: String?) {
        var message = payload(number)
        if !content.isEmpty { message["content"] = content }
        let rule = locked { self.rule }
        note(.sent, "message", number, detail: detail)
        session.sendMessage(
            message,
            replyHandler: { [weak self] reply in
                self?.note(.replied, "message", number, detail: detail ?? reply["reply"] as? String, rule: rule)
            },
            errorHandler: { [weak self] error in
                self?.note(.failed, "message", number, code: self?.code(error), detail: detail, rule: rule)
            })
    }

    private func sendContext(_ number: Int) {
        note(.sent, "context", number)
        do {
            try session.updateApplicationContext(payload(number))
        } catch {
            note(.failed, "context", number, code: code(error))
        }
    }

    private func sendComplication(_ number: Int) {
        #if !os(watchOS)
            let transfer = session.transferCurrentComplicationUserInfo(payload(number))
            note(.sent, "complication", number, detail: transfer.isCurrentComplicationInfo ? "current" : "not current")
        #endif
    }

    private func noteBudget() {
        #if !os(watchOS)
            note(.budget, "complication", session.remainingComplicationUserInfoTransfers)
        #endif
    }

    private func sendFile(_ number: Int, _ name: String, removesSource: Bool) {
        let source = file.deletingLastPathComponent().appendingPathComponent(name)
        do {
            try Data(repeating: UInt8(number), count: 1000).write(to: source)
            note(.sent, "file", number, detail: name)
            session.transferFile(source, metadata: payload(number))
            if removesSource { try FileManager.default.removeItem(at: source) }
        } catch {
            fatalError("The file \(source.path) cannot be written or removed: \(error)")
        }
    }

    private func cancel() {
        for transfer in session.outstandingUserInfoTransfers {
            note(.cancelled, "userInfo", transfer.userInfo["number"] as? Int)
            transfer.cancel()
        }
        for transfer in session.outstandingFileTransfers {
            note(.cancelled, "file", transfer.file.metadata?["number"] as? Int)
            transfer.cancel()
        }
    }

    /// Asks with property lists of these sizes in the binary form, with content that can be compressed and with other
    /// content; the number of each question is its size.
    private func sendSizes() {
        var generator = SystemRandomNumberGenerator()
        for isRandom in [false, true] {
            for byteCount in [50_000, 60_000, 65_000, 65_535, 65_536, 65_537, 70_000, 100_000] {
                // A list with a longer content has as many bytes more.
                let rest = byteCount - binarySize(of: Data(count: 60_000), number: byteCount) + 60_000
                let content = Data((0..<rest).map { _ in isRandom ? UInt8.random(in: 0...255, using: &generator) : 0 })
                ask(byteCount, content, isRandom ? "random" : "zeros")
            }
        }
    }

    private func binarySize(of content: Data, number: Int) -> Int {
        var message = payload(number)
        message["content"] = content
        do {
            return try PropertyListSerialization.data(fromPropertyList: message, format: .binary, options: 0).count
        } catch {
            fatalError("A message is no property list: \(error)")
        }
    }

    // MARK: - WCSessionDelegate

    /// Records the state, with the context that is in the property then.
    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) {
        let context = session.receivedApplicationContext
        note(
            .activated, context.isEmpty ? nil : "context", context["number"] as? Int, code: code(error),
            rule: context["rule"] as? Int)
    }

    #if !os(watchOS)
        /// Records the call.
        public func sessionDidBecomeInactive(_ session: WCSession) { note(.inactive) }

        /// Records the call, and activates the session for the other watch.
        public func sessionDidDeactivate(_ session: WCSession) {
            note(.deactivated)
            session.activate()
        }
    #endif

    /// Records the message, and replies as often as the last tap said.
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        noteArrival(.received, "message", message)
        for number in 0..<locked({ replyCount }) { replyHandler(["reply": "\(number + 1)"]) }
    }

    /// Records the context.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        noteArrival(.received, "context", applicationContext)
    }

    /// Records the user info.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        noteArrival(.received, "userInfo", userInfo)
    }

    /// Records the file with its name, if its content is whole.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let content = FileManager.default.contents(atPath: file.fileURL.path)
        let isWhole = content?.count == 1000 && content?.first == (file.metadata?["number"] as? Int).map { UInt8($0) }
        noteArrival(.received, "file", file.metadata, isWhole ? file.fileURL.lastPathComponent : "damaged")
    }

    /// Records the end of a transfer.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        let userInfo = userInfoTransfer.userInfo
        note(
            .finished, "userInfo", userInfo["number"] as? Int, code: code(error), rule: userInfo["rule"] as? Int)
    }

    /// Records the end of a transfer.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        let metadata = fileTransfer.file.metadata
        note(.finished, "file", metadata?["number"] as? Int, code: code(error), rule: metadata?["rule"] as? Int)
    }
}
