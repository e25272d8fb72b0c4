package import SyncCore

/// The files of one side: those that it sends, the part of the one that it receives, and those that it received.
package struct SimulatedFiles {
    /// A part of a file; what is not synced may be anything after a crash.
    struct Part {
        var bytes: [UInt8]
        var synced: Int
        /// The file as its sender calls it.
        var name = ""
    }

    private(set) var outgoing: [String: [UInt8]] = [:]
    private var parts: [RandomID: Part] = [:]
    /// The files under their names.
    private(set) var received: [RandomID: [UInt8]] = [:]

    /// The application makes a copy of a file to send.
    mutating func keep(_ file: String, _ bytes: [UInt8]) { outgoing[file] = bytes }

    /// The copy of a file is no longer needed.
    mutating func release(_ file: String) { outgoing[file] = nil }

    /// How much of the part of a file is written, and how much of that will survive a crash.
    func byteCounts(of id: RandomID) -> (written: UInt64, synced: UInt64) {
        parts[id].map { (UInt64($0.bytes.count), UInt64($0.synced)) } ?? (0, 0)
    }

    /// The bytes from the start of a part that survive a crash, nil if there is no part of the file.
    func synced(of id: RandomID) -> UInt64? { parts[id].map { UInt64($0.synced) } }

    /// Whether these bytes are what the file has there.
    func belongs(_ bytes: [UInt8], to id: RandomID, at offset: Int) -> Bool {
        guard let part = parts[id], let sample = SampleFile(name: part.name) else { return true }
        return offset + bytes.count <= sample.byteCount && sample.isThere(bytes, at: offset)
    }

    /// Does what an engine requests; returns the result, nil if the engine needs none.
    ///
    /// With a fault it does not succeed.
    mutating func carryOut(_ output: FileExchange.Output, fault: FileFailure?) -> FileExchange.Input? {
        switch output {
        case .read(let id, let file, let offset, let byteCount):
            guard let bytes = outgoing[file], fault == nil else {
                return .readFailed(id, fault ?? FileFailure(.gone, "there is no \(file)"))
            }
            return .read(id, offset: offset, Array(bytes.dropFirst(Int(offset)).prefix(byteCount)))
        case .release(let file):
            release(file)
            return nil
        case .begin(let offer, let durable):
            if let fault { return .storeFailed(offer.id, fault) }
            return begin(offer, durable: Int(durable))
        case .write(let id, let offset, let bytes):
            if let fault { return .storeFailed(id, fault) }
            return write(id, Int(offset), bytes)
        case .sync(let id):
            if let fault { return .storeFailed(id, fault) }
            guard let part = parts[id] else { return nil }
            parts[id]?.synced = part.bytes.count
            return .synced(id, upTo: UInt64(part.bytes.count))
        case .finish(let offer):
            if let fault { return .storeFailed(offer.id, fault) }
            return finish(offer)
        case .discard(let id):
            parts[id] = nil
            received[id] = nil
            return .discarded(id)
        case .remove(let offer):
            received[offer.id] = nil
            return nil
        case .send, .persist, .answer, .event:
            return nil
        }
    }

    private mutating func begin(_ offer: FileOffer, durable: Int) -> FileExchange.Input {
        if received[offer.id] != nil { return .finished(offer.id) }
        var part = parts[offer.id] ?? Part(bytes: [], synced: 0)
        part.bytes = Array(part.bytes.prefix(durable))
        part.synced = part.bytes.count
        part.name = offer.name
        parts[offer.id] = part
        return .began(offer.id, at: UInt64(part.bytes.count))
    }

    /// Writes at the offset; a gap is filled with zeros, as in a file system.
    private mutating func write(_ id: RandomID, _ offset: Int, _ bytes: [UInt8]) -> FileExchange.Input? {
        guard let count = parts[id]?.bytes.count else { return nil }
        if count < offset { parts[id]?.bytes += [UInt8](repeating: 0, count: offset - count) }
        parts[id]?.bytes.replaceSubrange(offset..<min(max(count, offset), offset + bytes.count), with: bytes)
        return .written(id, upTo: UInt64(offset + bytes.count))
    }

    private mutating func finish(_ offer: FileOffer) -> FileExchange.Input? {
        guard let part = parts.removeValue(forKey: offer.id) else { return nil }
        guard UInt64(part.bytes.count) == offer.byteCount, FileDigest.simulated(of: part.bytes) == offer.digest else {
            return .storeFailed(offer.id, FileFailure(.damaged, "the bytes have another digest"))
        }
        received[offer.id] = part.bytes
        return .finished(offer.id)
    }

    /// The machine crashes: what was not synced is gone or damaged; unreferenced files are removed at the next start.
    mutating func crash(_ state: FileExchange.State, keepsLength: Bool) {
        for (id, part) in parts {
            let lost = keepsLength ? part.bytes.count - part.synced : 0
            parts[id]?.bytes = Array(part.bytes.prefix(part.synced)) + [UInt8](repeating: 0, count: lost)
        }
        tidy(state)
    }

    /// Removes unreferenced files; some copies may be needed although they are in no queue yet.
    mutating func tidy(_ state: FileExchange.State, keeping copies: Set<String> = []) {
        let files = Set(state.queue.map(\.file)).union(copies)
        outgoing = outgoing.filter { files.contains($0.key) }
        let incoming = state.incoming?.offer.id
        parts = parts.filter { $0.key == incoming }
        let names = Set(state.received.map(\.id))
        received = received.filter { names.contains($0.key) || $0.key == incoming }
    }
}

extension FileDigest {
    /// A digest for simulated files: it only has to differ for other bytes.
    package static func simulated(of bytes: [UInt8]) -> FileDigest {
        var sums: (UInt64, UInt64) = (UInt64(bytes.count), 0x9E37_79B9_7F4A_7C15)
        let count = bytes.count
        var place = 0
        while place < count {
            let byte = UInt64(truncatingIfNeeded: bytes[place])
            sums.0 = (sums.0 ^ byte) &* 0x0000_0100_0000_01B3
            sums.1 = (sums.1 &+ byte) &* 0xBF58_476D_1CE4_E5B9
            place &+= 1
        }
        let digest = [sums.0, sums.1, ~sums.0, ~sums.1].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        guard let digest = FileDigest(bytes: digest) else { preconditionFailure("a digest has 32 bytes") }
        return digest
    }
}

/// A file that a simulated application sends: its bytes follow from its name, so that any check can compare them.
struct SampleFile: Equatable {
    let number: UInt64
    let byteCount: Int

    init(number: UInt64, byteCount: Int) {
        self.number = number
        self.byteCount = byteCount
    }

    /// Reads a name.
    init?(name: String) {
        let words = name.split(separator: "-")
        guard words.count == 2, let number = UInt64(words[0]), let byteCount = Int(words[1]) else { return nil }
        self.init(number: number, byteCount: byteCount)
    }

    var name: String { "\(number)-\(byteCount)" }
    var metadata: [UInt8] { Array("about \(number)".utf8) }

    // Plain loops: runs spend much of their time here, and a build without optimization calls each closure.

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var place = 0
        while place < byteCount {
            bytes[place] = byte(place)
            place &+= 1
        }
        return bytes
    }

    /// Whether the file has these bytes from an offset on.
    func isThere(_ bytes: [UInt8], at offset: Int) -> Bool {
        let count = bytes.count
        var place = 0
        while place < count {
            guard bytes[place] == byte(offset &+ place) else { return false }
            place &+= 1
        }
        return true
    }

    private func byte(_ place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (place &* 31) ^ (place >> 8) ^ Int(truncatingIfNeeded: number))
    }
}
