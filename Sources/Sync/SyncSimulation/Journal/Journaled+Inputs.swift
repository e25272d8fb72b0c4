package import SyncCore

/// An input of an engine as a journal keeps it.
///
/// That a record is durable needs no copy of the record: the engine put it out itself, and records become durable one
/// after the other.
enum JournalInput<Input> {
    /// An input from the driver.
    case given(Input)
    /// The oldest record that the engine put out is durable, or it is not and why.
    case outcome(failure: String?)
}

extension RequestID: RecordCodable {
    package static func code(_ value: RequestID?, _ coder: inout RecordCoder) throws(CodecError) -> RequestID {
        RequestID(number: try coder(value?.number))
    }
}

extension ConnectionID: RecordCodable {
    package static func code(_ value: ConnectionID?, _ coder: inout RecordCoder) throws(CodecError) -> ConnectionID {
        ConnectionID(bytes: try coder.bytes(value?.bytes))
    }
}

/// The parts of a message.
struct JournaledParts: RecordCodable {
    var parts: [[UInt8]]

    static func code(_ value: JournaledParts?, _ coder: inout RecordCoder) throws(CodecError) -> JournaledParts {
        let count = try coder(value.map { UInt64($0.parts.count) })
        var parts: [[UInt8]] = []
        for index in 0..<count { parts.append(try coder.bytes(value?.parts[Int(index)])) }
        return JournaledParts(parts: parts)
    }
}

extension RecordCoder {
    /// Writes which case follows.
    fileprivate mutating func tag(_ tag: UInt8) throws(CodecError) { _ = try byte(tag) }

    /// Writes several values.
    fileprivate mutating func put<each Value: RecordCodable>(_ value: repeat each Value) throws(CodecError) {
        for value in repeat each value { _ = try self(value) }
    }

    fileprivate mutating func putBytes(_ value: [UInt8]) throws(CodecError) { _ = try bytes(value) }

    fileprivate mutating func nextBytes() throws(CodecError) -> [UInt8] { try bytes(nil) }
}

extension JournalInput: RecordCodable where Input: JournaledInput {
    static func code(
        _ value: JournalInput<Input>?, _ coder: inout RecordCoder
    ) throws(CodecError) -> JournalInput<Input> {
        switch value {
        case .given(let input):
            try input.write(into: &coder)
            return .given(input)
        case .outcome(nil):
            try coder.tag(0)
            return .outcome(failure: nil)
        case .outcome(let failure?):
            try coder.tag(1)
            try coder.put(failure)
            return .outcome(failure: failure)
        case nil:
            switch try coder.byte(nil) {
            case 0: return .outcome(failure: nil)
            case 1: return .outcome(failure: try coder.next())
            case let tag: return .given(try Input.read(tag, from: &coder))
            }
        }
    }
}

/// An input of an engine; its first byte is 2 or more.
protocol JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError)
    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> Self
}

extension HubEngine.Input: JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError) {
        switch self {
        case .timeReached: try coder.tag(2)
        case .received(let parts, let connection, let peer):
            try coder.tag(3)
            try coder.put(JournaledParts(parts: parts), connection, peer)
        case .unroutable(let connection):
            try coder.tag(4)
            try coder.put(connection)
        case .transact(let request, let changes, let expected):
            try coder.tag(5)
            try coder.put(request, changes, expected.map { [$0] } ?? [])
        case .settle(let request, let conflict, let restoring):
            try coder.tag(6)
            try coder.put(request, conflict, restoring)
        case .beginEpoch(let request):
            try coder.tag(7)
            try coder.put(request)
        case .publish(let register):
            try coder.tag(8)
            try coder.put(register)
        case .transfer(let peer, let input):
            try coder.tag(9)
            try coder.put(peer)
            try input.write(into: &coder)
        case .invite(let request, let key, let name, let validMilliseconds):
            try coder.tag(10)
            try coder.put(request, key, name.map { [$0] } ?? [], validMilliseconds)
        case .unpair(let request, let peer):
            try coder.tag(11)
            try coder.put(request, peer)
        case .farewell: try coder.tag(12)
        case .authored(let author, let input):
            try coder.tag(13)
            try coder.put(author)
            try input.write(into: &coder)
        case .persisted, .persistFailed, .recorded, .recordFailed:
            throw CodecError("a record is durable that is not the oldest one")
        }
    }

    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> HubEngine.Input {
        switch tag {
        case 2: return .timeReached
        case 3:
            let parts = try coder.next(JournaledParts.self).parts
            return .received(parts: parts, connection: try coder.next(), peer: try coder.next())
        case 4: return .unroutable(try coder.next())
        case 5:
            let (request, changes): (RequestID, [CellChange]) = (try coder.next(), try coder.next())
            return .transact(request, changes, expected: try coder.next([Version].self).first)
        case 6: return .settle(try coder.next(), conflict: try coder.next(), restoring: try coder.next())
        case 7: return .beginEpoch(try coder.next())
        case 8: return .publish(try coder.next())
        case 9:
            let peer = try coder.next(PeerKey.self)
            return .transfer(peer, try TransferInput.read(try coder.byte(nil), from: &coder))
        case 10:
            let (request, key): (RequestID, PeerKey) = (try coder.next(), try coder.next())
            let name = try coder.next([String].self).first
            return .invite(request, key: key, name: name, validMilliseconds: try coder.next())
        case 11: return .unpair(try coder.next(), try coder.next())
        case 12: return .farewell
        case 13:
            let author = try coder.next(String.self)
            let inner = try coder.byte(nil)
            // The writer wraps a request once; a deeper nesting could exhaust the stack.
            guard inner != 13 else { throw CodecError("an author is named within another") }
            return .authored(by: author, try read(inner, from: &coder))
        default: throw CodecError("a hub has no input \(tag)")
        }
    }
}

