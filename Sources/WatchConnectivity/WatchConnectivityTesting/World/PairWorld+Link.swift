import SyncCore
import SyncSimulation
import WatchConnectivity

extension PairWorld {
    // MARK: - Connections

    /// All watches that have no connection try to get one.
    mutating func dialAll() {
        for number in watches.indices { dialSoon(number) }
    }

    mutating func dialSoon(_ number: Int, after wait: Duration = .zero) {
        guard watches[number].engine != nil, watches[number].connection == nil, !watches[number].isDialing else {
            return
        }
        watches[number].isDialing = true
        post(.dial(number, life: watches[number].life), after: wait)
    }

    /// An attempt to connect ends; where it fails, whatever changes next begins another one.
    mutating func dial(_ number: Int) {
        watches[number].isDialing = false
        let watch = watches[number]
        guard watch.engine != nil, watch.connection == nil, !watch.link.isCut,
            !(watch.link.losesToPhone && watch.link.losesToWatch),
            phone.engine?.admittedKeys.contains(watch.key) ?? false
        else { return }
        lastConnection += 1
        watches[number].connection = lastConnection
        stepWatch(number, .connected)
    }

    /// Both ends lose their connection, and know it.
    mutating func disconnect(_ number: Int) {
        guard let connection = watches[number].connection else { return }
        watches[number].connection = nil
        post(.watch(number, .disconnected, life: watches[number].life))
        post(.hub(.unroutable(Self.name(connection)), life: phone.life))
    }

    /// The phone closes a connection.
    mutating func close(_ name: ConnectionID) {
        guard let number = watches.firstIndex(where: { $0.connection.map(Self.name) == name }) else { return }
        watches[number].connection = nil
        post(.watch(number, .disconnected, life: watches[number].life))
        dialSoon(number)
    }

    static func name(_ connection: Int) -> ConnectionID {
        ConnectionID(bytes: (0..<4).map { UInt8(truncatingIfNeeded: connection >> (24 - 8 * $0)) })
    }

    // MARK: - Frames

    mutating func send(_ frame: Frame, from number: Int) {
        countStep(of: .watch(number))
        onFrame?(frame, Address(.watch, number), true, now)
        guard let connection = watches[number].connection else { return }
        transmit(
            Crossing(
                watch: number, connection: connection, isToPhone: true, parts: FrameCodec.parts(of: frame),
                kind: frame.kind))
    }

    mutating func send(_ frame: Frame, to name: ConnectionID) {
        countStep(of: .phone)
        let number = name.bytes.reduce(0) { $0 << 8 | Int($1) }
        guard let watch = watches.firstIndex(where: { $0.connection == number }) else {
            if number > 0 { post(.hub(.unroutable(name), life: phone.life)) }
            return
        }
        onFrame?(frame, Address(.phone, watch), true, now)
        transmit(
            Crossing(
                watch: watch, connection: number, isToPhone: false, parts: FrameCodec.parts(of: frame),
                kind: frame.kind))
    }

    /// Decides what becomes of a frame; without faults it arrives at once.
    private mutating func transmit(_ crossing: Crossing) {
        let link = watches[crossing.watch].link
        guard !(crossing.isToPhone ? link.losesToPhone : link.losesToWatch) else { return }
        let mishap = plannedMishap(of: crossing) ?? link.faults.draw(using: &linkDraws)
        let word = "\(crossing.kind) to the \(crossing.isToPhone ? "phone" : watches[crossing.watch].name)"
        var arrival = now.advanced(by: link.faults.delay(using: &linkDraws))
        switch mishap {
        case nil, .duplicate:
            // Delays differ, but what is not held up keeps its order.
            let last = crossing.isToPhone ? link.lastToPhone : link.lastToWatch
            arrival = max(arrival, last)
            if crossing.isToPhone {
                watches[crossing.watch].link.lastToPhone = arrival
            } else {
                watches[crossing.watch].link.lastToWatch = arrival
            }
        case .drop:
            return note(nil, .link("loses \(word)"))
        case .holdUp(let time):
            note(nil, .link("holds up \(word)"))
            arrival = arrival.advanced(by: time)
        }
        queue.push(.arrival(crossing), at: arrival)
        if mishap == .duplicate {
            note(nil, .link("repeats \(word)"))
            queue.push(.arrival(crossing), at: arrival)
        }
    }

    private mutating func plannedMishap(of crossing: Crossing) -> TestLink.Mishap? {
        guard crossing.kind.carriesPayload,
            let index = watches[crossing.watch].link.planned.firstIndex(where: { $0.isToPhone == crossing.isToPhone })
        else { return nil }
        return watches[crossing.watch].link.planned.remove(at: index).1
    }

    mutating func arrive(_ crossing: Crossing) {
        // A connection that is gone takes what was on its way with it.
        guard watches[crossing.watch].connection == crossing.connection else { return }
        if let onFrame, let frame = try? FrameCodec.frame(of: crossing.parts) {
            onFrame(frame, Address(crossing.isToPhone ? .phone : .watch, crossing.watch), false, now)
        }
        if crossing.isToPhone {
            guard phone.engine != nil else { return }
            countStep(of: .phone)
            stepHub(
                .received(
                    parts: crossing.parts, connection: Self.name(crossing.connection),
                    peer: watches[crossing.watch].key))
        } else {
            countStep(of: .watch(crossing.watch))
            stepWatch(crossing.watch, .received(parts: crossing.parts))
        }
    }
}

extension FrameKind {
    /// Whether the app's content travels in it.
    fileprivate var carriesPayload: Bool {
        switch self {
        case .message, .reply, .item, .offer, .chunk: true
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .messageError, .context,
            .contextAcknowledged, .upload, .itemAcknowledged, .pull, .done, .abort:
            false
        }
    }
}
