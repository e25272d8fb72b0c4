extension Ledger {
    /// What the hub has to do with a batch of uploads.
    package enum UploadVerdict {
        /// Make this transaction durable.
        case take(Transaction, isClockSuspect: Bool)
        /// Nothing: all uploads were taken in before, or an earlier one is missing.
        case nothing
        /// Nothing: the conflict log has no room for the next upload, which waits for this reason.
        case full(UploadOutcome)
        /// The watch's numbering contradicts what the hub has taken in: its store was restored from a backup, or
        /// cloned.
        case contradiction
    }

    /// Prepares the transaction that takes in a batch of uploads.
    package mutating func prepare(
        _ batch: UploadBatch, author: Merge.Author, policy: Merge.Policy, size: ConfigurationSize,
        wallMilliseconds: Int64
    ) -> UploadVerdict {
        let mark = head.uploads[author.peer]
        if let mark, mark.incarnation == batch.incarnation {
            let repeated = batch.uploads.filter { $0.sequence <= mark.highest }
            let areSame = repeated.allSatisfy { isTaken($0.upload, mark, policy.schema) }
            guard areSame else { return .contradiction }
        } else if let first = batch.uploads.first, first.sequence > 1 {
            // The hub does not know this numbering, so it cannot know the earlier uploads.
            return .contradiction
        }
        var merge = Merge(
            ledger: self, author: author, policy: policy, size: size, wallMilliseconds: wallMilliseconds)
        let taken = merge.take(batch)
        index.stepCount += merge.steps.count
        guard let transaction = taken else { return merge.obstacle.map { .full($0) } ?? .nothing }
        clock = merge.clock
        return .take(transaction, isClockSuspect: merge.isClockSuspect)
    }

    /// Whether an upload with a number that was taken in before can be the same upload.
    private func isTaken(_ upload: Upload, _ mark: UploadMark, _ schema: Schema) -> Bool {
        if upload.isRemembered(by: mark.taken) { return true }
        guard case .salvage(let lost) = upload else { return false }
        // The hub keeps no record of salvage that it did not need, and hardly ever one of a seen deletion.
        return lost.isSeenDeletion || schema.rule(of: lost.key) == nil
            || knows(lost) || knows(lost.id) || knows(lost.edit)
    }
}
