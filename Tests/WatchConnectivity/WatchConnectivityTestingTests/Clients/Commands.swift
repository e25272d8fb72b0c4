import Foundation
import WatchConnectivity

/// Commands of a type of their own, as JSON: live where that can be, else queued.
final class Commands: NSObject, WCSessionDelegate {
    enum Command: Codable, Equatable {
        case timer(seconds: Int, name: String?)
        case stop
    }

    struct Receipt: Codable, Equatable {
        var command: Command
        var isDone: Bool
        var at: Date
    }

    enum Way: Equatable {
        case live(Receipt)
        case queued
        case failed(WCError.Code)
    }

    private(set) var done: [Command] = []
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    private let session: WCSession

    init(session: WCSession = .default) {
        self.session = session
        super.init()
        session.delegate = self
        session.activate()
    }

    func send(_ command: Command, completion: @escaping (Way) -> Void) {
        guard let body = try? encoder.encode(command) else { return completion(.failed(.invalidParameter)) }
        session.sendMessageData(
            body,
            replyHandler: { [decoder] reply in
                let receipt = try? decoder.decode(Receipt.self, from: reply)
                completion(receipt.map { .live($0) } ?? .failed(.messageReplyFailed))
            },
            errorHandler: { [session] error in
                guard let code = (error as? WCError)?.code else { return completion(.failed(.genericError)) }
                switch code {
                case .notReachable, .messageReplyTimedOut, .transferTimedOut:
                    session.transferUserInfo(["command": body])
                    completion(.queued)
                default: completion(.failed(code))
                }
            })
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        guard let command = try? decoder.decode(Command.self, from: messageData) else { return replyHandler(Data()) }
        done.append(command)
        let receipt = Receipt(command: command, isDone: true, at: Date(timeIntervalSinceReferenceDate: 1))
        replyHandler((try? encoder.encode(receipt)) ?? Data())
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        guard let body = userInfo["command"] as? Data, let command = try? decoder.decode(Command.self, from: body)
        else { return }
        done.append(command)
    }
}
