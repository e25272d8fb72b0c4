import Foundation
import SyncSimulation

/// The faults of a run.
extension Chaos {
    mutating func injectFault() async throws {
        let name = draw(4) == 0 ? "hub" : pick(watches)
        guard fleet[name].isRunning else { return }
        switch draw(13) {
        case 0..<3:
            try await fleet.kill(name)
            counts.kills += 1
            comeBack[name] = .now.advanced(by: .milliseconds(draw(1500)))
        case 3..<5:
            try fleet.suspend(name)
            counts.stops += 1
            comeBack[name] = .now.advanced(by: .milliseconds(draw(4000)))
        case 5..<8:
            var order = NodeOrder(.swarm)
            order.seed = drawSeed()
            try await fleet.process(of: name).tell(order)
            counts.swarms += 1
        case 8 where name != "hub":
            let direction = draw(3)
            try await fleet.cut(name, outgoing: direction != 0, incoming: direction != 1)
            counts.cuts += 1
        case 9, 10: try await copyHub()
        case 11: try await copyWatch(pick(watches))
        case 12: try await burstOfConflicts()
        default:
            try await fleet.heal(name)
            counts.heals += 1
        }
    }

    private func note(
        _ kind: NodeJournal.Note.Kind, _ text: String? = nil, id: String? = nil, isTrue: Bool? = nil
    ) throws {
        var note = NodeJournal.Note(kind)
        (note.text, note.id, note.isTrue) = (text, id, isTrue)
        try journal.write(note)
    }

    /// Copies the hub's folder, or replaces it by the last copy.
    private mutating func copyHub() async throws {
        guard fleet["hub"].isRunning else { return }
        if hasBackup {
            hasBackup = false
            counts.restores += 1
            try await fleet.restore("hub", from: "backup")
            try note(.restored)
        } else {
            // Everything accepted from here on may be missing in the copy.
            try note(.backedUp)
            try await fleet.backUp("hub", as: "backup")
            hasBackup = true
        }
    }

    /// Runs a copy of a watch's folder beside the watch for some time.
    private mutating func copyWatch(_ name: String) async throws {
        guard cloneEnd == nil, comeBack[name] == nil,
            fleet[name].isRunning
        else { return }
        counts.clones += 1
        try note(.cloned, name, id: clone)
        try await fleet.clone(name, as: clone)
        cloneEnd = .now.advanced(by: .milliseconds(2000 + draw(4000)))
    }

    /// Deletes the copy of a watch; what it had not sent is lost with it.
    mutating func endClone() async throws {
        cloneEnd = nil
        let observation = try await fleet.process(of: clone).tell(NodeOrder(.look)).observation
        try await fleet.kill(clone)
        try note(.cloneEnded, id: clone, isTrue: observation?.waitingEditCount == 0)
    }
}
