import Foundation
import Platform
import SyncCore

/// Keeps the handlers of the live messages that an app sent, until they are called.
final class HandlerTable: Sendable {
    /// The handlers of one message.
    // Unchecked: the closures come from clients (Apple's are not Sendable), and are called only on the session's
    // queue, one at a time.
    struct Handlers: @unchecked Sendable {
        var reply: (([String: Any]) -> Void)?
        var dataReply: ((Data) -> Void)?
        var failure: ((any Error) -> Void)?
        /// The part of the payload that cannot be sent, for the error.
        var unsendablePath: String?
    }

    private struct Table {
        var last: UInt64 = 0
        var waiting: [PeerState.MessageToken: Handlers] = [:]
    }

    private let table = Lock(Table())

    /// Stores the handlers of a new message.
    func keep(_ handlers: Handlers) -> PeerState.MessageToken {
        table.withLock { table in
            table.last += 1
            let token = PeerState.MessageToken(number: table.last)
            table.waiting[token] = handlers
            return token
        }
    }

    /// Removes and returns the handlers of a message; with `isKept`, they stay for one more call.
    func take(_ token: PeerState.MessageToken, isKept: Bool = false) -> Handlers? {
        table.withLock { isKept ? $0.waiting[token] : $0.waiting.removeValue(forKey: token) }
    }

    /// Removes all handlers: the process that sent the messages has ended.
    func forgetAll() {
        // The closures are released outside the lock, because objects in them may have a deinit.
        let forgotten = table.withLock { table in
            let waiting = table.waiting
            table.waiting = [:]
            return waiting
        }
        _ = forgotten
    }

    /// The number of messages with handlers.
    var count: Int { table.withLock { $0.waiting.count } }
}
