import SyncCore

/// The files of one half of a pairing: copies to send, the part of the one that arrives, and what has arrived.
///
/// A part is on the disk as soon as it is written: what a crash does to it is proven where the engine is.
struct PairFiles: Sendable {
    private(set) var copies: [String: [UInt8]] = [:]
    private var parts: [RandomID: [UInt8]] = [:]
    private(set) var received: [RandomID: [UInt8]] = [:]
    /// The app's files that are to be copied, as they were when they were queued.
    private(set) var held: [RandomID: [UInt8]] = [:]

    /// A file with fewer bytes is copied within the call; less than on a real device, so that small programs do both.
    static let heldByteCountMin = 4096

    mutating func keep(_ bytes: [UInt8], as copy: String) { copies[copy] = bytes }

    mutating func release(_ copy: String) { copies[copy] = nil }

    mutating func hold(_ bytes: [UInt8], of id: RandomID) { held[id] = bytes }

    mutating func letGo(_ id: RandomID) { held[id] = nil }

    /// Removes the copies and the held files that nothing refers to: what a life left that ended between two steps.
    mutating func tidy(_ state: FileExchange.State, keeping copiesInUse: Set<String>, held ids: Set<RandomID>) {
        held = held.filter { ids.contains($0.key) }
        let queued = Set(state.queue.map(\.file)).union(copiesInUse)
        copies = copies.filter { queued.contains($0.key) }
    }

    /// Does what an engine wants done; gives what to tell it, nil if there is nothing to tell.
    mutating func carryOut(_ output: FileExchange.Output, on disk: DiskState) -> FileExchange.Input? {
        switch output {
        case .read(let id, let file, let offset, let byteCount):
            guard let bytes = copies[file] else {
                return .readFailed(id, FileFailure(.gone, "there is no copy \(file)"))
            }
            return .read(id, offset: offset, Array(bytes.dropFirst(Int(offset)).prefix(byteCount)))
        case .release(let file): release(file)
        case .begin(let offer, let durable):
            if let failure = disk.failure { return .storeFailed(offer.id, failure) }
            if received[offer.id] != nil { return .finished(offer.id) }
            let part = Array((parts[offer.id] ?? []).prefix(Int(durable)))
            parts[offer.id] = part
            return .began(offer.id, at: UInt64(part.count))
        case .write(let id, let offset, let bytes):
            if let failure = disk.failure { return .storeFailed(id, failure) }
            guard let count = parts[id]?.count, count >= Int(offset) else { return nil }
            parts[id]?.replaceSubrange(Int(offset)..<min(count, Int(offset) + bytes.count), with: bytes)
            return .written(id, upTo: offset + UInt64(bytes.count))
        case .sync(let id):
            if let failure = disk.failure { return .storeFailed(id, failure) }
            return parts[id].map { .synced(id, upTo: UInt64($0.count)) }
        case .finish(let offer): return finish(offer, on: disk)
        case .discard(let id):
            parts[id] = nil
            received[id] = nil
            return .discarded(id)
        case .remove(let offer): received[offer.id] = nil
        case .send, .persist, .answer, .event: break
        }
        return nil
    }

    private mutating func finish(_ offer: FileOffer, on disk: DiskState) -> FileExchange.Input? {
        if let failure = disk.failure { return .storeFailed(offer.id, failure) }
        guard let part = parts.removeValue(forKey: offer.id) else { return nil }
        guard Self.digest(of: part) == offer.digest else {
            return .storeFailed(offer.id, FileFailure(.damaged, "the bytes have another digest"))
        }
        received[offer.id] = part
        return .finished(offer.id)
    }

    /// A digest that tells contents apart; nobody forges one here, so it need not be SHA-256.
    static func digest(of bytes: [UInt8]) -> FileDigest {
        var sums: (UInt64, UInt64) = (UInt64(bytes.count), 0x9E37_79B9_7F4A_7C15)
        for byte in bytes {
            sums.0 = (sums.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            sums.1 = (sums.1 &+ UInt64(byte)) &* 0xBF58_476D_1CE4_E5B9
        }
        let digest = [sums.0, sums.1, ~sums.0, ~sums.1].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        guard let digest = FileDigest(bytes: digest) else { preconditionFailure("a digest has 32 bytes") }
        return digest
    }
}

extension DiskState {
    /// Why a file cannot be stored, nil if it can.
    fileprivate var failure: FileFailure? {
        switch self {
        case .works: nil
        case .full: FileFailure(.full, "the disk is full")
        case .fails: FileFailure(.failed, "the disk fails")
        }
    }
}
