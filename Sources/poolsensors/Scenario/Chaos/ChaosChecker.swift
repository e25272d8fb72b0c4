import SyncSimulation

/// Compares what the journals of all nodes say with what is there at the end.
///
/// It knows nothing of how the engine works, only what it promises.
struct ChaosChecker {
    private let journals: [String: [NodeJournal.Note]]
    private let watches: [String]
    private let sights: [String: DeviceSight]
    /// By key, the name of a watch.
    private let names: [String: String]

    init(folder: NodeFleet, watches: [String], sights: [String: DeviceSight]) throws {
        var journals: [String: [NodeJournal.Note]] = [:]
        for name in ["hub"] + watches { journals[name] = try NodeJournal.notes(path: folder.journal(of: name)) }
        self.init(journals: journals, watches: watches, sights: sights)
    }

    init(journals: [String: [NodeJournal.Note]], watches: [String], sights: [String: DeviceSight]) {
        self.journals = journals
        self.watches = watches
        self.sights = sights
        var names: [String: String] = [:]
        for note in journals["hub"] ?? [] where note.kind == .named { names[note.peer ?? ""] = note.text }
        self.names = names
    }

    /// All that was promised and is not kept, in words.
    var violations: [String] { lostEdits + brokenItems + brokenFiles }

    // MARK: - Agreement

    /// Why the devices do not agree, nil if they do.
    var disagreement: String? {
        guard let hub = sights["hub"] else { return "the hub was not seen" }
        for name in watches {
            guard let watch = sights[name] else { return "\(name) was not seen" }
            guard watch.link == "linked" else { return "\(name)'s link is \(watch.link)" }
            guard watch.waitingEditCount == 0 else { return "\(watch.waitingEditCount) edits of \(name) wait" }
            guard watch.version == hub.version else {
                return "\(name) holds version \(watch.version ?? "none"), the hub \(hub.version ?? "none")"
            }
            let cells = Set(hub.cells.keys).union(watch.cells.keys).sorted()
            if let cell = cells.first(where: { hub.cells[$0] != watch.cells[$0] }) {
                let shown = [watch, hub].map { $0.cells[cell] ?? "nothing" }
                return "\(name) shows \(cell) = \(shown[0]), the hub \(shown[1])"
            }
        }
        return nil
    }

    // MARK: - Edits

    /// Values that somebody entered, that were accepted, and that nobody can see or has replaced knowingly.
    private var lostEdits: [String] {
        var written: [String: Set<NodeJournal.Note>] = [:]
        var kept: [String: Set<String>] = [:]
        for (cell, value) in sights["hub"]?.cells ?? [:] { kept[cell, default: []].insert(value) }
        for conflict in sights["hub"]?.conflicts ?? [] {
            if let loser = conflict.loser { kept[conflict.cell, default: []].insert(loser) }
        }
        for note in journals.values.joined() {
            guard let cell = note.cell, let value = note.value else { continue }
            switch note.kind {
            case .putAside: kept[cell, default: []].insert(value)
            case .accepted, .intended: written[cell, default: []].insert(note)
            default: break
            }
        }
        return written.flatMap { cell, notes in
            let safe = Self.closure(of: kept[cell] ?? [], notes)
            return notes.filter { $0.kind == .accepted && !safe.contains($0.value ?? "") }
                .map { "the value \"\($0.value ?? "")\" of \(cell) was accepted, and is neither shown nor in the log" }
        }.sorted()
    }

    /// The values that are kept, and those that authors of kept values had seen and replaced.
    private static func closure(of kept: Set<String>, _ notes: Set<NodeJournal.Note>) -> Set<String> {
        let seen = Dictionary(grouping: notes) { $0.value ?? "" }
        var safe = kept
        var open = Array(kept)
        while let value = open.popLast() {
            for note in seen[value] ?? [] {
                if let before = note.seen, safe.insert(before).inserted { open.append(before) }
            }
        }
        return safe
    }

    // MARK: - User info

    private struct Route: Hashable {
        var sender: String
        var receiver: String
    }

    private func name(_ peer: String?) -> String { peer.map { names[$0] ?? $0 } ?? "hub" }

    private func transfers(_ kind: NodeJournal.Note.Kind, isSending: Bool) -> [Route: [NodeJournal.Note]] {
        var transfers: [Route: [NodeJournal.Note]] = [:]
        for (device, notes) in journals {
            for note in notes where note.kind == kind {
                let other = device == "hub" ? name(note.peer) : "hub"
                let route = isSending ? Route(sender: device, receiver: other) : Route(sender: other, receiver: device)
                transfers[route, default: []].append(note)
            }
        }
        return transfers
    }

    private var brokenItems: [String] {
        let queued = transfers(.itemQueued, isSending: true)
        let got = transfers(.itemGot, isSending: false)
        var broken: [String] = []
        for route in Set(queued.keys).union(got.keys) {
            // What was told again after a death is the same item; its first time counts.
            var known: Set<String> = []
            let firsts = (got[route] ?? []).filter { known.insert($0.id ?? "").inserted }.compactMap(\.text)
            let numbers = firsts.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
            if numbers != numbers.sorted() || Set(numbers).count != numbers.count {
                broken.append("user info from \(route.sender) came to \(route.receiver) as \(firsts)")
            }
            for text in (queued[route] ?? []).compactMap(\.text) where !firsts.contains(text) {
                broken.append("user info \"\(text)\" was accepted, and did not come to \(route.receiver)")
            }
        }
        return (broken + repetitions).sorted()
    }

    /// Items that came twice to an application that had not died between.
    private var repetitions: [String] {
        journals.flatMap { device, notes in
            var inThisLife: Set<String> = []
            return notes.compactMap { note -> String? in
                if note.kind == .began { inThisLife = [] }
                guard note.kind == .itemGot, let id = note.id, !inThisLife.insert(id).inserted else { return nil }
                return "user info \"\(note.text ?? "")\" came twice to \(device)"
            }
        }
    }

    // MARK: - Files

    private var brokenFiles: [String] {
        let got = journals.values.joined().filter { $0.kind == .fileGot }
        let wrong = got.filter { $0.isTrue != true }.map { "the file \($0.text ?? "") came with other bytes" }
        return (wrong + outstanding.filter { $0.hasPrefix("the file") }).sorted()
    }

    /// What is accepted and has not arrived.
    var outstanding: [String] {
        let files = Set(journals.values.joined().filter { $0.kind == .fileGot }.compactMap(\.text))
        let items = Set(journals.values.joined().filter { $0.kind == .itemGot }.compactMap(\.text))
        return journals.values.joined().compactMap { note in
            let text = note.text ?? ""
            switch note.kind {
            case .fileQueued: return files.contains(text) ? nil : "the file \(text) was accepted, and did not come"
            case .itemQueued: return items.contains(text) ? nil : "user info \"\(text)\" did not come"
            default: return nil
            }
        }
    }
}
