import Testing

@testable import PoolModel

/// The note of a server: text for people that watches never get.
@Suite struct ServerNoteTests {
    private func noted(_ note: String?) -> Server {
        var server = Server(id: ServerID(high: 1, low: 1), name: "Home", host: "mqtt.lan")
        server.note = note
        return server
    }

    @Test func `a note is an entry of its own, which watches do not see`() throws {
        let entries = try PoolConfiguration().adding(noted("In the cellar")).entries()
        let note = try #require(entries.first { $0.key.group == "note" })

        #expect(note.key.kind == "server" && !note.isVisibleToWatches)
        #expect(String(decoding: note.value, as: UTF8.self) == #"{"note":"In the cellar"}"#)
        #expect(PoolConfiguration(entries: entries).servers == [noted("In the cellar")])
        #expect(try PoolConfiguration().adding(noted(nil)).entries().allSatisfy { $0.key.group != "note" })
    }

    @Test(arguments: [
        (1, true), (500, true), (501, false),
    ])
    func `a note has 500 characters at most`(count: Int, isValid: Bool) {
        let server = noted(String(repeating: "é", count: count))
        #expect(((try? server.validate()) != nil) == isValid)
    }

    @Test(arguments: ["", "  ", "steers\u{202E}", "two\nlines"])
    func `a note is text that can be seen`(note: String) {
        #expect(throws: ConfigurationError.self) { try noted(note).validate() }
    }

    @Test func `a stored note that breaks the rule is left out, and the server stays`() throws {
        let entries = try PoolConfiguration().adding(noted("In the cellar")).entries().map { entry in
            entry.key.group == "note" ? ConfigurationEntry(key: entry.key, value: Array(#"{"note":" "}"#.utf8)) : entry
        }
        var problems: [ConfigurationProblem] = []
        let read = PoolConfiguration(entries: entries, problems: &problems)

        #expect(read.servers == [noted(nil)])
        #expect(problems.count == 1 && "\(problems)".contains("note"))
    }
}
