extension HubEngine {
    /// The durable state of the transfers with a watch; nil for a watch that is not paired.
    public func transfers(with watch: PeerKey) -> TransferState? {
        transfers[watch]?.value.state
    }

    /// The user info that a watch has not acknowledged yet, oldest first.
    public func outstandingItems(for watch: PeerKey) -> [OutstandingItem] {
        transfers[watch]?.value.outstanding ?? []
    }

    /// Handles a record that became durable; if its watch was unpaired meanwhile, the record has to be removed again.
    mutating func recorded(_ record: TransferRecord, of peer: PeerKey, at moment: Moment) {
        guard transfers[peer] == nil else { return transfer(record.persisted, with: peer, at: moment) }
        enqueue(.forget(peer), at: moment)
    }

    /// Handles an input of the transfers with a watch; refuses requests for a watch that is not paired.
    mutating func transfer(_ input: TransferInput, with peer: PeerKey, at moment: Moment) {
        guard transfers[peer] != nil else {
            if let request = input.request { put(.answer(request, .refused(.unknownWatch(peer)))) }
            return
        }
        drive(peer, at: moment) { $0.handle(input, at: moment) }
    }

    /// Changes the transfers with a watch, and carries out the outputs that result.
    mutating func drive(_ peer: PeerKey, at moment: Moment, _ move: (inout Transfers) -> [TransferOutput]) {
        var outputs: [TransferOutput] = []
        let deadline = transfers.modify(peer) { place in
            place.change { transfers in
                outputs = move(&transfers)
                return transfers.nextDeadline
            }
        }
        if let deadline = deadline ?? nil { comeBack(at: deadline) }
        for output in outputs {
            switch output {
            case .exchange(.send(let frame)), .files(.send(let frame)):
                if let connection = connections[peer] { put(.send(frame, connection)) }
            case .exchange(.endSession):
                guard let connection = connections[peer], let session = sessions[connection]?.value.id else { continue }
                put(.send(Frame(kind: .bye, session: session), connection))
                endSession(on: connection, because: .contradicted, at: moment)
            case .exchange(.persist(let record)): put(.record(peer, .exchange(record)))
            case .files(.persist(let record)): put(.record(peer, .files(record)))
            case .exchange, .files: put(.transfer(peer, output))
            }
        }
    }

    /// Starts transfers with newly paired watches, and ends those with unpaired ones.
    mutating func updateTransfers(at moment: Moment) {
        for peer in transfers.keys where pairings.watches[peer] == nil {
            drive(peer, at: moment) { $0.end(at: moment) }
            transfers[peer] = nil
        }
        for peer in pairings.watches.keys where transfers[peer] == nil {
            beginTransfers(with: peer, TransferState(), at: moment)
        }
    }

    mutating func beginTransfers(with peer: PeerKey, _ state: TransferState, at moment: Moment) {
        transfers[peer] = Boxed(
            Transfers(configuration: configuration.transfers, state: state, seed: generator.next()))
        drive(peer, at: moment) { $0.outputs() }
    }

    /// The hub is about to stop: stores now what was waiting for a later record.
    mutating func endTransfers(at moment: Moment) {
        for peer in transfers.keys { drive(peer, at: moment) { $0.ending(at: moment) } }
    }

    mutating func serveTransfers(at moment: Moment) {
        for peer in transfers.keys {
            let found = transfers.modify(peer) { $0.change { $0.nextDeadline } }
            guard let deadline = found ?? nil else { continue }
            if deadline <= moment.monotonic {
                drive(peer, at: moment) { $0.timeReached(at: moment) }
            } else {
                comeBack(at: deadline)
            }
        }
    }
}

extension TransferInput {
    /// The identifier of the application's request; nil if the input is not a request of the application.
    var request: RequestID? {
        switch self {
        case .exchange(.transfer(let request, _)), .exchange(.cancel(let request, _)),
            .exchange(.message(let request, _)), .exchange(.reply(let request, _, _)),
            .exchange(.decline(let request, _, _, _)), .files(.cancel(let request, _)),
            .files(.send(let request, _, _, _, _, _)):
            request
        case .exchange, .files: nil
        }
    }
}
