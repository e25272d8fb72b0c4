import SyncSimulation

/// Compares the journals of all nodes with the state at the end.
///
/// It does not depend on how the engine works, only on its promises.
struct ChaosChecker {
    typealias Note = NodeJournal.Note

    /// The name of the journal of the operations on folders.
    static let driver = "driver"
    /// The maximum number of conflicts that the hub keeps; beyond it, edits wait at their watches.
    private static let conflictCountMax = 100

    /// By device, its journal; copies of watches are separate devices, with the notes that they wrote as copies.
    let journals: [String: [Note]]
    let observations: [String: DeviceObservation]
    let allowedLosses: AllowedLosses
    /// By key, the name of a watch.
    private let names: [String: String]
    /// The greatest number of conflicts that the hub's log had.
    var mostConflicts = 0

    init(folder: NodeFleet, watches: [String], observations: [String: DeviceObservation]) throws {
        var journals: [String: [Note]] = [:]
        for name in ["hub", Self.driver] + watches {
            journals[name] = try NodeJournal.notes(path: folder.journal(of: name))
        }
        for note in journals[Self.driver] ?? [] where note.kind == .cloned {
            guard let name = note.id else { continue }
            journals[name] = try NodeJournal.notes(path: folder.journal(of: name))
        }
        self.init(journals: journals, observations: observations)
    }

    init(journals: [String: [Note]], observations: [String: DeviceObservation]) {
        allowedLosses = AllowedLosses(journals[Self.driver] ?? [])
        self.journals = allowedLosses.withoutCopies(journals)
        self.observations = observations
        var names: [String: String] = [:]
        for note in journals["hub"] ?? [] where note.kind == .named { names[note.peer ?? ""] = note.text }
        self.names = names
    }

    /// All broken promises, as text.
    var violations: [String] {
        lostEdits + returnedValues + splitEdits + overfullLog + brokenItems + brokenFiles + brokenMessages
    }

    /// Transfers that were accepted and have not arrived.
    var outstanding: [String] { missingItems + missingFiles }

    /// A violation if the conflict log exceeded its limit.
    private var overfullLog: [String] {
        let most = max(mostConflicts, observations["hub"]?.conflicts.count ?? 0)
        guard most > Self.conflictCountMax else { return [] }
        return ["the hub's log held \(most) conflicts, the bound is \(Self.conflictCountMax)"]
    }

    // MARK: - User info

    private struct Route: Hashable {
        var sender: String
        var receiver: String
        /// The watch at one of its ends.
        var watch: String { sender == "hub" ? receiver : sender }
    }

    private func name(_ peer: String?) -> String { peer.map { names[$0] ?? $0 } ?? "hub" }

    /// The transfers from one device to another; a copy of a watch counts as the watch.
    private func transfers(_ kind: Note.Kind, isSending: Bool) -> [Route: [Note]] {
        var transfers: [Route: [Note]] = [:]
        for (device, notes) in journals.sorted(by: { $0.key < $1.key }) {
            let end = allowedLosses.original(of: device)
            for note in notes where note.kind == kind {
                let other = end == "hub" ? name(note.peer) : "hub"
                let route = isSending ? Route(sender: end, receiver: other) : Route(sender: other, receiver: end)
                transfers[route, default: []].append(note)
            }
        }
        return transfers
    }

    /// Accepted user info that did not arrive, except what a restore may lose.
    private var missingItems: [String] {
        let got = transfers(.itemGot, isSending: false)
        return transfers(.itemQueued, isSending: true).flatMap { route, queued -> [String] in
            let there = Set((got[route] ?? []).compactMap(\.text))
            let missing = queued.filter { note in
                !there.contains(note.text ?? "")
                    && !allowedLosses.maySendInVain(note, from: route.sender, to: route.receiver)
            }
            // The sender was notified of each item that was lost at the other end.
            let reported = (journals[route.sender] ?? []).filter { note in
                note.kind == .itemsLost && (route.sender != "hub" || name(note.peer) == route.receiver)
            }
            guard missing.count > reported.reduce(0, { $0 + ($1.byteCount ?? 0) }) else { return [] }
            return missing.map { "user info \"\($0.text ?? "")\" was accepted, and did not come to \(route.receiver)" }
        }.sorted()
    }

    private var brokenItems: [String] {
        var broken: [String] = []
        for (route, notes) in transfers(.itemGot, isSending: false) where !allowedLosses.wasCopied(route.watch) {
            // An item that is reported again after a crash is the same item; its first time counts.
            var known: Set<String> = []
            let firsts = notes.filter { known.insert($0.id ?? "").inserted }.compactMap(\.text)
            let numbers = firsts.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
            if numbers != numbers.sorted() || Set(numbers).count != numbers.count {
                broken.append("user info from \(route.sender) came to \(route.receiver) as \(firsts)")
            }
        }
        return (broken + missingItems + repetitions).sorted()
    }

    /// Items that came twice to the same run of an application.
    private var repetitions: [String] {
        journals.flatMap { device, notes in
            var inThisRun: Set<String> = []
            return notes.compactMap { note -> String? in
                if note.kind == .began { inThisRun = [] }
                guard note.kind == .itemGot, let id = note.id, !inThisRun.insert(id).inserted else { return nil }
                return "user info \"\(note.text ?? "")\" came twice to \(device)"
            }
        }
    }

    // MARK: - Files

    private var brokenFiles: [String] {
        let got = journals.values.joined().filter { $0.kind == .fileGot }
        let wrong = got.filter { $0.isTrue != true }.map { "the file \($0.text ?? "") came with other bytes" }
        return (wrong + missingFiles).sorted()
    }

    private var missingFiles: [String] {
        let got = Set(journals.values.joined().filter { $0.kind == .fileGot }.compactMap(\.text))
        return transfers(.fileQueued, isSending: true).flatMap { route, queued in
            queued.filter { note in
                !got.contains(note.text ?? "")
                    && !allowedLosses.maySendInVain(note, from: route.sender, to: route.receiver)
                    && !(route.receiver == "hub" && allowedLosses.wasRestoredAfter(note))
            }.map { "the file \($0.text ?? "") was accepted, and did not come" }
        }.sorted()
    }

    // MARK: - Messages

    /// Violations of the promise that a question reaches an application at most once and gets the reply that was given.
    private var brokenMessages: [String] {
        let all = journals.values.joined()
        let heard = Dictionary(grouping: all.filter { $0.kind == .messageGot }) { $0.text ?? "" }
        let twice = heard.filter { $1.count > 1 }.map { "the question \"\($0.key)\" came \($0.value.count) times" }
        let wrong = all.filter { $0.kind == .answered && $0.value?.hasPrefix("answer ") == true }.compactMap {
            note -> String? in
            let question = note.text ?? ""
            guard heard[question] != nil else { return "the question \"\(question)\" has an answer from no process" }
            guard let echo = NodeApplication.echo(of: question), note.value != "answer \(echo)" else { return nil }
            return "the question \"\(question)\" got the reply \"\(note.value ?? "")\""
        }
        return (twice + wrong).sorted()
    }
}
