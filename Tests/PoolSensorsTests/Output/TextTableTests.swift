import Testing

@testable import poolsensors

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest cell, and empty cells are seen`() {
        var table = TextTable("name", "value")
        table.add("a", "")
        table.add("longer", "1")

        #expect(table.lines == ["name    value", "a       –", "longer  1"])
    }

    @Test func `foreign text cannot command the terminal or break the table`() {
        var table = TextTable("name")
        table.add("evil\u{1B}[2J\nname\u{202E}")

        #expect(table.lines[1] == "evil\u{FFFD}[2J\u{FFFD}name\u{FFFD}")
    }
}
