@testable import SyncCore

/// The record that a sample watch writes as its n-th: snapshots and registers in turn.
func sampleRecord(_ number: UInt64) -> WatchEngine.Record {
    number % 2 == 0
        ? .registers([sampleRegister(0, number), sampleRegister(1 + number % 5, number)], sampleFence(number))
        : .snapshot(sampleSnapshot(number), sampleFence(number))
}

/// What a sample watch remembers after its n-th record.
func sampleState(after count: UInt64) -> WatchEngine.State {
    var state = WatchEngine.State()
    guard count > 0 else { return state }
    for number in 1...count {
        switch sampleRecord(number) {
        case .snapshot(let snapshot, let fence):
            state.snapshot = snapshot
            state.fence = fence
        case .registers(let registers, let fence):
            for register in registers { state.registers[register.register.key] = register }
            state.fence = fence
        }
    }
    return state
}

private func sampleFence(_ number: UInt64) -> EpochFence {
    EpochFence(current: Epoch(number: number), abandoned: (0..<number).suffix(64).map { Epoch(number: $0) })
}

private func sampleRegister(_ key: UInt64, _ number: UInt64) -> HeldRegister {
    HeldRegister(
        register: Register(key: "register \(key)", order: number, value: Array("value \(number)".utf8)),
        epoch: Epoch(number: number))
}

private func sampleSnapshot(_ number: UInt64) -> Snapshot {
    var history = SampleHistory(seed: number)
    for _ in 0..<3 { _ = history.next() }
    return history.ledger.snapshot(SampleHistory.schema)
}
