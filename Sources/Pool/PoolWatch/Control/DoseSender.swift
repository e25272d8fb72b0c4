internal import PoolModel
internal import SyncCore

/// Queues the doses that a person logs at a watch: as user info, which is durable here, arrives once and in order.
struct DoseSender: Sendable {
    let replica: any WatchReplica
    /// The time by the hub's clock.
    var now: @Sendable () -> Timestamp

    /// Queues a dose; it is on the disk when this returns.
    ///
    /// - Throws: `DoseError`, and errors of the store.
    func perform(_ dose: Dose) async throws -> WatchAnswer {
        try dose.validate(at: now())
        let contents = try await replica.contents()
        guard contents.revision != nil else { return .refused(WatchReport.noConfiguration) }
        guard let pool = WatchConfiguration(entries: contents.entries).pool(dose.poolID) else {
            throw ConfigurationError.missing(.pool, "\(dose.poolID)")
        }
        switch try await replica.send(try Self.transfer(of: dose)) {
        case .accepted, .declined(.knownItem): return .queuedDose(dose, pool: pool.name)
        case .declined(let fault): return .refused("The dose was not logged: \(fault).")
        case .cancelled, .replied, .delivered, .replySent, .failed:
            return .refused("The dose was not logged: the engine gave an answer to something else.")
        }
    }

    /// The user info of a dose; its identifier is that of the dose, so that it is one item, too.
    private static func transfer(of dose: Dose) throws -> Exchange.Transfer {
        let json = String(decoding: try CanonicalJSON.encode(dose), as: UTF8.self)
        return Exchange.Transfer(
            payload: try PropertyList.dictionary(["dose": .string(json)]).encoded(), id: RandomID(dose.id))
    }
}
