import Testing

@Suite struct TextRulesTests {
    // What is forbidden is put together here, so that this file does not hold it.

    @Test(arguments: ["TO" + "DO: later", "// FIX" + "ME", "XX" + "X", "a HA" + "CK"])
    func `a mark of unfinished work is found`(line: String) {
        #expect(leftoverViolations(path: "Docs/a.md", text: "first\n\(line)\n").map(\.line) == [2])
    }

    @Test(arguments: ["mktemp /tmp/a.XXXXXX", "todo", "hackney"])
    func `a word that only looks like one is not`(line: String) {
        #expect(leftoverViolations(path: "Docs/a.md", text: line) == [])
    }

    @Test(arguments: [
        "cd /" + "home/anna/code", "\"/" + "Users/anna\"", "(/" + "root/.config)", "at /" + "work/main",
        "URIs: http://deb.debian." + "org",
        "https://pypi." + "org/simple", "at /" + "opt/swift-6/include",
    ])
    func `a path of a machine or the host of a registry is found`(line: String) {
        #expect(machineViolations(path: "Docs/a.md", text: line).count == 1)
    }

    @Test(arguments: [
        "https://github.com/home/page", "Sources/home/file", "ipc:///tmp/hub.sock", "/usr/sbin/mosquitto",
        "the root/leaf",
        "~/home/",
    ])
    func `a path that every machine has is not`(line: String) {
        #expect(machineViolations(path: "Docs/a.md", text: line) == [])
    }

    private let phrases = Phrase.list(in: "# a comment -> no phrase\n\\bby turns\\b -> alternately\n")

    @Test func `a forbidden phrase is found in a page, and its replacement is named`() {
        #expect(
            phraseViolations(path: "Docs/a.md", text: "first\nThey run By turns.\n", phrases: phrases) == [
                Violation(path: "Docs/a.md", line: 2, message: "`By turns`: write alternately")
            ])
    }

    @Test func `it is found in the literals of a source, and not in a comment`() {
        let text = "// by turns\nlet a = \"by turns\"\nlet b = \"\"\"\n    run\n    by turns\n    \"\"\"\n"
        let source = planted("Sources/Sync/SyncCore/File.swift", text)
        #expect(phraseViolations(in: source, phrases: phrases).count == 2)
    }

    @Test func `a stranger at the top of the repository is found`() {
        #expect(
            topLevelViolations(names: ["Sources", "README.md", ".ci", "scripts", "notes.txt"]).map(\.path) == [
                "notes.txt", "scripts",
            ])
    }

    private let files: Set = [
        "README.md", "Docs/GLOSSARY.md", "Docs/pictures/a.png", "Sources/Sync/SyncCore/File.swift",
    ]

    private func violations(_ text: String, at path: String = "Docs/PROTOCOL.md") -> [Violation] {
        linkViolations(
            in: Markdown(path: path, text: text), text: text, files: files.union([path]),
            textOfPage: { $0 == "Docs/GLOSSARY.md" ? "# Words\n\n## The `hub`, and more\n" : nil })
    }

    @Test(arguments: [
        "[a](missing.md)", "![a](pictures/b.png)", "[a](../GLOSSARY.md)", "[a]: missing.md",
        "<img src=\"missing.png\">", "[a](GLOSSARY.md#absent)",
        "[a](#absent)",
    ])
    func `a link that leads nowhere is found`(line: String) {
        #expect(violations("# Title\n\n\(line)\n").map(\.line) == [3])
    }

    @Test func `a link after a block of code is read`() {
        #expect(violations("# Title\n\n```sh\ncode\n```\n\n[a](missing.md)\n").map(\.line) == [7])
    }

    @Test(arguments: [
        "[a](GLOSSARY.md)", "[a](./GLOSSARY.md#the-hub-and-more)", "[a](../README.md)", "[a](../Sources/Sync/SyncCore)",
        "[a](#title)",
        "[a](https://example.com/missing)", "`[a](missing.md)`", "```\n[a](missing.md)\n```", "[a]: GLOSSARY.md",
    ])
    func `a link that leads somewhere is not`(line: String) {
        #expect(violations("# Title\n\n\(line)\n") == [])
    }
}
