/// Prepares and finishes the transactions of the requests that need the ledger.
extension HubEngine {
    mutating func enqueue(_ request: LedgerRequest, at moment: Moment) {
        guard requests.append(request) else { return decline(request, .busy, at: moment) }
        startNextGroup(at: moment)
    }

    /// What a request needs.
    private enum Preparation {
        /// A transaction has to become durable.
        case transaction(Transaction)
        /// Nothing: it is done already.
        case done
        /// Nothing: it is refused.
        case refused(RequestError)
        /// Nothing: it was answered on the way, or gets no answer.
        case answered

        /// A transaction if there is one.
        init(_ transaction: Transaction?) {
            self = transaction.map { .transaction($0) } ?? .answered
        }

        /// Whether it tells the application something about the configuration.
        var isFinal: Bool {
            switch self {
            case .done, .refused: true
            case .transaction, .answered: false
            }
        }
    }

    /// Prepares the transactions of the requests that wait, as many as can become durable in one step.
    private mutating func startNextGroup(at moment: Moment) {
        while let request = requests.next() {
            if let last = requests.lastPrepared, !ledger.hasStaged(last) {
                sizeAhead = (sizeAhead ?? size).after(last, ledger.head)
                ledger.stage(last)
            }
            let preparation = prepare(request, at: moment)
            if requests.lastPrepared != nil, preparation.isFinal {
                // What it was judged by is not durable yet, and may never be.
                requests.putBack(request)
                break
            }
            switch preparation {
            case .transaction(var transaction):
                transaction.author = request.id.flatMap { authors[$0] }
                requests.join(transaction, for: request)
            case .done: finish(request, with: ledger.version, at: moment)
            case .refused(let fault): decline(request, fault, at: moment)
            case .answered: forgetAuthor(of: request)
            }
        }
        let group = requests.begin()
        if !group.isEmpty { put(.persist(group)) }
    }

    private mutating func prepare(_ request: LedgerRequest, at moment: Moment) -> Preparation {
        switch request {
        case .transact(_, let changes, let expected):
            let version = ledger.head.version
            if let expected, expected != version { return .refused(.versionMoved(version)) }
            return prepare(changes, at: moment)
        case .invite(_, let invitation):
            return prepare(pairings.inviting(invitation, at: moment.monotonic), at: moment)
        case .unpair(_, let key):
            guard pairings.watches[key] != nil else { return .refused(.unknownWatch(key)) }
            return prepare(pairings.unpairing(key), forgetting: [key], releasing: pairings.releases, at: moment)
        case .settle(_, let conflict, let restoring):
            guard let lost = ledger.head.conflicts[conflict] else { return .refused(.unknownConflict(conflict)) }
            return prepareSettling(lost, restoring: restoring, at: moment)
        case .pair(let pairing, let peer, let connection):
            return judge(pairing, from: peer, on: connection, at: moment).map { prepare($0, at: moment) } ?? .answered
        case .upload(let batch, let peer, let connection):
            return Preparation(prepare(batch, from: peer, on: connection, at: moment))
        case .purge:
            return Preparation(
                ledger.preparePurge(seenByAll: seenByAll, wallMilliseconds: moment.wallMilliseconds))
        case .forget(let peer):
            return pairings.watches[peer] == nil ? prepare([], forgetting: [peer], at: moment) : .answered
        case .beginEpoch:
            guard ledger.version.epoch == firstEpoch else { return .done }
            return .transaction(ledger.prepareFork(generator: &generator))
        case .fork(let hello, _):
            // A fork that another watch caused meanwhile may have solved this already.
            guard isContradicted(by: hello) else { return .answered }
            return .transaction(ledger.prepareFork(generator: &generator))
        }
    }

    private mutating func prepare(
        _ changes: [CellChange], settling settled: [RandomID] = [], forgetting forgotten: [PeerKey] = [],
        releasing released: [PeerKey] = [], at moment: Moment
    ) -> Preparation {
        let transaction = ledger.prepare(
            changes, settling: settled, forgetting: forgotten, releasing: released,
            schema: configuration.schema, wallMilliseconds: moment.wallMilliseconds, generator: &generator)
        if transaction.isEmpty { return .done }
        let before = sizeAhead ?? size
        let after = before.after(transaction, ledger.head)
        // A change that makes the configuration smaller is accepted even above the limit.
        guard after.cellByteCount <= Self.cellByteCountMax || after.cellByteCount <= before.cellByteCount else {
            return .refused(.snapshotTooLarge(byteCount: after.cellByteCount))
        }
        return .transaction(transaction)
    }

    /// Restores or dismisses all cells of the edit that lost.
    private mutating func prepareSettling(
        _ lost: Conflict, restoring: Bool, at moment: Moment
    ) -> Preparation {
        let together = ledger.head.conflicts.values.ofEdit(with: lost.id)
        let changes = together.map { CellChange(key: $0.key, value: $0.loser.value) }
        // The conflict log also holds writes that the watch was not allowed to make, even to the engine's own kinds
        // and to cells with invalid names. Those cannot be restored.
        if restoring, let fault = changes.compactMap({ fault($0) }).first {
            return .refused(fault)
        }
        return prepare(restoring ? changes : [], settling: together.map(\.id), at: moment)
    }

