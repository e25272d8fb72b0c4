import Foundation
import WatchConnectivity

/// What a client needs of a session, so that a test can give it another one.
protocol SessionProviding: AnyObject {
    var activationState: WCSessionActivationState { get }
    var isReachable: Bool { get }
    var delegate: (any WCSessionDelegate)? { get set }
    func activate()
    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?)
    @discardableResult func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
}

extension WCSession: SessionProviding {}

/// A stand-in, as tests of apps have it.
final class DeafSession: WCSession {
    override var isReachable: Bool { false }

    override func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) { errorHandler?(WCError(.notReachable)) }

    override func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        WCSessionUserInfoTransfer()
    }
}

/// A client with typed requests in Codable data, awaited through continuations, on the main actor: the shape of newer
/// libraries.
@MainActor
final class AwaitingClient: NSObject {
    struct Sum: Codable { var a: Int, b: Int }

    /// A session holds its delegate weakly, so somebody else must hold it.
    private static var shared: AwaitingClient?
    private let session: any SessionProviding
    private var observation: NSKeyValueObservation?
    /// Whether the counterpart is reachable, after each change.
    private let reachability: AsyncStream<Bool>

    init(session: any SessionProviding = WCSession.default) {
        self.session = session
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        reachability = changes
        super.init()
        session.delegate = self
        session.activate()
        observation = (session as? WCSession)?.observe(\.isReachable, options: [.new, .old]) { _, change in
            let isReachable = change.newValue ?? false
            changed.yield(isReachable)
            Task { @MainActor in Output.print("client", "reachable", "\(isReachable)") }
        }
    }

    func waitUntilReachable() async {
        guard !session.isReachable else { return }
        for await isReachable in reachability where isReachable { return }
    }

    func ask(_ sum: Sum) async throws -> Int {
        let request = try JSONEncoder().encode(sum)
        let reply: Data = try await withCheckedThrowingContinuation { continuation in
            session.sendMessageData(
                request, replyHandler: { @Sendable in continuation.resume(returning: $0) },
                errorHandler: { @Sendable in continuation.resume(throwing: $0) })
        }
        return try JSONDecoder().decode(Int.self, from: reply)
    }

    private func answer(_ request: Data) -> Data {
        let sum = try? JSONDecoder().decode(Sum.self, from: request)
        return Data("\(sum.map { $0.a + $0.b } ?? -1)".utf8)
    }

    nonisolated static func run() {
        Task { @MainActor in
            let deaf = AwaitingClient(session: DeafSession())
            do {
                _ = try await deaf.ask(Sum(a: 1, b: 1))
            } catch WCError.notReachable {
                Output.print("client", "deaf")
            } catch {
                Output.print("client", "failed", "\(error)")
            }
            let client = AwaitingClient()
            shared = client
            await client.waitUntilReachable()
            for number in 0..<5 {
                do {
                    Output.print("client", "sum", "\(try await client.ask(Sum(a: number, b: 10)))")
                } catch {
                    Output.print("client", "failed", "\(error)")
                }
            }
            client.session.delegate?.session?(WCSession.default, didReceiveUserInfo: ["direct": true])
        }
        RunLoop.main.run()
    }
}

extension AwaitingClient: WCSessionDelegate {
    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}

    nonisolated func sessionDidDeactivate(_ session: WCSession) {}

    nonisolated func session(
        _ session: WCSession, didReceiveMessageData messageData: Data,
        replyHandler: @escaping @Sendable (Data) -> Void
    ) {
        Task { @MainActor in replyHandler(answer(messageData)) }
    }

    nonisolated func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        Output.print("client", "direct", Words.text(userInfo))
    }
}
