import SyncCore

/// The uploads that arrived at the hub, as an observer of the line can read them.
///
/// A hub applies the uploads of a watch one after the other, and a number always means the same upload. A watch that
/// keeps to the protocol never uses a number twice; a forger with the key of a watch does.
struct UploadChecker {
    private struct Numbering: Hashable {
        var peer: PeerKey
        var incarnation: RandomID
    }

    /// By numbering, the numbers under which something came.
    private var arrived: [Numbering: Set<UInt64>] = [:]
    /// What watches have brought as salvage.
    private var salvage = SalvageChecker()
    /// The groups of transactions that wait for the hub's store; while there is one, uploads wait, too.
    private var openCount = 0
    /// The number under which the present message has other contents than those that were applied, until the hub
    /// notices it.
    private var contradicted: UInt64?

    mutating func groupBegan() { openCount += 1 }
    mutating func groupEnded() { openCount -= 1 }

    /// The hub's process ends.
    mutating func forget() { openCount = 0 }

    // MARK: - What comes

    /// A message arrives at the hub, whose engine knows this state of its sender's uploads as durable.
    mutating func arrives(_ parts: [[UInt8]], from peer: PeerKey, confirmed mark: UploadMark?) {
        contradicted = nil
        // What cannot be read is dropped; that is checked elsewhere.
        guard let frame = try? FrameCodec.frame(of: parts), frame.kind == .upload,
            let body = try? JSONValue(decoding: frame.body),
            let incarnation = body["incarnation"]?.string.flatMap({ RandomID(hexadecimal: $0) }),
            let uploads = try? (body["uploads"]?.array ?? []).map({ try NumberedUpload(decoding: $0.encoded) })
        else { return }
        arrived[Numbering(peer: peer, incarnation: incarnation), default: []].formUnion(uploads.map(\.sequence))
        salvage.arrives(uploads, from: peer)
        guard openCount == 0, let mark, mark.incarnation == incarnation else { return }
        contradicted = uploads.first { $0.sequence <= mark.highest && isAnother($0.upload, mark) }?.sequence
    }

    /// Whether an upload is not one of those that were applied from its watch.
    ///
    /// Of salvage that was not needed that cannot be known.
    private func isAnother(_ upload: Upload, _ mark: UploadMark) -> Bool {
        guard case .edit(let edit) = upload else { return false }
        return !mark.taken.contains(edit.id)
    }

    /// The hub has dropped the message, or has found its contradiction.
    mutating func refused() { contradicted = nil }

    /// The hub has handled the message.
    ///
    /// Uploads that wait until their watch has paid for earlier ones are compared later.
    mutating func handled(isHeld: Bool = false) -> Checks.Finding? {
        guard let sequence = contradicted.take(), !isHeld else { return nil }
        return Checks.Finding(.noSilentLoss, "another upload comes as number \(sequence), and the hub passes over it")
    }

    // MARK: - What is applied

    /// A transaction is durable: everything that it applies has arrived, without a gap.
    func took(_ transaction: Transaction, after before: LedgerState) -> Checks.Finding? {
        guard let progress = transaction.progress else { return nil }
        let mark = before.uploads[progress.peer].flatMap { $0.incarnation == progress.incarnation ? $0.highest : nil }
        let numbers = arrived[Numbering(peer: progress.peer, incarnation: progress.incarnation)] ?? []
        var number = mark ?? 0
        while number < progress.highest {
            number += 1
            guard numbers.contains(number) else {
                return Checks.Finding(
                    .inOrder, "the hub takes upload \(progress.highest) although number \(number) never came")
            }
        }
        return salvage.took(transaction)
    }
}
