import Foundation
import SyncCore
import Synchronization

/// The handlers of the live messages that an app sent, until they are called.
final class HandlerTable: Sendable {
    /// What a client gave with one message.
    // Unchecked: the closures come from clients as they are (Apple's are not Sendable), and are called on the session's
    // queue only, one at a time.
    struct Handlers: @unchecked Sendable {
        var reply: (([String: Any]) -> Void)?
        var dataReply: ((Data) -> Void)?
        var failure: ((any Error) -> Void)?
        /// Where the payload cannot be sent, for the error.
        var culprit: String?
    }

    private struct Table {
        var last: UInt64 = 0
        var waiting: [PeerState.MessageToken: Handlers] = [:]
    }

    private let table = Mutex(Table())

    /// Keeps the handlers of a new message.
    func keep(_ handlers: Handlers) -> PeerState.MessageToken {
        table.withLock { table in
            table.last += 1
            let token = PeerState.MessageToken(number: table.last)
            table.waiting[token] = handlers
            return token
        }
    }

    /// The handlers of a message, which are kept on only if they are called once more.
    func take(_ token: PeerState.MessageToken, isKept: Bool = false) -> Handlers? {
        table.withLock { isKept ? $0.waiting[token] : $0.waiting.removeValue(forKey: token) }
    }

    /// The process that sent the messages has ended.
    func forgetAll() {
        // The closures are released outside of the lock: they may hold whatever has a deinit.
        let forgotten = table.withLock { table in
            let waiting = table.waiting
            table.waiting = [:]
            return waiting
        }
        _ = forgotten
    }

    /// How many messages wait.
    var count: Int { table.withLock { $0.waiting.count } }
}
