extension Transaction {
    /// The digest over the history before and this transaction.
    ///
    /// It detects accidents such as a restored backup, not forgery. Only the hub writes the history and computes
    /// digests; watches only compare them.
    var digest: UInt64 {
        var digest = Digest(before.chain)
        digest.feed(after.epoch.number)
        digest.feed(after.revision)
        digest.feed(stamp)
        for (key, cell) in written.pairs {
            digest.feed(key)
            digest.feed(cell.value)
            digest.feed(cell.dot)
            digest.feed(cell.stamp)
        }
        for key in removed { digest.feed(key) }
        for id in logged.keys { digest.feed(id) }
        for id in settled { digest.feed(id) }
        if let progress { digest.feed(progress) }
        digest.feed(UInt64(forgotten.count))
        for peer in released { digest.feed(peer.node) }
        return digest.value
    }
}

/// Combines 64-bit words; each one affects all bits of the digest.
private struct Digest {
    private(set) var value: UInt64

    init(_ start: UInt64) {
        value = SplitMix64.mix(start &+ 0x9E37_79B9_7F4A_7C15)
    }

    mutating func feed(_ word: UInt64) {
        value = SplitMix64.mix((value ^ word) &* 0x0000_0100_0000_01B3 &+ 0x9E37_79B9_7F4A_7C15)
    }

    mutating func feed(_ id: RandomID) {
        feed(id.high)
        feed(id.low)
    }

    mutating func feed(_ stamp: Stamp) {
        feed(UInt64(bitPattern: stamp.milliseconds))
        feed(UInt64(stamp.counter))
        feed(stamp.node)
    }

    mutating func feed(_ key: CellKey) {
        feed(key.kind)
        feed(key.record)
        feed(key.group)
    }

    mutating func feed(_ progress: UploadProgress) {
        feed(progress.incarnation)
        feed(progress.highest)
        for id in progress.remembered { feed(id) }
        for write in progress.rejected { feed(write.dot) }
    }

    mutating func feed(_ text: String?) {
        guard let text else { return feed(UInt64.max) }
        feed(UInt64(text.utf8.count))
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count.isMultiple(of: 8) {
                feed(word)
                word = 0
            }
        }
        feed(word)
    }
}