    private mutating func prepare(
        _ batch: UploadBatch, from peer: PeerKey, on connection: ConnectionID, at moment: Moment
    ) -> Transaction? {
        // The watch may have been unpaired, or its session may have ended, since the batch arrived.
        guard let session = sessions[connection]?.value, session.peer == peer else { return nil }
        let names = pairings.names
        var policy = Merge.Policy(
            schema: configuration.schema, watchCount: pairings.watches.count, objection: configuration.objection
        ) { node in
            node == 0 ? "hub" : names[node] ?? "a former watch"
        }
        policy.mayWrite = { [mayWrite = configuration.mayWrite] key in mayWrite(peer, key) }
        let author = Merge.Author(peer: peer, name: name(of: peer), records: session.records)
        let verdict = ledger.prepare(
            batch, author: author, policy: policy, size: sizeAhead ?? size, wallMilliseconds: moment.wallMilliseconds)
        switch verdict {
        case .take(let transaction, let isClockSuspect):
            if isClockSuspect { put(.event(.clockSuspect(peer))) }
            sessions.modify(connection) { $0.value.waitsNoLonger() }
            return transaction
        case .full(let outcome):
            put(.event(.conflictsFull(peer)))
            let isNews = sessions.modify(connection) {
                $0.value.waits(outcome, of: batch.incarnation, now: moment.monotonic)
            }
            if isNews == true {
                sendContext(session.context.form, on: connection)
                owe(peer, at: moment)
            }
        case .contradiction:
            // The next WELCOME says how far the hub counts; the watch then starts a new numbering.
            put(.event(.uploadsContradicted(peer)))
            put(.send(Frame(kind: .bye, session: session.id), connection))
            endSession(on: connection, because: .contradicted, at: moment)
        case .nothing:
            break
        }
        return nil
    }

    /// The highest revision that every paired watch has acknowledged since the hub started.
    private var seenByAll: UInt64 {
        let seen = pairings.watches.keys.map { key -> UInt64 in
            let session = connections[key].flatMap { sessions[$0]?.value }
            let version = session?.context.acknowledged ?? activities[key]?.acknowledged
            return version?.epoch == ledger.version.epoch ? version?.revision ?? 0 : 0
        }
        return seen.min() ?? ledger.version.revision
    }

    mutating func persisted(_ group: [Transaction], at moment: Moment) {
        guard let members = requests.end(group), let last = group.last else {
            preconditionFailure("the store kept \(group.map(\.after)) without a request")
        }
        let ahead = sizeAhead.take() ?? size
        size = ledger.hasStaged(last) ? ahead : ahead.after(last, ledger.head)
        contexts.prepare(for: group, to: ledger.state)
        ledger.apply(group)
        for member in members { tookEffect(member.transaction, for: member.request, at: moment) }
        for connection in sessions.keys {
            serve(connection, at: moment)
        }
        startNextGroup(at: moment)
    }

    /// Reports what follows from a transaction that is durable.
    private mutating func tookEffect(_ transaction: Transaction, for request: LedgerRequest, at moment: Moment) {
        put(.event(.committed(transaction.after)))
        if !transaction.logged.isEmpty { put(.event(.conflicted(transaction.logged.values))) }
        if let progress = transaction.progress { put(.event(.uploadsTaken(progress.peer, highest: progress.highest))) }
        if transaction.forks { put(.event(.forked(from: transaction.before, to: transaction.after))) }
        if PairingRegistry.isTouched(by: transaction) {
            pairings = PairingRegistry(ledger.state.cells, after: pairings, at: moment)
            updateAdmission(at: moment)
            endSessionsOfStrangers(at: moment)
            updateTransfers(at: moment)
        }
        finish(request, with: transaction.after, at: moment)
        if let peer = transaction.progress?.peer { owe(peer, at: moment) }
    }

    /// Charges a watch for the snapshots that its uploads cause.
    private mutating func owe(_ peer: PeerKey, at moment: Moment) {
        let price = SenderBudget.price(
            ofVersionWith: size.cellByteCount + size.conflictByteCount, sessionCount: sessions.count)
        activities.update(peer, default: WatchActivity()) { $0.owe(price, now: moment.monotonic) }
    }

    mutating func persistFailed(_ group: [Transaction], reason: String, at moment: Moment) {
        guard let members = requests.end(group) else {
            preconditionFailure("the store declined \(group.map(\.after)) without a request")
        }
        ledger.unstage()
        sizeAhead = nil
        for member in members { decline(member.request, .notStored(reason), at: moment) }
        startNextGroup(at: moment)
    }

    private mutating func forgetAuthor(of request: LedgerRequest) {
        if let id = request.id { authors[id] = nil }
    }

