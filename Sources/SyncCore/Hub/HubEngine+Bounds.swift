/// What one key may take of the hub: a few connections, and a share of its work.
extension HubEngine {
    /// Whether frames of a key are not looked at now.
    func isShut(_ peer: PeerKey, now: Instant) -> Bool {
        records[peer]?.budget.isShut(now: now) ?? false
    }

    /// Charges a key for what it sent, and cuts it off when it has spent what it may.
    mutating func charge(_ peer: PeerKey, _ price: Int64, at moment: Moment) {
        guard !flaws.contains(.hubReadsAnything) else { return }
        let isSpent = records.update(peer, default: WatchRecord()) { record in
            record.budget.charge(price, now: moment.monotonic)
        }
        guard isSpent else { return }
        put(.event(.cutOff(peer, name: name(of: peer))))
        guard let connection = connections[peer], let session = sessions[connection]?.value else { return }
        // Its connection stays open, so that these words arrive; the next frame on it ends it.
        let wait = SenderBudget.shutTime
        let refusal = Refusal(
            code: .failed,
            text: "this watch sent the hub faulty frames, or more than one watch may; it is not heard for "
                + "\(wait.components.seconds) s",
            retryAfterMilliseconds: UInt32(wait.components.seconds * 1000))
        put(.send(refusal.frame(nonce: 0, session: session.id), connection))
        endSession(on: connection, because: .cutOff, at: moment)
    }

    /// A key greets, or asks, on a connection: it has a few at most, and the newest count.
    mutating func use(_ connection: ConnectionID, by peer: PeerKey) {
        let ofSession = connections[peer]
        let closed = records.update(peer, default: WatchRecord()) { record -> ConnectionID? in
            guard !record.connections.contains(connection) else { return nil }
            record.connections.append(connection)
            guard record.connections.count > Self.connectionLimit else { return nil }
            return record.connections.first { $0 != connection && $0 != ofSession }
        }
        if let closed { close(closed, of: peer) }
    }

    /// Closes a connection of a key; what still comes from it is none of an open session.
    mutating func close(_ connection: ConnectionID, of peer: PeerKey) {
        records.modify(peer) { record in record.connections.removeAll { $0 == connection } }
        closings.removeAll { $0.connection == connection }
        // Its name may be that of another watch's connection by now.
        if sessions[connection].map({ $0.value.peer == peer }) ?? true { put(.close(connection)) }
    }

    /// Closes the overtaken connections whose time has come, and that have not taken the session back.
    mutating func closeOvertaken(at moment: Moment) {
        let due = closings.filter { $0.at <= moment.monotonic }
        closings.removeAll { $0.at <= moment.monotonic }
        for closing in due where connections[closing.peer] != closing.connection {
            close(closing.connection, of: closing.peer)
        }
        if let next = closings.map(\.at).min() { comeBack(at: next) }
    }
}
