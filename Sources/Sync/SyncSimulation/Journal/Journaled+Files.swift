import SyncCore

extension FileExchange.Input: JournaledInput {
    func write(into coder: inout RecordCoder) throws(CodecError) {
        switch self {
        case .send(let request, let file, let name, let byteCount, let digest, let metadata):
            try write(64, request, file, name, byteCount, digest, into: &coder)
            _ = try coder.bytes(metadata)
        case .cancel(let request, let id): try write(65, request, id, into: &coder)
        case .resultTaken(let id): try write(66, id, into: &coder)
        case .consumed(let id): try write(67, id, into: &coder)
        case .read(let id, let offset, let bytes):
            try write(68, id, offset, into: &coder)
            _ = try coder.bytes(bytes)
        case .readFailed(let id, let failure): try write(69, id, failure, into: &coder)
        case .began(let id, let offset): try write(70, id, offset, into: &coder)
        case .written(let id, let offset): try write(71, id, offset, into: &coder)
        case .synced(let id, let offset): try write(72, id, offset, into: &coder)
        case .finished(let id): try write(73, id, into: &coder)
        case .storeFailed(let id, let failure): try write(74, id, failure, into: &coder)
        case .discarded(let id): try write(75, id, into: &coder)
        case .timeReached: try write(76, into: &coder)
        case .sessionOpened, .sessionClosed, .received, .persisted, .persistFailed:
            throw CodecError("what the engine tells its files itself came from outside")
        }
    }

    private func write<each Value: RecordCodable>(
        _ tag: UInt8, _ value: repeat each Value, into coder: inout RecordCoder
    ) throws(CodecError) {
        _ = try coder.byte(tag)
        for value in repeat each value { _ = try coder(value) }
    }

    static func read(_ tag: UInt8, from coder: inout RecordCoder) throws(CodecError) -> FileExchange.Input {
        switch tag {
        case 64:
            let (request, file, name): (RequestID, String, String) = (
                try coder.next(), try coder.next(), try coder.next()
            )
            let (byteCount, digest): (UInt64, FileDigest) = (try coder.next(), try coder.next())
            return .send(
                request, file: file, name: name, byteCount: byteCount, digest, metadata: try coder.bytes(nil))
        case 65: return .cancel(try coder.next(), try coder.next())
        case 66: return .resultTaken(try coder.next())
        case 67: return .consumed(try coder.next())
        case 68: return .read(try coder.next(), offset: try coder.next(), try coder.bytes(nil))
        case 69: return .readFailed(try coder.next(), try coder.next())
        case 70: return .began(try coder.next(), at: try coder.next())
        case 71: return .written(try coder.next(), upTo: try coder.next())
        case 72: return .synced(try coder.next(), upTo: try coder.next())
        case 73: return .finished(try coder.next())
        case 74: return .storeFailed(try coder.next(), try coder.next())
        case 75: return .discarded(try coder.next())
        case 76: return .timeReached
        default: throw CodecError("files have no input \(tag)")
        }
    }
}