    /// Reports that a request is done; `version` is the one that results from it, also where others of its group
    /// follow.
    private mutating func finish(_ request: LedgerRequest, with version: Version, at moment: Moment) {
        forgetAuthor(of: request)
        switch request {
        case .transact(let id, _, _), .invite(let id, _), .unpair(let id, _), .settle(let id, _, _),
            .beginEpoch(let id):
            put(.answer(id, .done(version)))
        case .pair(let pairing, _, let connection):
            guard let watch = pairings.watches[pairing.key] else { return }
            put(.send(PairAnswer(nonce: pairing.nonce, name: watch.name).frame, connection))
            put(.event(.paired(watch)))
        case .purge:
            // It drops a part at a time.
            enqueue(.purge, at: moment)
        case .upload, .forget, .fork:
            break
        }
    }

    private mutating func decline(_ request: LedgerRequest, _ fault: RequestError, at moment: Moment) {
        forgetAuthor(of: request)
        switch request {
        case .transact(let id, _, _), .invite(let id, _), .unpair(let id, _), .settle(let id, _, _),
            .beginEpoch(let id):
            return put(.answer(id, .refused(fault)))
        case .pair(let pairing, let peer, let connection):
            // Only the hub's application gets the reason, because it may contain names of the hub's files.
            let refusal = Refusal(
                code: .failed, text: "the hub could not store the pairing; try again",
                retryAfterMilliseconds: 1000)
            put(.send(refusal.frame(nonce: pairing.nonce), connection))
            put(.event(.refused(peer, refusal)))
        case .fork(let hello, let connection):
            let refusal = Refusal(
                code: .failed, text: "the hub could not store that a new history begins; try again",
                retryAfterMilliseconds: 1000)
            put(.send(refusal.frame(nonce: hello.nonce), connection))
        case .forget(let peer): pendingForgets.insert(peer)
        case .upload, .purge:
            // The watch sends the upload again; the purge runs again in an hour.
            break
        }
        if case .notStored(let reason) = fault { reportStoreFailure(reason, now: moment.monotonic) }
    }

    /// Notifies the application that the store failed, at most once in each interval.
    private mutating func reportStoreFailure(_ reason: String, now: Instant) {
        guard storeComplaintAfter.map({ $0 <= now }) ?? true else { return }
        storeComplaintAfter = now.advanced(by: Self.storeComplaintInterval)
        put(.event(.notStored(reason)))
    }

    /// Removes what the store still holds about watches that are not paired.
    mutating func forgetStrangers(at moment: Moment) {
        let strangers = pendingForgets.sorted()
        pendingForgets = []
        for peer in strangers { enqueue(.forget(peer), at: moment) }
    }

    mutating func transact(
        _ request: RequestID, _ changes: [CellChange], expected: Version?, at moment: Moment
    ) {
        if let fault = changes.compactMap({ fault($0) }).first {
            authors[request] = nil
            return put(.answer(request, .refused(fault)))
        }
        enqueue(.transact(request, changes, expected: expected), at: moment)
    }

    /// Why the application may not make a change, nil if it may.
    private func fault(_ change: CellChange) -> RequestError? {
        guard !change.key.kind.hasPrefix("sync.") else { return .reservedKind(change.key.kind) }
        for name in [change.key.kind, change.key.group] where !(1...64).contains(name.utf8.count) {
            return .badName(name)
        }
        let byteCount = change.value?.utf8.count ?? 0
        return byteCount <= byteCountMax(of: change.key) ? nil : .valueTooLarge(change.key, byteCount: byteCount)
    }

    private func byteCountMax(of key: CellKey) -> Int {
        switch configuration.schema.rule(of: key)?.authority {
        case .shared, .owner: Edit.valueByteCountMax
        case .hub: Cell.valueByteCountMax
        case nil: .max
        }
    }

    mutating func invite(
        _ request: RequestID, _ key: PeerKey, name: String?, validMilliseconds: Int64, at moment: Moment
    ) {
        if let name, !PairRequest.nameByteCounts.contains(name.utf8.count) || HiddenCharacter.find(in: name) != nil {
            authors[request] = nil
            return put(.answer(request, .refused(.badName(name))))
        }
        let (expires, overflow) = moment.wallMilliseconds.addingReportingOverflow(validMilliseconds)
        let invitation = Invitation(
            key: key, name: name, expiresMilliseconds: overflow ? .max : expires, usedBy: nil)
        enqueue(.invite(request, invitation), at: moment)
    }
}

extension HubEngine.Input {
    /// The request for which an author may be named; nil for other inputs.
    var authoredRequest: RequestID? {
        switch self {
        case .transact(let id, _, _), .settle(let id, _, _), .invite(let id, _, _, _), .unpair(let id, _): id
        case .received, .unroutable, .persisted, .persistFailed, .recorded, .recordFailed, .beginEpoch, .authored,
            .publish, .transfer, .farewell, .timeReached:
            nil
        }
    }
}
