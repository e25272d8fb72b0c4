/// Decides whether the observations are what a scenario expects.
struct ScenarioChecker {
    private var watches: [String] = []
    /// By clone, the watch whose name it has at the hub.
    private var originals: [String: String] = [:]
    private var versions: [String: ClosedRange<UInt32>] = [:]

    /// Remembers what a step changed.
    mutating func note(_ action: ScenarioAction) {
        switch action {
        case .introduce(let watch): watches.append(watch)
        case .clone(let original, let name):
            watches.append(name)
            versions[name] = versions[original]
            originals[name] = originals[original] ?? original
        case .speak(let device, let versions): self.versions[device] = versions
        case .pair, .unpair, .change, .deleteRecord, .settle, .cut, .cutDuringFile, .heal, .kill, .start, .stop, .goOn,
            .backUp, .restore, .turnClock, .wait, .sendItem, .ask, .sendFile, .name, .expect:
            break
        }
    }

    /// The devices whose observations decide about a condition.
    func devices(for condition: ScenarioCondition) -> [String] {
        switch condition {
        case .shows(nil, _, _), .showsNoRecord(nil, _), .agreed: ["hub"] + watches
        case .shows(let device?, _, _), .showsNoRecord(let device?, _), .got(let device, _, _, _),
            .hasFile(let device, _, _), .gotSteadily(let device, _), .conflict(let device, _, _, _, _),
            .noConflict(let device, _), .linked(let device, false), .turnedAway(let device, _),
            .waiting(let device, _):
            [device]
        case .linked(let device, true): ["hub", device]
        case .newEpoch, .warned: ["hub"]
        }
    }

    /// Why a condition does not hold, as text; nil if it does.
    func objection(to condition: ScenarioCondition, _ observations: [String: DeviceObservation]) -> String? {
        switch condition {
        case .agreed: return DeviceObservation.disagreement(observations, reading: versions)
        case .linked(let watch, true):
            // Each end has to know: what one end sends at once may be too early for the other.
            guard observations[watch]?.link == "linked" else {
                return "its link is \(observations[watch]?.link ?? "unknown")"
            }
            let isKnown = observations["hub"]?.linkedWatches.contains(originals[watch] ?? watch) ?? false
            return isKnown ? nil : "the hub has no session with \(watch)"
        case .newEpoch:
            return observations["hub"]?.hasForked == true ? nil : "the hub still has its first history"
        case .shows, .showsNoRecord, .conflict, .noConflict, .linked(_, false), .turnedAway, .got, .hasFile,
            .gotSteadily, .waiting, .warned:
            break
        }
        for (device, seen) in observations.sorted(by: { $0.key < $1.key }) {
            if let objection = objection(to: condition, at: device, seen) { return objection }
        }
        return nil
    }

    private func objection(
        to condition: ScenarioCondition, at device: String, _ seen: DeviceObservation
    ) -> String? {
        switch condition {
        case .shows(_, let cell, let value):
            let shown = seen.cells[cell.text]
            return shown == value ? nil : "\(device) shows \(Self.words(shown))"
        case .showsNoRecord(_, let record):
            let shown = seen.cells.keys.filter { $0.hasPrefix(record + ".") }.sorted()
            return shown.isEmpty ? nil : "\(device) shows \(shown.joined(separator: ", "))"
        case .conflict(_, let cell, let loser, let winner, let rule):
            let holds = seen.conflicts.contains {
                $0.cell == cell.text && $0.loser == loser && $0.winner == winner && $0.rule == rule
            }
            return holds ? nil : "\(device) holds \(Self.words(seen.conflicts))"
        case .noConflict(_, let cell):
            let open = seen.conflicts.filter { cell == nil || $0.cell == cell?.text }
            return open.isEmpty ? nil : "\(device) holds \(Self.words(open))"
        case .linked: return seen.link == "linked" ? "it is linked" : nil
        case .turnedAway(_, let code):
            guard seen.link == "refused" || seen.link == "notAdmitted" else { return "its link is \(seen.link)" }
            return code == nil || code == seen.refusal ? nil : "the refusal is \(seen.refusal ?? "without a code")"
        case .waiting(_, let count):
            return seen.waitingEditCount == count ? nil : "\(seen.waitingEditCount) edits wait"
        case .got(_, let texts, let sender, let isUrgent):
            let got = seen.items.filter { $0.isUrgent == isUrgent && (sender == nil || $0.from == sender) }
            return got.map(\.text) == texts ? nil : "\(device) got \(got.map { "\"\($0.text)\"" })"
        case .hasFile(_, let name, let wanted):
            let has = seen.files.contains { $0.name == name && $0.isWhole }
            return has == wanted ? nil : "\(device) has \(Self.words(seen.files.first { $0.name == name }))"
        case .gotSteadily(_, let name):
            guard let file = seen.files.first(where: { $0.name == name }), file.isWhole else {
                return "\(device) has \(Self.words(seen.files.first { $0.name == name }))"
            }
            return file.hasShrunk ? "what had arrived of \(name) became less at a time" : nil
        case .warned(let watch, let warning):
            let holds = seen.warnings.contains { $0.watch == watch && $0.kind == warning.rawValue }
            return holds ? nil : "the hub warned of \(seen.warnings.map { "\($0.watch)'s \($0.kind)" })"
        case .agreed, .newEpoch: return nil
        }
    }

    private static func words(_ value: String?) -> String {
        value.map { "\"\($0)\"" } ?? "nothing"
    }

    private static func words(_ file: DeviceObservation.FileObservation?) -> String {
        guard let file else { return "nothing of it" }
        return file.isWhole ? "it whole" : "\(file.byteCount) bytes of it"
    }

    private static func words(_ conflicts: [DeviceObservation.ConflictObservation]) -> String {
        guard !conflicts.isEmpty else { return "no conflict" }
        return conflicts.map { "\($0.cell): \(words($0.loser)) lost to \(words($0.winner)) (\($0.rule))" }
            .joined(separator: "; ")
    }
}
