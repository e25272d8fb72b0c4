import SyncCore

extension Checks {
    /// What a frame tells has to be durable at the side that sends it, and none of it is a secret.
    func sends(
        _ frame: Frame, at side: Side, durable: TransferState, files: SimulatedFiles? = nil
    ) -> Finding? {
        if side.isHub, frame.blob.contains(Application.secretMark), frame.kind == .context {
            return Finding(.secrecy, "a CONTEXT holds a secret")
        }
        // A body that the engine made up and nobody can read is dropped there: then something does not converge.
        switch frame.kind {
        case .itemAcknowledged:
            guard let body = try? JSONValue(decoding: frame.body), let stream = body["stream"]?.string else {
                return nil
            }
            return arrivals.wasDurable(frame.sequence, of: stream, at: side)
                ? nil
                : Finding(.durabilityOrder, "\(side.name) acknowledges item \(frame.sequence) before it is durable")
        case .done:
            guard let body = try? JSONValue(decoding: frame.body), let text = body["id"]?.string,
                let id = RandomID(hexadecimal: text), !durable.files.finished.contains(id)
            else { return nil }
            return Finding(.durabilityOrder, "\(side.name) says done before the file is durable")
        case .pull:
            guard let body = try? JSONValue(decoding: frame.body), let count = body["bytes"]?.hexadecimal,
                let offset = body["offset"]?.hexadecimal, let text = body["id"]?.string,
                let id = RandomID(hexadecimal: text), let arrived = body["arrived"]?.hexadecimal,
                offset <= UInt64.max - count
            else { return nil }
            let onItsWay = offset + count - min(offset, arrived)
            guard onItsWay <= FileExchange.creditByteCount else {
                return Finding(.boundedQueues, "\(side.name) lets \(onItsWay) bytes of a file be on their way")
            }
            // Of a real run nobody kept what was written when.
            let written = files?.byteCounts(of: id).written ?? arrived
            let unwritten = offset + count - min(offset, written)
            guard unwritten > FileExchange.unwrittenByteCountMax else { return nil }
            return Finding(.boundedQueues, "\(side.name) keeps \(unwritten) bytes of a file in its memory")
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .message, .reply,
            .messageError, .context, .contextAcknowledged, .upload, .item, .offer, .chunk, .abort:
            return nil
        }
    }
}
