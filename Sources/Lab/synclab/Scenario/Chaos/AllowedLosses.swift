import SyncSimulation

/// The losses that a checker must allow: copying folders loses what only the replaced or deleted folder had.
struct AllowedLosses {
    /// The times from a backup of the hub's folder to its restore; data that only the hub accepted between them is
    /// lost.
    private var restores: [ClosedRange<Int64>] = []
    /// By name of a copy of a watch: its original, its beginning, its end, and whether it had sent everything.
    private var copies: [String: (original: String, began: Int64, ended: Int64, hasBroughtAll: Bool)] = [:]

    /// Reads the notes of the code that drove the run.
    init(_ notes: [NodeJournal.Note]) {
        var backup: Int64?
        for note in notes {
            let time = note.time ?? 0
            switch note.kind {
            case .backedUp: backup = time
            case .restored: restores.append(min(backup ?? 0, time)...time)
            case .cloned: copies[note.id ?? ""] = (note.text ?? "", time, .max, false)
            case .cloneEnded:
                copies[note.id ?? ""]?.ended = time
                copies[note.id ?? ""]?.hasBroughtAll = note.isTrue ?? false
            case .began, .intended, .accepted, .putAside, .itemQueued, .itemGot, .fileQueued, .fileGot, .named,
                .itemsLost, .asked, .answered, .messageGot:
                break
            }
        }
    }

    /// The journals; those of copies without the notes that their originals wrote.
    func withoutCopies(_ journals: [String: [NodeJournal.Note]]) -> [String: [NodeJournal.Note]] {
        var journals = journals
        for (name, copy) in copies { journals[name]?.removeAll { ($0.time ?? 0) < copy.began } }
        return journals
    }

    /// The watch of which a device is a copy; the device itself if it is not one.
    func original(of device: String) -> String { copies[device]?.original ?? device }

    /// Whether a watch ever had a copy.
    func wasCopied(_ watch: String) -> Bool { copies.values.contains { $0.original == watch } }

    /// Whether the hub was restored after a note was written.
    func wasRestoredAfter(_ note: NodeJournal.Note) -> Bool {
        restores.contains { (note.time ?? 0) <= $0.upperBound }
    }

    /// Whether a note was written between a backup of the hub's folder and its restore.
    func isInRestore(_ note: NodeJournal.Note) -> Bool {
        restores.contains { $0.contains(note.time ?? 0) }
    }

    /// Whether the hub was restored after a time.
    func isBeforeRestore(_ time: Int64) -> Bool { restores.contains { time <= $0.upperBound } }

    /// Whether an edit may be lost: only the hub had it and was restored, or only a clone had it and was deleted.
    func mayLose(_ note: NodeJournal.Note, of device: String) -> Bool {
        if device == "hub" { return isInRestore(note) }
        guard let copy = copies[device] else { return false }
        return !copy.hasBroughtAll || isInRestore(note)
    }

    /// Whether user info or a file may not arrive: the hub lost it in a restore, or only a deleted clone of the
    /// receiver received it.
    func maySendInVain(_ note: NodeJournal.Note, from sender: String, to receiver: String) -> Bool {
        if sender == "hub", isInRestore(note) { return true }
        return copies.values.contains { $0.original == receiver && (note.time ?? 0) <= $0.ended }
    }
}
