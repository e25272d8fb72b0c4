extension Ledger {
    /// What the history is to do with some uploads.
    package enum UploadVerdict {
        /// Make this durable.
        case take(Transaction, isClockSuspect: Bool)
        /// Nothing: all of it was taken in before, or something before it is missing.
        case nothing
        /// Nothing: the log of conflicts has no room for the next one, which waits for this reason.
        case full(UploadOutcome)
        /// The watch's numbering contradicts what was taken in: it was put back, or exists twice.
        case contradiction
    }

    /// Prepares the transaction that takes in some uploads.
    package mutating func prepare(
        _ batch: UploadBatch, author: Merge.Author, policy: Merge.Policy, size: ConfigurationSize,
        wallMilliseconds: Int64
    ) -> UploadVerdict {
        let mark = state.uploads[author.peer]
        if let mark, mark.incarnation == batch.incarnation {
            let repeated = batch.uploads.filter { $0.sequence <= mark.highest }
            let areSame = repeated.allSatisfy { isTaken($0.upload, mark, policy.schema) }
            guard areSame || flaws.contains(.hubTrustsNumbers) else { return .contradiction }
        } else if let first = batch.uploads.first, first.sequence > 1 {
            // The hub does not know this numbering, so it cannot know what came before.
            return .contradiction
        }
        var merge = Merge(
            ledger: self, author: author, policy: policy, size: size, wallMilliseconds: wallMilliseconds)
        guard let transaction = merge.take(batch) else { return merge.obstacle.map { .full($0) } ?? .nothing }
        clock = merge.clock
        return .take(transaction, isClockSuspect: merge.isClockSuspect)
    }

    /// Whether an upload whose number was taken in may be the one that had it.
    private func isTaken(_ upload: Upload, _ mark: UploadMark, _ schema: Schema) -> Bool {
        if upload.isRemembered(by: mark.taken) { return true }
        guard case .salvage(let lost) = upload else { return false }
        // Salvage that is not needed leaves no trace of its own, and a disappearance hardly ever is.
        return lost.isSeenDeletion || schema.rule(of: lost.key) == nil || state.knows(lost) || state.knows(lost.id)
            || state.knows(lost.edit)
    }
}
