internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// Asks the hub questions immediately; nothing is queued.
struct QueryClient: Sendable {
    /// Nil for a watch that was never paired.
    let transport: WatchTransport?
    let reducer: WatchReducer

    /// Asks a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - patience: The time limit for the reply; 1 ms…1 h.
    /// - Returns: The reply, never `QueryReply.refused`.
    /// - Throws: ``QueryError``.
    func ask(_ question: WatchQuery, patience: Duration = .seconds(10)) async throws -> QueryReply {
        guard let transport else { throw QueryError.notPaired }
        let message = Message(payload: try Self.payload(question), wantsReply: true, timeout: patience)
        let answer: TransferAnswer
        do {
            answer = try await transport.transfer { .exchange(.message($0, message)) }
        } catch LinkError.ended {
            throw QueryError.notReachable
        }
        switch answer {
        case .exchange(.replied(let payload)):
            let reply = try Self.reply(payload)
            if case .refused(let reason) = reply { throw QueryError.refused(reason) }
            reducer.handle(.answered(reply))
            return reply
        case .exchange(.failed(let fault)): throw QueryError(fault)
        case .exchange(.accepted), .exchange(.cancelled), .exchange(.declined), .exchange(.delivered),
            .exchange(.replySent), .files:
            throw QueryError.unreadable("an answer to something else")
        }
    }

    private static func payload(_ question: WatchQuery) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(question), as: UTF8.self)
        return try PropertyList.dictionary(["question": .string(json)]).encoded()
    }

    private static func reply(_ payload: [UInt8]) throws -> QueryReply {
        do {
            guard case .dictionary(let members) = try PropertyList(decoding: payload),
                case .string(let json)? = members["reply"]
            else { throw QueryError.unreadable("it has no member \"reply\"") }
            return try CanonicalJSON.decode(QueryReply.self, from: Array(json.utf8))
        } catch let error as QueryError {
            throw error
        } catch {
            throw QueryError.unreadable("\(error)")
        }
    }
}
