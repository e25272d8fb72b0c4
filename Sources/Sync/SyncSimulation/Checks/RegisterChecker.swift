import SyncCore

/// Which values of the registers were published, and which each watch has shown and stored.
struct RegisterChecker {
    private struct Place: Hashable {
        var watch: Int
        var key: String
    }

    private struct Seen {
        var order: UInt64
        var epoch: Epoch
    }

    /// The values by order; an order is given once.
    private var values: [UInt64: Register] = [:]
    private(set) var newest = SortedMap<String, Register>()
    private var shown: [Place: Seen] = [:]
    private var stored: [Place: UInt64] = [:]

    mutating func published(_ register: Register) {
        values[register.order] = register
        newest[register.key] = register
    }

    mutating func watchStarted(_ watch: Int, with state: WatchEngine.State) {
        shown = shown.filter { $0.key.watch != watch }
        for held in state.registers.values {
            shown[Place(watch: watch, key: held.register.key)] = Seen(
                order: held.register.order, epoch: held.epoch)
        }
    }

    /// A watch is restored: its store may hold older values again.
    mutating func restored(_ watch: Int) {
        stored = stored.filter { $0.key.watch != watch }
    }

    mutating func shows(_ watch: Int, _ register: Register, epoch: Epoch?) -> Checks.Finding? {
        guard let epoch, values[register.order] == register else {
            return Checks.Finding(.latestWins, "watch \(watch) shows a value of \(register.key) that nobody published")
        }
        let place = Place(watch: watch, key: register.key)
        if let before = shown[place] {
            // A new epoch may bring the same value once more.
            let isNewer = register.order > before.order || (register.order == before.order && epoch != before.epoch)
            guard isNewer else {
                return Checks.Finding(
                    .latestWins,
                    "watch \(watch) shows \(register.key) #\(register.order) after #\(before.order)")
            }
        }
        shown[place] = Seen(order: register.order, epoch: epoch)
        return nil
    }

    mutating func stored(_ watch: Int, _ state: WatchEngine.State) -> Checks.Finding? {
        for held in state.registers.values {
            let place = Place(watch: watch, key: held.register.key)
            if let before = stored[place], held.register.order < before {
                return Checks.Finding(
                    .latestWins, "watch \(watch) stores \(place.key) #\(held.register.order) over #\(before)")
            }
            stored[place] = held.register.order
        }
        return nil
    }
}
