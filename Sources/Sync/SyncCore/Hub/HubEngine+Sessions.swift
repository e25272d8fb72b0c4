extension HubEngine {
    mutating func received(_ parts: [[UInt8]], on connection: ConnectionID, from peer: PeerKey, at moment: Moment) {
        guard activities[peer]?.budget.isShut(now: moment.monotonic) != true else {
            put(.event(.dropped(peer, .notHeard)))
            return put(.close(connection))
        }
        var price = Duration.zero
        do throws(FrameError) {
            let frame = try FrameCodec.frame(of: parts)
            readByteCount += frame.body.count
            price = SenderBudget.price(of: frame)
            try received(frame, on: connection, from: peer, at: moment)
        } catch {
            price += SenderBudget.price(of: error)
            put(.event(.dropped(peer, .fault(error))))
        }
        charge(peer, price, at: moment)
    }

    /// Charges a key for what it sent, and cuts it off when its budget is spent.
    private mutating func charge(_ peer: PeerKey, _ price: Duration, at moment: Moment) {
        let isSpent = activities.update(peer, default: WatchActivity()) { $0.charge(price, now: moment.monotonic) }
        guard isSpent else { return }
        put(.event(.cutOff(peer, name: name(of: peer))))
        guard let connection = connections[peer], let session = sessions[connection]?.value else { return }
        // The connection stays open so that this refusal arrives; the next frame on it ends it.
        let wait = SenderBudget.shutTime.components.seconds
        let refusal = Refusal(
            code: .failed, text: "\(HubEngine.EndReason.cutOff); the hub ignores this watch for \(wait) s",
            retryAfterMilliseconds: UInt32(wait * 1000))
        put(.send(refusal.frame(nonce: 0, session: session.id), connection))
        endSession(on: connection, because: .cutOff, at: moment)
    }

    private mutating func received(
        _ frame: Frame, on connection: ConnectionID, from peer: PeerKey, at moment: Moment
    ) throws(FrameError) {
        switch frame.kind {
        case .hello:
            greet(try Hello(frame), on: connection, from: peer, at: moment)
        case .pair:
            enqueue(.pair(try PairRequest(frame), from: peer, connection), at: moment)
        case .ping, .credit, .contextAcknowledged, .upload, .bye:
            try receivedInSession(frame, on: connection, from: peer, at: moment)
        case .message, .reply, .messageError, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            try receivedInSession(frame, on: connection, from: peer, at: moment)
        case .welcome, .refuse, .pong, .paired, .register, .registers, .context:
            put(.event(.dropped(peer, .wrongDirection(frame.kind))))
        }
    }

    private mutating func receivedInSession(
        _ frame: Frame, on connection: ConnectionID, from peer: PeerKey, at moment: Moment
    ) throws(FrameError) {
        let now = moment.monotonic
        let found = sessions.modify(connection) { place in
            place.change { session -> (id: UInt64, opened: ItemPositions?)? in
                guard session.peer == peer, session.id == frame.session else { return nil }
                return (session.id, session.heard(now: now))
            }
        }
        guard let (session, opened) = found ?? nil else { return put(.event(.dropped(peer, .foreignSession))) }
        if let opened {
            put(.event(.linked(peer, name: name(of: peer))))
            drive(peer, at: moment) { $0.sessionOpened(session, peer: opened, at: moment) }
        }
        switch frame.kind {
        case .ping:
            let pong = Pong(number: Ping(frame).number, hubMilliseconds: moment.wallMilliseconds)
            put(.send(pong.frame(session: session), connection))
        case .credit:
            let credit = try Credit(frame)
            charge(peer, SenderBudget.price(of: credit), at: moment)
            sessions.modify(connection) { $0.value.live.creditReceived(credit, now: now) }
        case .contextAcknowledged:
            let version = try Version(acknowledgedBy: frame)
            let isNews = sessions.modify(connection) { $0.value.context.acknowledgementReceived(version) } ?? false
            if isNews { put(.event(.acknowledged(peer, version))) }
        case .upload:
            take(try UploadBatch(frame), from: peer, on: connection, at: moment)
        case .bye:
            return endSession(on: connection, because: .farewell, at: moment)
        case .message, .reply, .messageError, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            drive(peer, at: moment) { $0.received(frame, at: moment) }
        case .hello, .welcome, .refuse, .pong, .pair, .paired, .register, .registers, .context:
            // `received(_:on:from:at:)` handles these kinds before it calls this function.
            break
        }
        serve(connection, at: moment)
    }

    /// Takes uploads in, or keeps them until the watch has paid for earlier ones.
    private mutating func take(
        _ batch: UploadBatch, from peer: PeerKey, on connection: ConnectionID, at moment: Moment
    ) {
        charge(peer, SenderBudget.price(of: batch), at: moment)
        // A key that is cut off has no session any more.
        guard sessions[connection] != nil else { return }
        guard let until = activities[peer]?.budget.uploadsWait(now: moment.monotonic) else {
            return enqueue(.upload(batch, from: peer, connection), at: moment)
        }
        sessions.modify(connection) { $0.value.hold(batch, until: until) }
        comeBack(at: until)
    }

    /// Whether uploads on a connection wait until their watch has paid for earlier ones, for a simulation.
    package func holdsUploads(on connection: ConnectionID) -> Bool { sessions[connection]?.value.held != nil }

    // MARK: - Opening and ending

    private mutating func greet(_ hello: Hello, on connection: ConnectionID, from peer: PeerKey, at moment: Moment) {
        if let refusal = refusal(of: hello, from: peer) {
            put(.send(refusal.frame(nonce: hello.nonce), connection))
            return put(.event(.refused(peer, refusal)))
        }
        if isContradicted(by: hello) {
            // The watch greets again after a while; the new epoch is durable by then.
            return enqueue(.fork(hello, connection), at: moment)
        }
        if let session = sessions[connection]?.value, session.peer == peer, session.nonce == hello.nonce {
            // A repeated greeting: its answer was lost or is late.
            return welcome(session, hello, at: moment)
        }
        guard activities.update(peer, default: WatchActivity(), { $0.mayGreet(now: moment.monotonic) }) else {
            return put(.event(.dropped(peer, .tooManyGreetings)))
        }
        if let earlier = connections[peer] { takeOver(earlier, by: connection, at: moment) }
        // A new connection can get the identifier of a lost one before the hub learns that the old connection is
        // gone.
        if sessions[connection] != nil { endSession(on: connection, because: .unroutable, at: moment) }
        // What the welcome says of the watch's items must stay true: it greets again, and they are durable by then.
        if transfers[peer]?.value.isStoringPosition == true { return }
        let session = HubSession(
            id: generator.next() | 1, peer: peer, connection: connection, hello: hello,
            records: min(hello.schema.upperBound, configuration.schema.versions.upperBound),
            registers: registers, heartbeat: configuration.heartbeat, now: moment.monotonic)
        sessions[connection] = Boxed(session)
        connections[peer] = connection
        welcome(session, hello, at: moment)
        serve(connection, at: moment)
    }

    private mutating func welcome(_ session: HubSession, _ hello: Hello, at moment: Moment) {
        let welcome = Welcome(
            nonce: hello.nonce, boot: boot, wire: UInt32(FrameCodec.wireMajor), schema: session.records,
            uploads: ledger.state.uploads[session.peer]?.receipt,
            items: transfers[session.peer]?.value.positions ?? ItemPositions(),
            hubMilliseconds: moment.wallMilliseconds,
            heartbeatMilliseconds: UInt32(clamping: configuration.heartbeat.wholeNanoseconds / 1_000_000))
        put(.send(welcome.frame(session: session.id), session.connection))
    }

    /// Whether a watch knows a part of the history that the hub does not know, so that the hub has to start a new
    /// epoch.
    ///
    /// If an epoch already started since the hub started, the answer is false: that epoch is new to every watch,
    /// whatever it followed before, so one is enough.
    func isContradicted(by hello: Hello) -> Bool {
        guard ledger.version.epoch == firstEpoch else { return false }
        return hello.known.map(ledger.isContradicted) ?? false || !(hello.epoch.map(ledger.knows) ?? true)
    }

    private func refusal(of hello: Hello, from peer: PeerKey) -> Refusal? {
        guard pairings.watches[peer] != nil else {
            let isInvitation = pairings.invitations[peer] != nil
            return Refusal(
                code: isInvitation ? .invitationOnly : .notPaired,
                text: isInvitation
                    ? "this key is an invitation: pair with it, then greet with the watch's own key"
                    : "the hub does not know this watch; pair it",
                retryAfterMilliseconds: 10_000)
        }
        if let refusal = refusal(of: hello.app) { return refusal }
        let wire = UInt32(FrameCodec.wireMajor)
        if !hello.wire.contains(wire) {
            return .upgrade(what: "wire", watch: hello.wire, hub: wire...wire)
        }
        guard hello.schema.overlaps(configuration.schema.versions) else {
            return .upgrade(what: "records", watch: hello.schema, hub: configuration.schema.versions)
        }
        return nil
    }

    /// The refusal for a watch of another application; nil if it is of the hub's own.
    private func refusal(of app: AppName?) -> Refusal? {
        let app = app ?? configuration.unnamedApp
        return app == configuration.app ? nil : .otherApp(watch: app, hub: configuration.app)
    }

    private mutating func takeOver(_ earlier: ConnectionID, by connection: ConnectionID, at moment: Moment) {
        guard let session = sessions[earlier]?.value else { return }
        let peer = session.peer
        if earlier != connection {
            let refusal = Refusal(
                code: .takenOver, text: "a newer session with this watch's key began", retryAfterMilliseconds: 1000)
            put(.send(refusal.frame(nonce: 0, session: session.id), earlier))
            let isDuplicate = activities.update(peer, default: WatchActivity()) {
                $0.takenOver(earlier, by: connection, now: moment.monotonic)
            }
            if isDuplicate { put(.event(.duplicateWatch(peer))) }
        }
        endSession(on: earlier, because: .takenOver, at: moment)
    }

    mutating func endSession(on connection: ConnectionID, because reason: EndReason, at moment: Moment) {
        guard var session = sessions[connection]?.value else { return }
        let peer = session.peer
        session.live.sessionEnded(registers)
        activities.update(peer, default: WatchActivity()) { $0.sessionEnded(session) }
        sessions[connection] = nil
        if connections[peer] == connection { connections[peer] = nil }
        if session.isLinked { put(.event(.unlinked(peer, name: name(of: peer), reason))) }
        drive(peer, at: moment) { $0.sessionClosed(at: moment) }
    }

    /// Ends the sessions of watches that are no longer paired, with a refusal that says so.
    mutating func endSessionsOfStrangers(at moment: Moment) {
        for session in sessions.values.map(\.value) where pairings.watches[session.peer] == nil {
            let refusal = Refusal(
                code: .notPaired, text: "the hub has forgotten this watch; pair it again",
                retryAfterMilliseconds: 10_000)
            put(.send(refusal.frame(nonce: 0, session: session.id), session.connection))
            endSession(on: session.connection, because: .unpaired, at: moment)
        }
        forgetActivitiesOfStrangers(at: moment)
    }

    /// Forgets watches that are no longer paired, but not what their frames have cost: unpairing does not end the time
    /// for which a key is ignored.
    mutating func forgetActivitiesOfStrangers(at moment: Moment) {
        for (key, activity) in activities.pairs where pairings.watches[key] == nil {
            if activity.budget.isSettled(now: moment.monotonic) {
                activities[key] = nil
            } else {
                activities[key]?.unpaired()
            }
        }
    }

    func name(of peer: PeerKey) -> String {
        pairings.watches[peer]?.name ?? ""
    }

    // MARK: - Pairing

    /// Answers a request to pair, or returns the changes that must be durable first.
    mutating func judge(
        _ request: PairRequest, from peer: PeerKey, on connection: ConnectionID, at moment: Moment
    ) -> [CellChange]? {
        let verdict =
            refusal(of: request.app).map { .refuse($0) }
            ?? pairings.judge(request, from: peer, at: moment)
        switch verdict {
        case .paired(let name):
            put(.send(PairAnswer(nonce: request.nonce, name: name).frame, connection))
            return nil
        case .pair(_, let changes):
            return changes
        case .refuse(let refusal):
            put(.send(refusal.frame(nonce: request.nonce), connection))
            put(.event(.refused(peer, refusal)))
            return nil
        }
    }

    // MARK: - Sending

    mutating func publish(_ register: Register, at moment: Moment) {
        guard (1...256).contains(register.key.utf8.count), register.value.count <= Register.valueByteCountMax else {
            return put(.event(.registerRefused(key: String(register.key.prefix(256)), .tooLarge)))
        }
        let place: Int
        switch registers.take(register) {
        case .old: return
        case .full: return put(.event(.registerRefused(key: register.key, .full)))
        case .newest(let newest): place = newest
        }
        let (table, version, now) = (registers, ledger.version, moment.monotonic)
        var registerSends: [RegisterSend] = []
        var mayWait = false
        // Sessions that take several values in one frame, that have no credit, or that have something else to send
        // first, read the table later.
        sessions.modifyAll { connection, box in
            box.change { session in
                mayWait = mayWait || session.takesRegisters
                guard let number = session.takeAtOnce(place, of: table, version, now: now) else { return }
                registerSends.append(
                    RegisterSend(
                        connection: connection, session: session.id, number: number, deadline: session.deadline))
            }
        }
        if mayWait { registersWait(now: now) }
        guard !registerSends.isEmpty else { return }
        let contents = registerContents.singles(of: [place], in: registers, epoch: version.epoch)
        for launch in registerSends {
            put(contents, session: launch.session, first: launch.number, on: launch.connection)
            comeBack(at: launch.deadline)
        }
    }

    /// A register's newer value that is sent on one connection.
    private struct RegisterSend {
        let connection: ConnectionID
        let session: UInt64
        let number: UInt64
        let deadline: Instant
    }

    /// Does what a session's deadlines and credit allow: ends it after silence, sends the snapshot, then registers.
    mutating func serve(_ connection: ConnectionID, at moment: Moment) {
        let (table, version, now) = (registers, ledger.version, moment.monotonic)
        let due = sessions.modify(connection) { place in
            place.change { $0.takeDue(version, table, now: now) }
        }
        if let due { serve(connection, due, at: moment) }
    }

    private mutating func serve(_ connection: ConnectionID, _ due: HubSession.Due, at moment: Moment) {
        guard !due.isSilent else { return endSession(on: connection, because: .silent, at: moment) }
        if let form = due.context { sendContext(form, on: connection) }
        let (first, places) = due.registers
        if !places.isEmpty {
            let epoch = ledger.version.epoch
            let contents =
                due.takesRegisters
                ? registerContents.batch(of: places, in: registers, epoch: epoch)
                : registerContents.singles(of: places, in: registers, epoch: epoch)
            put(contents, session: due.session, first: first, on: connection)
        }
        comeBack(at: due.deadline)
        let uploads = sessions.modify(connection) { $0.value.takeHeld(now: moment.monotonic) } ?? nil
        if let uploads, let peer = sessions[connection]?.value.peer {
            enqueue(.upload(uploads, from: peer, connection), at: moment)
        }
    }

    private mutating func put(
        _ contents: [RegisterContents.Content], session: UInt64, first: UInt64, on connection: ConnectionID
    ) {
        for content in contents {
            let frame = Frame(
                kind: content.kind, session: session, sequence: first + content.offset, body: content.body,
                blob: content.blob)
            put(.send(frame, connection))
        }
    }

    /// Sends a snapshot, as a whole if the hub does not know the changes, or if they are not much smaller.
    mutating func sendContext(_ form: ContextSender.Form, on connection: ConnectionID) {
        guard let session = sessions[connection]?.value else { return }
        var (base, contents): (Version?, [UInt8]?) = (nil, nil)
        if case .since(let acknowledged) = form {
            contents = contexts.delta(
                from: acknowledged, ledger, configuration.schema, records: session.records,
                snapshotByteCount: size.cellByteCount + size.conflictByteCount)
            if contents != nil { base = acknowledged }
        }
        let frame = ContextFrame.frame(
            version: ledger.version, base: base,
            contents: contents ?? contexts.whole(ledger, configuration.schema, records: session.records),
            receipt: session.receipt(after: ledger.state.uploads[session.peer]), session: session.id)
        put(.send(frame, connection))
    }
}

extension Refusal {
    fileprivate static func upgrade(
        what: String, watch: ClosedRange<UInt32>, hub: ClosedRange<UInt32>
    ) -> Refusal {
        let watchIsOlder = watch.upperBound < hub.lowerBound
        return Refusal(
            code: watchIsOlder ? .upgradeWatch : .upgradeHub,
            text: "the watch reads \(what) \(watch.lowerBound)…\(watch.upperBound), the hub "
                + "\(hub.lowerBound)…\(hub.upperBound); upgrade the \(watchIsOlder ? "watch" : "hub")",
            retryAfterMilliseconds: 60_000)
    }
}