extension WatchEngine.Input: JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError) {
        switch self {
        case .timeReached: try coder.tag(2)
        case .received(let parts):
            try coder.tag(3)
            try coder.put(JournaledParts(parts: parts))
        case .connected: try coder.tag(4)
        case .disconnected: try coder.tag(5)
        case .edit(let request, let changes):
            try coder.tag(6)
            try coder.put(request, changes)
        case .settle(let request, let conflict, let restoring):
            try coder.tag(7)
            try coder.put(request, conflict, restoring)
        case .transfer(let input):
            try coder.tag(8)
            try input.write(into: &coder)
        case .retry: try coder.tag(9)
        case .farewell: try coder.tag(10)
        case .persisted, .persistFailed:
            throw CodecError("a record is durable that is not the oldest one")
        }
    }

    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> WatchEngine.Input {
        switch tag {
        case 2: return .timeReached
        case 3: return .received(parts: try coder.next(JournaledParts.self).parts)
        case 4: return .connected
        case 5: return .disconnected
        case 6: return .edit(try coder.next(), try coder.next())
        case 7: return .settle(try coder.next(), conflict: try coder.next(), restoring: try coder.next())
        case 8: return .transfer(try TransferInput.read(try coder.byte(nil), from: &coder))
        case 9: return .retry
        case 10: return .farewell
        default: throw CodecError("a watch has no input \(tag)")
        }
    }
}

extension TransferInput: JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError) {
        switch self {
        case .exchange(let input): try input.write(into: &coder)
        case .files(let input): try input.write(into: &coder)
        }
    }

    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> TransferInput {
        tag < 64 ? .exchange(try .read(tag, from: &coder)) : .files(try .read(tag, from: &coder))
    }
}

extension Exchange.Input: JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError) {
        switch self {
        case .transfer(let request, let transfer):
            try coder.tag(2)
            try coder.put(request)
            try coder.putBytes(transfer.payload)
            try coder.put(transfer.isUrgent, transfer.id.map { [$0] } ?? [])
        case .cancel(let request, let id):
            try coder.tag(3)
            try coder.put(request, id)
        case .consumed(let id):
            try coder.tag(4)
            try coder.put(id)
        case .message(let request, let message):
            try coder.tag(5)
            try coder.put(request)
            try coder.putBytes(message.payload)
            try coder.put(message.wantsReply, message.timeout.map { [$0.wholeNanoseconds] } ?? [])
        case .reply(let request, let id, let payload):
            try coder.tag(6)
            try coder.put(request, id.session, id.number)
            try coder.putBytes(payload)
        case .decline(let request, let id, let refusal, let text):
            try coder.tag(7)
            try coder.put(request, id.session, id.number, refusal.rawValue, text)
        case .timeReached: try coder.tag(8)
        case .sessionOpened, .sessionClosed, .received, .persisted, .persistFailed, .ending:
            throw CodecError("what the engine tells its exchange itself came from outside")
        }
    }

    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> Exchange.Input {
        switch tag {
        case 2:
            let (request, payload): (RequestID, [UInt8]) = (try coder.next(), try coder.nextBytes())
            let isUrgent = try coder.next(Bool.self)
            let id = try coder.next([RandomID].self).first
            return .transfer(request, Exchange.Transfer(payload: payload, isUrgent: isUrgent, id: id))
        case 3: return .cancel(try coder.next(), try coder.next())
        case 4: return .consumed(try coder.next())
        case 5:
            let (request, payload): (RequestID, [UInt8]) = (try coder.next(), try coder.nextBytes())
            let wantsReply = try coder.next(Bool.self)
            let timeout = try coder.next([Int64].self).first.map { Duration.nanoseconds($0) }
            return .message(request, Message(payload: payload, wantsReply: wantsReply, timeout: timeout))
        case 6:
            let request = try coder.next(RequestID.self)
            let id = MessageID(session: try coder.next(), number: try coder.next())
            return .reply(request, id, try coder.nextBytes())
        case 7:
            let request = try coder.next(RequestID.self)
            let id = MessageID(session: try coder.next(), number: try coder.next())
            guard let refusal = MessageRefusal(rawValue: try coder.next()) else {
                throw CodecError("a message is refused by an unknown word")
            }
            return .decline(request, id, refusal, text: try coder.next())
        case 8: return .timeReached
        default: throw CodecError("an exchange has no input \(tag)")
        }
    }
}
