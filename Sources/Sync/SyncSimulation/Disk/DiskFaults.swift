import SyncCore

/// The faults of the disk of a device of a run, drawn for each record by its number.
struct DiskFaults {
    /// The device: a watch by its number, nil for the hub.
    let watch: Int?
    private let streams: SplitMix64

    init(watch: Int?, streams: SplitMix64) {
        self.watch = watch
        self.streams = streams
    }

    /// What the disk does with its next record; it works on the records before that until a time.
    func write(
        _ number: Int, now: Instant, busyUntil: Instant, options: SimulationOptions, lots: inout OccurrenceFilter
    ) -> DiskWrite {
        var draws = streams.stream(UInt64(number))
        let isHub = watch == nil
        let isSlow =
            draws.chance(options.slowStoreChance)
            && lots.pass(isHub ? .hubStoreDelay : .watchStoreDelay, watch: watch, number: number)
        let fails =
            draws.chance(options.storeFailureChance)
            && lots.pass(isHub ? .hubStoreFailure : .watchStoreFailure, watch: watch, number: number)
        let delay = draws.duration(upTo: isSlow ? options.slowStoreLongest : options.storeDelayLongest)
        return DiskWrite(
            done: max(now, busyUntil).advanced(by: delay + .microseconds(10)), fails: fails, isSlow: isSlow)
    }

    /// What the crash of a machine keeps of the records that are on their way; nil if it keeps nothing.
    ///
    /// Call it before ``SimulatedDisk/crash(now:)``, and let each record that is kept become durable by
    /// ``SimulatedDisk/finish(_:)``: the engine was not notified.
    func unsyncedTail<State>(
        of disk: SimulatedDisk<State>, chance: Double, lots: inout OccurrenceFilter
    ) -> UnsyncedTail? {
        guard let last = disk.jobs.last?.number else { return nil }
        // The records of a crash have a stream that no other record has.
        var draws = streams.stream(1 << 40 | UInt64(last))
        guard draws.chance(chance),
            lots.pass(watch == nil ? .hubStoreTail : .watchStoreTail, watch: watch, number: last)
        else { return nil }
        let drawn = UnsyncedTail(count: disk.jobs.count, draws: &draws)
        // What the disk refused was never written.
        return UnsyncedTail(zip(drawn.remains, disk.jobs).map { $1.fails ? .nothing : $0 })
    }
}
