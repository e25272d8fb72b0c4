import Foundation
import WatchConnectivity

/// Questions that are awaited, and a stream of what happens: no callbacks for anybody who uses it.
final class Questions: NSObject, WCSessionDelegate, Sendable {
    enum Happening: Equatable, Sendable {
        case activated(Bool)
        case reachable(Bool)
        case question(String)
        case file(String, byteCount: Int)
    }

    enum Failure: Error, Equatable {
        case unreachable, unanswered
        case other(Int)
    }

    let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation

    override init() {
        (happenings, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        super.init()
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func ask(_ question: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            WCSession.default.sendMessage(["question": question]) { reply in
                guard let answer = reply["answer"] as? String else {
                    return continuation.resume(throwing: Failure.unanswered)
                }
                continuation.resume(returning: answer)
            } errorHandler: { error in
                switch error {
                case WCError.notReachable: continuation.resume(throwing: Failure.unreachable)
                case WCError.messageReplyTimedOut, WCError.deliveryFailed:
                    continuation.resume(throwing: Failure.unanswered)
                default: continuation.resume(throwing: Failure.other((error as NSError).code))
                }
            }
        }
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) { continuation.yield(.activated(activationState == .activated && error == nil)) }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func sessionReachabilityDidChange(_ session: WCSession) { continuation.yield(.reachable(session.isReachable)) }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        let question = message["question"] as? String ?? ""
        continuation.yield(.question(question))
        replyHandler(question.isEmpty ? [:] : ["answer": String(question.reversed())])
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        // Read here and now: the file goes when this returns.
        guard let bytes = try? Data(contentsOf: file.fileURL) else { return }
        continuation.yield(.file(file.fileURL.lastPathComponent, byteCount: bytes.count))
    }
}
