import SyncCore

/// The files of a device in memory: copies to send, parts and received files.
struct TestFolder {
    var copies: [String: [UInt8]] = [:]
    private(set) var received: [RandomID: [UInt8]] = [:]
    private var parts: [RandomID: [UInt8]] = [:]
    var isFull = false

    /// A stand-in for SHA-256.
    static func digest(of bytes: [UInt8]) -> FileDigest {
        let sum = bytes.reduce(UInt64(bytes.count)) { ($0 &* 31) ^ UInt64($1) }
        let id = RandomID(high: sum, low: sum)
        guard let digest = FileDigest(hexadecimal: id.hexadecimal + id.hexadecimal) else {
            preconditionFailure("64 digits")
        }
        return digest
    }

    /// Does what the machine wants, and gives its answer.
    mutating func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        switch output {
        case .read(let id, let file, let offset, let byteCount):
            guard let bytes = copies[file] else { return .readFailed(id, FileFailure(.gone, "no \(file)")) }
            return .read(id, offset: offset, Array(bytes[Int(offset)...].prefix(byteCount)))
        case .release(let file): copies[file] = nil
        case .begin(let offer, let durable):
            if isFull { return .storeFailed(offer.id, FileFailure(.full, "no room")) }
            parts[offer.id] = Array((parts[offer.id] ?? []).prefix(Int(durable)))
            return .began(offer.id, at: durable)
        case .write(let id, let offset, let bytes):
            parts[id, default: []] += bytes
            return .written(id, upTo: offset + UInt64(bytes.count))
        case .sync(let id): return .synced(id, upTo: UInt64(parts[id]?.count ?? 0))
        case .finish(let offer):
            received[offer.id] = parts.removeValue(forKey: offer.id) ?? []
            return .finished(offer.id)
        case .discard(let id):
            parts[id] = nil
            received[id] = nil
            return .discarded(id)
        case .remove(let offer): received[offer.id] = nil
        case .send, .persist, .answer, .event: break
        }
        return nil
    }
}
