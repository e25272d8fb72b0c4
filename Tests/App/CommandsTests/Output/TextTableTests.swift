import Testing

@testable import Commands

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest cell, and empty cells are seen`() {
        var table = TextTable("name", "value")
        table.add("a", "")
        table.add("longer", "1")

        #expect(table.lines == ["name    value", "a       –", "longer  1"])
    }

    @Test func `names with wide characters stand in columns, and are cut between characters`() {
        var table = TextTable("device", "id")
        table.add("露天風呂 onsen", "1")
        table.add("Lagoon", "2")

        #expect(table.lines == ["device          id", "露天風呂 onsen  1", "Lagoon          2"])
        let narrow = TextTable.$columns.withValue(13) { table.lines }
        #expect(narrow == ["device     id", "露天風呂…  1", "Lagoon     2"])
    }

    @Test func `foreign text cannot command the terminal or break the table`() {
        var table = TextTable("name")
        table.add("evil\u{1B}[2J\nname\u{202E}")

        #expect(table.lines[1] == "evil\u{FFFD}[2J\u{FFFD}name\u{FFFD}")
    }

    @Test func `a table fits the terminal, at the cost of its widest columns`() {
        var table = TextTable("device", "topic", "id")
        table.add("Lagoon", "home/garden/behind the house/pool/sensor", "3f2a1b00")
        table.add("The one with a name that never ends", "p", "3f2a1b01")
        let whole = table.lines

        for columns in [79, 60, 40, 30] {
            let lines = TextTable.$columns.withValue(columns) { table.lines }
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
            #expect(lines.count == 3 && lines[0].hasPrefix("device "))
            #expect(lines[1].hasSuffix("  3f2a1b00") && lines[1].contains("home/g"))
        }
        #expect(TextTable.$columns.withValue(40) { table.lines }[1].contains("…  3f2a1b00"))
        // Headings are never shortened, and output to a pipe is complete.
        #expect(TextTable.$columns.withValue(5) { table.lines }[0].split(separator: " ") == ["device", "topic", "id"])
        #expect(TextTable.$columns.withValue(200) { table.lines } == whole && table.lines == whole)
    }
}
