import SyncCore
import SyncSimulation
import WatchConnectivity

extension PairWorld {
    /// Whether a device runs.
    func hasPower(_ device: DeviceID) -> Bool {
        switch device {
        case .phone: phone.engine != nil
        case .watch(let number): watches[number].engine != nil
        }
    }

    /// Gives a device power: a new life begins with what is on its disk.
    mutating func start(_ device: DeviceID) {
        guard !hasPower(device) else { return }
        switch device {
        case .phone:
            phone.life += 1
            startHub()
            dialAll()
        case .watch(let number):
            watches[number].life += 1
            startWatch(number)
        }
    }

    /// Takes a device its power: all that is not on its disk is lost.
    mutating func stop(_ device: DeviceID) {
        guard hasPower(device) else { return }
        switch device {
        case .phone:
            for number in watches.indices { disconnect(number) }
            phone.engine = nil
            phone.life += 1
        case .watch(let number):
            disconnect(number)
            watches[number].engine = nil
            watches[number].life += 1
        }
        for address in halves.keys where address.device == device {
            halves[address]?.isLinked = false
            halves[address]?.wakeAt = nil
        }
        let dead = requests.filter { $0.value.address.device == device }.keys
        for request in dead { requests[request] = nil }
    }

    /// Plans that a device loses its power after so many more steps of its own: each frame that it sends or gets, and
    /// each record that its disk takes, is one.
    mutating func planPowerLoss(of device: DeviceID, afterSteps count: Int?) {
        switch device {
        case .phone: phone.stepsLeft = count
        case .watch(let number): watches[number].stepsLeft = count
        }
    }

    mutating func countStep(of device: DeviceID) {
        let left: Int?
        switch device {
        case .phone:
            phone.stepsLeft = phone.stepsLeft.map { $0 - 1 }
            left = phone.stepsLeft
        case .watch(let number):
            watches[number].stepsLeft = watches[number].stepsLeft.map { $0 - 1 }
            left = watches[number].stepsLeft
        }
        guard let left, left <= 0 else { return }
        planPowerLoss(of: device, afterSteps: nil)
        guard hasPower(device) else { return }
        note(device, .device("loses its power"))
        stop(device)
        deeds.append(.lostPower(device))
    }

    mutating func setDisk(of device: DeviceID, _ state: DiskState) {
        switch device {
        case .phone: phone.disk = state
        case .watch(let number): watches[number].disk = state
        }
    }

    /// Takes back the news that a device has lost its power, if they were not told yet; whether there were any.
    mutating func takePowerLoss(of device: DeviceID) -> Bool {
        let count = deeds.count
        deeds.removeAll { if case .lostPower(device) = $0 { true } else { false } }
        return deeds.count < count
    }

    // MARK: - Pairing

    /// Pairs a watch with the phone, both of which have power; the rest of the work is for the steps that follow.
    mutating func pair(_ number: Int) {
        guard !watches[number].isPaired, phone.engine != nil else { return }
        watches[number].isPaired = true
        let invitation = WatchMachine.newKey(using: &generator)
        let watch = watches[number]
        lastRequest += 1
        post(
            .hub(
                .invite(
                    RequestID(number: lastRequest), key: invitation, name: watch.name, validMilliseconds: 600_000),
                life: phone.life))
        var client = PairingClient(
            key: watch.key, name: watch.name, app: SessionSetup.unnamedApp, seed: generator.next())
        guard case .send(let frame) = client.connected(now: now) else { return }
        // The hub judges a request to pair after the transaction before it, which is the invitation.
        let parts = FrameCodec.parts(of: frame)
        post(.hub(.received(parts: parts, connection: Self.name(0), peer: invitation), life: phone.life))
    }

    /// Ends a pairing: the phone forgets the watch, and the watch is erased.
    mutating func unpair(_ number: Int) {
        guard watches[number].isPaired else { return }
        watches[number].isPaired = false
        disconnect(number)
        lastRequest += 1
        post(.hub(.unpair(RequestID(number: lastRequest), watches[number].key), life: phone.life))
    }

    /// Erases a watch and gives it another identity.
    mutating func erase(_ number: Int) {
        let link = watches[number].link
        let life = watches[number].life
        watches[number] = WatchMachine(number: number, using: &generator)
        watches[number].link = link
        watches[number].life = life + 1
        for role in [PeerState.Role.phone, .watch] { halves[Address(role, number)]?.files = PairFiles() }
        halves[Address(.watch, number)] = Half()
    }
}
