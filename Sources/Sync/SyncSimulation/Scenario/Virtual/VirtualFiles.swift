import SyncCore

/// The files of a device in virtual time; a process that dies leaves them as they are.
struct VirtualFiles: Sendable {
    private var outgoing: [String: [UInt8]] = [:]
    private var parts: [RandomID: [UInt8]] = [:]
    private var received: [RandomID: [UInt8]] = [:]

    /// Keeps a copy of a file to send.
    mutating func keep(_ content: [UInt8], as file: String) {
        outgoing[file] = content
    }

    /// The bytes of a file that was received whole.
    func content(of id: RandomID) -> [UInt8]? { received[id] }

    /// Does what an exchange wants done with files; gives its answer, nil where there is none.
    mutating func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        switch output {
        case .read(let id, let file, let offset, let byteCount):
            guard let content = outgoing[file] else { return .readFailed(id, FileFailure(.gone, "the copy is gone")) }
            return .read(id, offset: offset, Array(content.dropFirst(Int(offset)).prefix(byteCount)))
        case .begin(let offer, let durable):
            guard received[offer.id] == nil else { return .finished(offer.id) }
            let part = parts[offer.id]?.prefix(Int(durable)) ?? []
            parts[offer.id] = Array(part)
            return .began(offer.id, at: UInt64(part.count))
        case .write(let id, let offset, let bytes):
            let part = parts[id] ?? []
            guard part.count == Int(offset) else {
                return .storeFailed(id, FileFailure(.damaged, "a hole in the part"))
            }
            parts[id, default: []] += bytes
            return .written(id, upTo: offset + UInt64(bytes.count))
        case .sync(let id): return .synced(id, upTo: UInt64(parts[id]?.count ?? 0))
        case .finish(let offer):
            guard let part = parts.removeValue(forKey: offer.id), Self.digest(of: part) == offer.digest else {
                return .storeFailed(offer.id, FileFailure(.damaged, "not the bytes that were offered"))
            }
            received[offer.id] = part
            return .finished(offer.id)
        case .discard(let id):
            parts[id] = nil
            return .discarded(id)
        case .release(let file): outgoing[file] = nil
        case .remove(let offer): received[offer.id] = nil
        case .send, .persist, .answer, .event: break
        }
        return nil
    }

    /// A digest that tells contents apart; nobody forges it here, so it need not be SHA-256.
    static func digest(of content: [UInt8]) -> FileDigest {
        var words: [UInt64] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9]
        for byte in content {
            words[0] = (words[0] ^ UInt64(byte)) &* 0x100_0000_01b3
            words[1] = (words[1] &+ words[0]) &* 6_364_136_223_846_793_005
        }
        var bytes: [UInt8] = []
        for word in words + words.reversed() {
            for shift in stride(from: UInt64(0), through: 56, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        guard let digest = FileDigest(bytes: bytes) else { preconditionFailure("\(bytes.count) bytes of a digest") }
        return digest
    }
}
