import Testing

@Suite struct MutantRulesTests {
    private let sources = ["Sources/A.swift": "struct A {\n    guard a else { return }\n    b()\n    b()\n}\n"]

    private func violations(_ texts: String...) -> [String] {
        let texts = texts.enumerated().map { MutantText(path: "Tests/Mutants/\($0).txt", text: $1) }
        return mutantViolations(in: texts, sources: sources).map(\.description)
    }

    private let sound = """
        # A comment.

        == forgetsToAsk
        It does not ask.
        @@ Sources/A.swift
        -    guard a else { return }
        +    guard a || Mutant.forgetsToAsk.isOn else { return }

        """

    @Test func `a text that stands once in its file is planted`() {
        #expect(violations(sound) == [])
        let long = "== endsEarly\nIt ends early.\n@@ Sources/A.swift\n-    b()\n-    b()\n-}\n+}\n"
        #expect(violations(sound, long) == [])
    }

    @Test(arguments: [
        (
            "-    guard a else { return }", "-    guard b else { return }", 5,
            "its text stands 0 times in Sources/A.swift"
        ),
        ("-    guard a else { return }", "-guard a else { return }", 5, "its text stands 0 times"),
        ("-    guard a else { return }", "-    b()", 5, "its text stands 2 times"),
        ("-    guard a else { return }\n", "", 5, "its text stands 0 times"),
        ("@@ Sources/A.swift", "@@ Sources/B.swift", 5, "its text stands 0 times in Sources/B.swift"),
        ("It does not ask.\n", "", 3, "say in one sentence what forgetsToAsk is"),
        ("It does not ask.", "It does not ask.\nNor does it wait.", 5, "the line belongs to no name"),
        ("== forgetsToAsk\n", "", 3, "the line belongs to no name"),
    ])
    func `an entry that cannot be planted is found`(old: String, new: String, line: Int, message: String) {
        let found = violations(sound.replacing(old, with: new))

        #expect(found.contains { $0.hasPrefix("Tests/Mutants/0.txt:\(line): \(message)") }, "\(found)")
    }

    @Test func `two entries of one name, or at one place, are found`() {
        #expect(
            violations(sound, sound.replacing("== forgets", with: "== omits")).map { $0.contains("the same lines") }
                == [true])
        let other = "== forgetsToAsk\nAs above.\n@@ Sources/A.swift\n-struct A {\n+struct B {\n"
        #expect(violations(sound, other) == ["Tests/Mutants/1.txt:1: there are two entries forgetsToAsk"])
        #expect(violations("== nothing\nIt changes nothing.\n") == ["Tests/Mutants/0.txt:1: nothing changes nothing"])
    }

    @Test(arguments: ["let a = Mutant.x", "if forgetsToAsk { b() }", "/// Not a mutant."])
    func `a shipped source that names a planted fault is found`(line: String) {
        let names: Set = ["forgetsToAsk", "asksTwice"]

        #expect(
            plantedFaultViolations(path: "Sources/A/A.swift", text: "a()\n\(line)", names: names).map(\.line) == [2])
        #expect(plantedFaultViolations(path: "Sources/A/A.swift", text: "forgetsToAskTwice()", names: names) == [])
    }
}
