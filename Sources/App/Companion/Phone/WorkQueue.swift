import WatchConnectivity

/// Decides which work of which watch comes next: that of one watch one after the other, that of a few watches at a time.
struct WorkQueue<Work: Sendable>: Sendable {
    /// How many watches are served at a time.
    static var watchCountMax: Int { 4 }
    /// How many commands of a watch may wait.
    static var waitingCountMax: Int { 8 }

    private struct Line: Sendable {
        var works: [(work: Work, isCommand: Bool)] = []
        var isBusy = false
    }

    private var lines: [SessionWatch.ID: Line] = [:]
    /// The watches with work, in the order of their turns.
    private var turns: [SessionWatch.ID] = []
    private var busyCount = 0

    /// Adds a command; false if too many of its watch wait already.
    mutating func add(command: Work, of watch: SessionWatch.ID) -> Bool {
        guard lines[watch]?.works.filter(\.isCommand).count ?? 0 < Self.waitingCountMax else { return false }
        append(command, true, watch)
        return true
    }

    /// Adds other work, of which any amount may wait.
    mutating func add(_ work: Work, of watch: SessionWatch.ID) { append(work, false, watch) }

    private mutating func append(_ work: Work, _ isCommand: Bool, _ watch: SessionWatch.ID) {
        lines[watch, default: Line()].works.append((work, isCommand))
        if lines[watch]?.isBusy == false, !turns.contains(watch) { turns.append(watch) }
    }

    /// Takes the next work that may begin now; call ``finished(_:)`` afterwards.
    mutating func next() -> (watch: SessionWatch.ID, work: Work)? {
        guard busyCount < Self.watchCountMax, let watch = turns.first, var line = lines[watch] else { return nil }
        turns.removeFirst()
        let (work, _) = line.works.removeFirst()
        line.isBusy = true
        lines[watch] = line
        busyCount += 1
        return (watch, work)
    }

    /// The work of a watch is done.
    mutating func finished(_ watch: SessionWatch.ID) {
        guard lines[watch]?.isBusy == true else { return }
        busyCount -= 1
        lines[watch]?.isBusy = false
        if lines[watch]?.works.isEmpty == false { turns.append(watch) } else { lines[watch] = nil }
    }

    /// Drops what waits of a watch, and returns it.
    mutating func drop(_ watch: SessionWatch.ID) -> [Work] {
        let works = lines[watch]?.works.map(\.work) ?? []
        lines[watch]?.works = []
        turns.removeAll { $0 == watch }
        if lines[watch]?.isBusy == false { lines[watch] = nil }
        return works
    }
}
