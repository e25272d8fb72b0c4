/// Reads the lines of a scenario that say what is expected.
struct ScenarioConditionParser {
    /// The names so far.
    private let names: ScenarioNames

    init(names: ScenarioNames) {
        self.names = names
    }

    /// Reads an expectation; nil if the line is not one.
    func expectation(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioAction? {
        if words.take("expect") { return .expect(try condition(&words), within: nil) }
        guard words.take("within") else { return nil }
        let limit = try names.duration(&words)
        return .expect(try condition(&words), within: limit)
    }

    private func condition(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition {
        if words.take("all agree") { return .agreed }
        if words.take("all show") { return try shown(by: nil, &words) }
        if words.take("conflict on") { return try conflict(at: "hub", &words) }
        if words.take("no conflict") { return try noConflict(at: "hub", &words) }
        if words.take("hub begins anew") { return .newEpoch }
        if words.take("hub warns of") { return try warning(&words) }
        guard let next = words.next, names.devices.contains(next) else {
            throw words.unfit(
                "a device (\(ScenarioNames.choice(names.devices))), or one of all agree, all show, conflict on, no conflict, "
                    + "hub begins anew, hub warns of")
        }
        return try condition(of: try names.device(&words), &words)
    }

    private func condition(of device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition
    {
        if words.take("shows conflict on") { return try conflict(at: device, &words) }
        if words.take("shows no conflict") { return try noConflict(at: device, &words) }
        if words.take("shows") { return try shown(by: device, &words) }
        if words.take("got") { return try got(at: device, &words) }
        if words.take("has no file") { return .hasFile(device, name: try names.fileName(&words), false) }
        if words.take("has file") { return .hasFile(device, name: try names.fileName(&words), true) }
        guard device != "hub" else { throw words.unfit("shows, got, has file or has no file") }
        if words.take("is linked") { return .linked(watch: device, true) }
        if words.take("is not linked") { return .linked(watch: device, false) }
        if words.take("is turned away") { return .turnedAway(watch: device, code: try code(&words)) }
        if words.take("has no edits waiting") { return .waiting(watch: device, editCount: 0) }
        if words.take("has") {
            let count = try words.read("a number of edits") { (word: String) -> Int? in
                Int(word).flatMap { $0 >= 0 ? $0 : nil }
            }
            if !words.take("edit waiting") { try words.need("edits waiting") }
            return .waiting(watch: device, editCount: count)
        }
        throw words.unfit(
            "shows, got, has file, has no file, has 2 edits waiting, is linked, is not linked or is turned away")
    }

    private func shown(by device: String?, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition {
        if words.take("no") {
            guard let next = words.next, !next.contains(".") else {
                return .shows(device, cell: try names.cell(&words), value: nil)
            }
            return .showsNoRecord(device, record: try names.record(&words))
        }
        let cell = try names.cell(&words)
        try words.need("=")
        return .shows(device, cell: cell, value: try words.quoted())
    }

    private func conflict(at device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition {
        let cell = try names.cell(&words)
        try words.need(":")
        let loser = try words.quotedOrNothing()
        try words.need("lost to")
        let winner = try words.quotedOrNothing()
        try words.need("(")
        let rules = ScenarioRules.names
        let rule = try words.word("a rule: \(ScenarioNames.choice(rules))") { rules.contains($0) }
        try words.need(")")
        return .conflict(at: device, cell: cell, loser: loser, winner: winner, rule: rule)
    }

    private func noConflict(at device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition
    {
        .noConflict(at: device, cell: words.take("on") ? try names.cell(&words) : nil)
    }

    private func got(at device: String, _ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition {
        if device != "hub", words.next?.contains(".") == true {
            let name = try names.fileName(&words)
            try words.need("without starting over")
            return .gotSteadily(device, name: name)
        }
        let isUrgent = device != "hub" && words.take("complication")
        if !isUrgent { try words.need("user info") }
        let texts = try words.list()
        guard device == "hub" else { return .got(device, texts: texts, from: nil, isUrgent: isUrgent) }
        try words.need("from")
        return .got(device, texts: texts, from: try names.watch(&words), isUrgent: false)
    }

    private func code(_ words: inout ScenarioTokens) throws(ScenarioError) -> String? {
        guard words.take(":") else { return nil }
        let codes = ScenarioRules.refusals
        return try words.word("a reason: \(ScenarioNames.choice(codes))") { codes.contains($0) }
    }

    private func warning(_ words: inout ScenarioTokens) throws(ScenarioError) -> ScenarioCondition {
        if words.take("duplicate") { return .warned(watch: try names.watch(&words), .duplicate) }
        let owner = try names.owner(&words)
        guard owner != "hub", words.take("clock") else {
            throw words.unfit("clock, after a watch's name with 's")
        }
        return .warned(watch: owner, .clock)
    }
}
