import SyncCore

/// Reads the lines of a scenario that do something, one after the other.
struct ScenarioStepParser {
    /// The names so far.
    private var names = ScenarioNames()

    /// Reads the step of a line.
    mutating func step(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        if let expectation = try ScenarioConditionParser(names: names).expectation(&words) { return expectation }
        if words.take("watch") { return .introduce(watch: try names.newWatch(&words)) }
        if words.take("pair") { return .pair(watch: try names.watch(&words)) }
        if words.take("unpair") { return .unpair(watch: try names.watch(&words)) }
        if words.take("cut") { return try cut(&words) }
        if words.take("heal") { return .heal(watch: try names.watch(&words)) }
        if words.take("kill") { return .kill(try names.device(&words)) }
        if words.take("start") { return .start(try names.device(&words)) }
        if words.take("stop") { return .stop(try names.device(&words)) }
        if words.take("continue") { return .goOn(try names.device(&words)) }
        if words.take("wait") { return .wait(try names.duration(&words)) }
        if words.take("set") { return try turnClock(&words) }
        if let copy = try copy(&words) { return copy }
        guard let next = words.next, names.devices.contains(next) else {
            throw words.unfit(
                "a device (\(ScenarioNames.choice(names.devices))), or one of watch, pair, unpair, cut, heal, kill, start, "
                    + "stop, continue, wait, set, back up, restore, clone, within, expect")
        }
        return try step(of: try names.device(&words), &words)
    }

    private func step(of device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        if words.take("sets") { return .change(by: device, try changes(&words)) }
        if words.take("deletes") { return try deletion(by: device, &words) }
        if words.take("restores") { return .settle(by: device, cell: try names.cell(&words), restoring: true) }
        if words.take("puts aside") { return .settle(by: device, cell: try names.cell(&words), restoring: false) }
        if words.take("sends") { return try sending(by: device, &words) }
        if words.take("asks") { return try question(by: device, &words) }
        if words.take("speaks") { return try speech(of: device, &words) }
        if words.take("names") { return try naming(by: device, &words) }
        throw words.unfit("sets, deletes, restores, puts aside, sends, asks, speaks or names")
    }

    // MARK: - Cells

    private func changes(_ words: inout ScenarioTokens) throws(ScenarioError) -> [ScenarioChange] {
        var changes: [ScenarioChange] = []
        repeat {
            let cell = try names.cell(&words)
            try words.need("=")
            changes.append(ScenarioChange(cell: cell, value: try words.quoted()))
        } while words.take(",")
        return changes
    }

    private func deletion(by device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        guard let next = words.next, !next.contains(".") else {
            return .change(by: device, [ScenarioChange(cell: try names.cell(&words), value: nil)])
        }
        return .deleteRecord(by: device, record: try names.record(&words))
    }

    // MARK: - Faults

    private func cut(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        let first = try names.device(&words)
        if words.take("to") {
            guard first != "hub" else { return .cut(watch: try names.watch(&words), .fromHub) }
            try words.need("hub")
            return .cut(watch: first, .toHub)
        }
        guard first != "hub" else { throw words.unfit("to, and a watch, since all watches are linked to the hub") }
        guard words.take("when") else { return .cut(watch: first, .both) }
        let file = try names.fileName(&words)
        try words.need("is at")
        let percent = try words.read("a number of 1…99") { (word: String) -> Int? in
            Int(word).flatMap { (1...99).contains($0) ? $0 : nil }
        }
        try words.need("%")
        return .cutDuringFile(watch: first, file: file, percent: percent)
    }

    private func turnClock(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        let device = try names.owner(&words)
        try words.need("clock")
        if words.take("ahead") { return .turnClock(device, by: try names.duration(&words)) }
        guard words.take("back") else { throw words.unfit("ahead or back") }
        return .turnClock(device, by: .zero - (try names.duration(&words)))
    }

    private mutating func copy(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction? {
        if words.take("back up") {
            let device = try names.device(&words)
            try words.need("as")
            return .backUp(device, label: try names.newBackup(of: device, &words))
        }
        if words.take("restore") {
            let device = try names.device(&words)
            try words.need("from")
            return .restore(device, label: try names.backup(of: device, &words))
        }
        if words.take("clone") {
            let original = try names.watch(&words)
            try words.need("as")
            return .clone(watch: original, name: try names.newWatch(&words))
        }
        return nil
    }

    private func speech(of device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        let isOnly = words.take("only")
        try words.need("schema")
        let known = ScenarioSchema.versions
        let newest = try words.read("a version, \(known.lowerBound) or \(known.upperBound)") { word in
            UInt32(word).flatMap { known.contains($0) ? $0 : nil }
        }
        return .speak(device, versions: (isOnly ? newest : known.lowerBound)...newest)
    }

    private func naming(by device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        guard device != "hub" else {
            throw words.unfit("a watch before names: the hub's application is always the same")
        }
        if words.take("no app") { return .name(watch: device, app: nil) }
        try words.need("app")
        let app = try words.read("the name of an application, such as \(ScenarioSchema.app)") { AppName($0) }
        return .name(watch: device, app: app)
    }

    // MARK: - Transfers

    private func sending(by sender: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        if words.take("file") { return try file(by: sender, &words) }
        let receiver = sender == "hub" ? try names.watch(&words) : "hub"
        if words.take("user info") {
            return .sendItem(from: sender, to: receiver, text: try words.quoted(), isUrgent: false)
        }
        guard sender == "hub" else { throw words.unfit("user info or file") }
        guard words.take("complication") else { throw words.unfit("user info or complication") }
        return .sendItem(from: sender, to: receiver, text: try words.quoted(), isUrgent: true)
    }

    private func file(by sender: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        let name = try names.fileName(&words)
        try words.need("of")
        let byteCount = try names.byteCount(&words)
        try words.need("to")
        if sender != "hub" { try words.need("hub") }
        let receiver = sender == "hub" ? try names.watch(&words) : "hub"
        return .sendFile(from: sender, to: receiver, ScenarioFile(name: name, byteCount: byteCount))
    }

    private func question(by sender: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction {
        if sender != "hub" { try words.need("hub") }
        let receiver = sender == "hub" ? try names.watch(&words) : "hub"
        let question = try words.quoted()
        try words.need(",")
        if words.take("no answer") { return .ask(from: sender, to: receiver, question: question, .noAnswer) }
        if words.take("not reachable") { return .ask(from: sender, to: receiver, question: question, .notReachable) }
        guard words.take("answer") else { throw words.unfit("answer \"…\", no answer or not reachable") }
        return .ask(from: sender, to: receiver, question: question, .answer(try words.quoted()))
    }
}
