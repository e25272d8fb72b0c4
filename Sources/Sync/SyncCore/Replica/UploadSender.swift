/// Sends a watch's uploads to the hub, one batch at a time; a snapshot confirms them.
///
///     idle ──something waits──▶ awaiting ──confirmed──▶ idle
///                                 │  ▲
///                                 └──┘ no confirmation in time: what waits is sent again
struct UploadSender: Hashable, Sendable {
    /// The time after which unconfirmed uploads are sent again.
    static let resendAfter = Duration.seconds(2)

    private enum State: Hashable, Sendable {
        /// The state while no uploads are on their way.
        case idle
        /// The state while uploads up to a number are on their way.
        case awaiting(incarnation: RandomID, last: UInt64, resendAt: Instant)
    }

    private var state = State.idle

    /// When to call ``next(_:now:)`` again; nil if only an event can change its result.
    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .awaiting(_, _, let resendAt): resendAt
        }
    }

    /// A session began or ended: the uploads on their way may be lost.
    mutating func reset() {
        state = .idle
    }

    /// The batch to send now, nil if there is none or if one is on its way.
    mutating func next(_ replica: ReplicaState, now: Instant) -> UploadBatch? {
        guard let first = replica.pending.first else {
            state = .idle
            return nil
        }
        if case .awaiting(replica.incarnation, let last, let resendAt) = state, first.sequence <= last, now < resendAt {
            return nil
        }
        var uploads: [NumberedUpload] = []
        // There is no comma before the first one.
        var byteCount = -1
        for upload in replica.pending.prefix(UploadBatch.countMax) {
            byteCount += upload.json.encoded.count + 1
            guard uploads.isEmpty || byteCount <= UploadBatch.byteCountMax else { break }
            uploads.append(upload)
        }
        let last = uploads.last?.sequence ?? first.sequence
        state = .awaiting(
            incarnation: replica.incarnation, last: last, resendAt: now.advanced(by: Self.resendAfter))
        return UploadBatch(
            incarnation: replica.incarnation, firstPending: first.sequence, uploads: uploads)
    }
}
