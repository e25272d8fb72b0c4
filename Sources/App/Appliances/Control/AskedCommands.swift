/// The last commands and where they stand, by who asked; for lists that others see, for repeats, and for those who wait.
///
/// It is not thread-safe: an actor or one thread owns it.
package struct AskedCommands<Asker: Hashable> {
    /// One command.
    package struct Entry {
        /// Its identity.
        package var id: Command.ID
        /// Who asked; nil for the machine of the phone.
        package var asker: Asker?
        /// Where it stands.
        package internal(set) var status: CommandStatus
        /// The steps, if it is a scene.
        fileprivate var run: RunProgress?
    }

    /// How many are remembered.
    private static var countMax: Int { 512 }

    private var entries: [Entry] = []
    private var waiters: [Command.ID: [CheckedContinuation<Void, Never>]] = [:]

    /// Nobody asked.
    package init() {}

    /// Where a command stands; nil if nobody asked for it, or long ago.
    package func status(of id: Command.ID) -> CommandStatus? { entries.last { $0.id == id }?.status }

    /// The last commands of somebody, oldest first.
    package func last(_ count: Int, of asker: Asker?) -> ArraySlice<Entry> {
        entries.filter { $0.asker == asker }.suffix(count)
    }

    /// Remembers a command, and forgets the oldest beyond 512.
    package mutating func insert(
        _ id: Command.ID, by asker: Asker?, _ status: CommandStatus, steps: [Command.ID]? = nil
    ) {
        entries.append(Entry(id: id, asker: asker, status: status, run: steps.map(RunProgress.init)))
        entries.removeFirst(max(0, entries.count - Self.countMax))
    }

    /// Notes where a command or a step stands, and wakes who waits for it.
    ///
    /// - Returns: The commands that stand elsewhere by it.
    package mutating func settle(_ id: Command.ID, _ status: CommandStatus) -> [Entry] {
        var changed: [Entry] = []
        for index in entries.indices {
            if entries[index].id == id {
                entries[index].status = status
            } else if entries[index].run?.note(id, status) == true {
                entries[index].status = entries[index].run?.status ?? status
            } else {
                continue
            }
            changed.append(entries[index])
            for waiter in waiters.removeValue(forKey: entries[index].id) ?? [] { waiter.resume() }
        }
        return changed
    }

    /// Whether a command may still come to stand elsewhere.
    ///
    /// - Parameters:
    ///   - id: The command.
    ///   - isUnderWay: Whether a word of a device is awaited for a command or a step.
    /// - Returns: False also for a command that nobody asked for.
    package func isOpen(_ id: Command.ID, _ isUnderWay: (Command.ID) -> Bool) -> Bool {
        guard let entry = entries.last(where: { $0.id == id }), [.asked, .sent].contains(entry.status) else {
            return false
        }
        return entry.run.map { !$0.isOver(isUnderWay) } ?? isUnderWay(id)
    }

    /// Resumes when a command is settled the next time.
    package mutating func wait(for id: Command.ID, _ waiter: CheckedContinuation<Void, Never>) {
        waiters[id, default: []].append(waiter)
    }
}
