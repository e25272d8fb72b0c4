import SyncCore

/// The files on the disks of a virtual world, by side, and the work of these disks.
struct VirtualFiles {
    private struct Half {
        var files: SimulatedFiles
        var work = FileWork()
    }

    private var halves: [Half] = []

    /// Adds the sides of a watch; its own holds files already, if it is a clone.
    mutating func addWatch(holding files: SimulatedFiles) {
        halves += [Half(files: files), Half(files: SimulatedFiles())]
    }

    /// The files of a side.
    subscript(side: Side) -> SimulatedFiles { halves[side.index].files }

    /// Other files replace those of a side.
    mutating func replace(at side: Side, by files: SimulatedFiles = SimulatedFiles()) {
        halves[side.index].files = files
    }

    mutating func keep(_ file: String, _ bytes: [UInt8], at side: Side) { halves[side.index].files.keep(file, bytes) }

    mutating func release(_ file: String, at side: Side) { halves[side.index].files.release(file) }

    /// Removes unreferenced files.
    mutating func tidy(_ side: Side, by state: FileExchange.State, keeping copies: Set<String>) {
        halves[side.index].files.tidy(state, keeping: copies)
    }

    /// The machine of a side stops: what was not synced may be lost.
    mutating func crash(_ side: Side, holding state: FileExchange.State, keepsLength: Bool) {
        halves[side.index].files.crash(state, keepsLength: keepsLength)
    }

    // MARK: - Work

    /// The disk of a side begins to work on a request of the engine.
    mutating func begin<Conditions: WorldConditions>(
        _ output: FileExchange.Output, at side: Side, run: Int, _ agenda: inout WorldAgenda<Conditions.Plan>,
        _ conditions: Conditions
    ) {
        let number = halves[side.index].work.nextNumber
        let time = conditions.fileTime(at: side, number: number)
        let done = halves[side.index].work.begin(output, now: agenda.now, takes: time)
        agenda.plan(.fileWork(side, run: run, number: number), at: done)
    }

    /// The work of a side's disk ends, and the engine is notified of the result.
    mutating func finish<Conditions: WorldConditions>(
        _ number: Int, at side: Side, _ devices: VirtualDevices, _ agenda: inout WorldAgenda<Conditions.Plan>,
        _ conditions: inout Conditions
    ) {
        guard let output = halves[side.index].work.finish(number) else { return }
        let state = devices[side.device].diskState
        let fault = conditions.fileFault(output, at: side, number: number, state: state)
        if fault != nil { agenda.report(.fileFails(side)) }
        guard let input = halves[side.index].files.carryOut(output, fault: fault) else { return }
        agenda.give(devices.input(.files(input), of: side))
    }

    /// The work that a side's disk still had to do is dropped.
    mutating func dropWork(at side: Side, now: Instant) { halves[side.index].work.crash(now: now) }
}
