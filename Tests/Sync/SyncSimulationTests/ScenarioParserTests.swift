import SyncCore
import SyncSimulation
import Testing

@Suite struct ScenarioParserTests {
    private func actions(_ text: String) throws -> [ScenarioAction] {
        try ScenarioParser.scenario(text, file: "a.scenario").steps.map(\.action)
    }

    @Test func `a scenario begins with what it shows`() throws {
        let scenario = try ScenarioParser.scenario("# One.\n# Two.\n\nwatch Anna # here\n", file: "a.scenario")
        #expect(scenario.purpose == "One. Two.")
        #expect(scenario.steps == [ScenarioStep(line: 4, text: "watch Anna", action: .introduce(watch: "Anna"))])
    }

    @Test func `lines may end as on other systems`() throws {
        let text = "# One.\r\n# Two.\r\n\r\nwatch Anna # here\r\npair Anna\r\n"
        let scenario = try ScenarioParser.scenario(text, file: "a.scenario")
        #expect(scenario.purpose == "One. Two.")
        #expect(
            scenario.steps == [
                ScenarioStep(line: 4, text: "watch Anna", action: .introduce(watch: "Anna")),
                ScenarioStep(line: 5, text: "pair Anna", action: .pair(watch: "Anna")),
            ])
        let error = #expect(throws: ScenarioError.self) { try actions("watch Anna\r\npair Bob\r\n") }
        #expect(error?.line == 2 && error?.word == "Bob")
    }

    @Test func `a step may change several cells`() throws {
        let name = CellName(record: "kitchen", group: "name")
        let note = CellName(record: "kitchen", group: "note")
        #expect(
            try actions("hub sets kitchen.name = \"K\\\"#1\", kitchen.note = \"n\"") == [
                .change(by: "hub", [.init(cell: name, value: "K\"#1"), .init(cell: note, value: "n")])
            ])
        #expect(
            try actions("hub deletes kitchen\nhub deletes kitchen.name") == [
                .deleteRecord(by: "hub", record: "kitchen"),
                .change(by: "hub", [.init(cell: name, value: nil)]),
            ])
    }

    @Test func `faults name their device and their size`() throws {
        let text = """
            watch Anna
            cut Anna
            cut Anna to hub
            cut hub to Anna
            cut Anna when pool.png is at 63 %
            set Anna's clock back 1h30m
            back up hub as yesterday
            restore hub from yesterday
            clone Anna as Twin
            hub speaks only schema 2
            Anna names app tars
            Anna names no app
            """
        #expect(
            try actions(text).dropFirst() == [
                .cut(watch: "Anna", .both), .cut(watch: "Anna", .toHub), .cut(watch: "Anna", .fromHub),
                .cutDuringFile(watch: "Anna", file: "pool.png", percent: 63),
                .turnClock("Anna", by: .seconds(-5400)), .backUp("hub", label: "yesterday"),
                .restore("hub", label: "yesterday"), .clone(watch: "Anna", name: "Twin"),
                .speak("hub", versions: 2...2), .name(watch: "Anna", app: "tars"), .name(watch: "Anna", app: nil),
            ])
    }

    @Test func `an expectation holds now or within a time`() throws {
        let cell = CellName(record: "kitchen", group: "name")
        let text = """
            watch Anna
            expect Anna shows no kitchen
            within 2m conflict on kitchen.name: "a" lost to nothing (deleted)
            expect hub got user info "a", "b" from Anna
            expect Anna has 2 edits waiting
            expect Anna is turned away: upgradeWatch
            """
        #expect(
            try actions(text).dropFirst() == [
                .expect(.showsNoRecord("Anna", record: "kitchen"), within: nil),
                .expect(
                    .conflict(at: "hub", cell: cell, loser: "a", winner: nil, rule: "deleted"), within: .seconds(120)),
                .expect(.got("hub", texts: ["a", "b"], from: "Anna", isUrgent: false), within: nil),
                .expect(.waiting(watch: "Anna", editCount: 2), within: nil),
                .expect(.turnedAway(watch: "Anna", code: "upgradeWatch"), within: nil),
            ])
    }

    @Test(
        arguments: [
            ("watch Anna\npair Bob", 2, "Bob", "a watch: Anna"),
            ("watch Anna\ncut Anna to Anna", 2, "Anna", "\"hub\""),
            ("hub sets kitchen.name = Küche", 1, "Küche", "a text in quotation marks"),
            ("hub sets kitchen.colour = \"red\"", 1, "kitchen.colour", "a cell such as kitchen.name"),
            ("watch Anna\nAnna jumps", 2, "jumps", "sets, deletes, restores, puts aside"),
            ("wait 5", 1, "5", "a duration such as"),
            ("wait", 1, nil, "a duration such as"),
            ("restore hub from yesterday", 1, "yesterday", "a copy of hub; none was made yet"),
            ("watch Anna\nAnna asks hub \"q\", silence", 2, "silence", "answer \"…\", no answer or not reachable"),
            ("hub sets a.name = \"x", 1, "\"x", "a quotation mark at the end of the text"),
            ("watch Anna now", 1, "now", "the end of the line"),
            ("expect conflict on a.name: \"x\" lost to \"y\" (luck)", 1, "luck", "a rule: newest, owner"),
            ("# nothing", 1, nil, "a step"),
        ] as [(String, Int, String?, String)])
    func `an error names the line, the word and what would be right`(
        text: String, line: Int, word: String?, expected: String
    ) throws {
        let error = try #require(throws: ScenarioError.self) { try actions(text) }
        #expect(error.line == line)
        #expect(error.word == word)
        #expect(error.expected.hasPrefix(expected), "\(error)")
        #expect(error.description.hasPrefix("a.scenario:\(line): "))
    }

    @Test func `the bytes of a file follow from its name and size`() {
        let file = ScenarioFile(name: "a.png", byteCount: 1000)
        #expect(file.content == ScenarioFile(name: "a.png", byteCount: 1000).content)
        #expect(file.content != ScenarioFile(name: "b.png", byteCount: 1000).content)
        #expect(file.content.count == 1000)
        #expect(Set(file.content).count > 200)
    }
}
