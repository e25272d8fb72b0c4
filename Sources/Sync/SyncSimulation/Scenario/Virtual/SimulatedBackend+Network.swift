import SyncCore

extension SimulatedBackend {
    /// A watch tries to get a connection; it tries again after a while if it does not.
    mutating func dial(_ name: String) {
        guard let watch = watches[name], watch.connection == nil else { return }
        let life = watch.machine.life
        guard let engine = hub.engine else { return post(.dial(name, life: life), after: .milliseconds(500)) }
        let isAdmitted = engine.admittedKeys.contains(watch.key)
        watches[name]?.isShutOut = !isAdmitted
        guard isAdmitted else { return post(.dial(name, life: life), after: .seconds(2)) }
        let connection = connect(name)
        watches[name]?.connection = connection
        post(.watch(name, .connected, life: life), after: Self.messageTime)
    }

    mutating func connect(_ watch: String) -> Int {
        lastConnection += 1
        connections[lastConnection] = watch
        return lastConnection
    }

    /// All connections end, because the hub's process has.
    mutating func disconnectAll() {
        connections = [:]
        for (name, watch) in watches.pairs where watch.connection != nil {
            watches[name]?.connection = nil
            post(.watch(name, .disconnected, life: watch.machine.life), after: Self.messageTime)
            post(.dial(name, life: watch.machine.life), after: .milliseconds(100))
        }
    }

    /// The hub closes a connection.
    mutating func close(_ connection: ConnectionID) {
        let number = Int(String(decoding: connection.bytes, as: UTF8.self)) ?? 0
        guard let name = connections.removeValue(forKey: number), let watch = watches[name], watch.connection == number
        else { return }
        watches[name]?.connection = nil
        post(.watch(name, .disconnected, life: watch.machine.life), after: Self.messageTime)
        post(.dial(name, life: watch.machine.life), after: .milliseconds(100))
    }

    mutating func send(_ frame: Frame, from name: String) {
        guard let watch = watches[name], let connection = watch.connection, !watch.losesOutgoing else { return }
        sendToHub(frame, on: connection, key: watch.key)
    }

    func id(of connection: Int) -> ConnectionID {
        ConnectionID(bytes: Array("\(connection)".utf8))
    }

    mutating func sendToHub(_ frame: Frame, on connection: Int, key: PeerKey) {
        let input = HubEngine.Input.received(
            parts: FrameCodec.parts(of: frame), connection: id(of: connection), peer: key)
        post(.hub(input, life: hub.life), after: Self.messageTime)
    }

    mutating func send(_ frame: Frame, to connection: ConnectionID) {
        let number = Int(String(decoding: connection.bytes, as: UTF8.self)) ?? 0
        guard let name = connections[number] else { return unroutable(connection) }
        if number == pairing?.connection {
            return post(.pairing(FrameCodec.parts(of: frame)), after: Self.messageTime)
        }
        guard let watch = watches[name], watch.connection == number else {
            connections[number] = nil
            return unroutable(connection)
        }
        guard !watch.losesIncoming else { return }
        let input = WatchEngine.Input.received(parts: FrameCodec.parts(of: frame))
        post(.watch(name, input, life: watch.machine.life), after: Self.messageTime)
    }

    private mutating func unroutable(_ connection: ConnectionID) {
        post(.hub(.unroutable(connection), life: hub.life), after: Self.diskTime)
    }

    /// Carries out what a watch that is being paired wants.
    mutating func carryOut(_ action: PairingClient.Action) {
        switch action {
        case .send(let frame):
            if let pairing { sendToHub(frame, on: pairing.connection, key: pairing.key) }
        case .done:
            if let name = pairing.flatMap({ connections[$0.connection] }) { watches[name]?.isPaired = true }
        case .failed, .none: break
        }
    }
}
