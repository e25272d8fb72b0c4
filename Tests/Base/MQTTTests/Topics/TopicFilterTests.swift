import Testing

@testable import MQTT

@Suite struct TopicFilterTests {
    @Test(arguments: ["a", "#", "+", "+/+", "a/+/b", "a/#", "+/#", "/+", "/#", "+/", "$SYS/#", "a//#"])
    func `a filter is taken as it is`(text: String) throws {
        #expect(try TopicFilter(text).text == text)
    }

    @Test(arguments: [
        ("", TextProblem.empty),
        (String(repeating: "x", count: 65_536), .tooLong(byteCount: 65_536)),
        ("a\0", .forbiddenCharacter("\0")),
        ("a+", .wildcardNotAlone("+")),
        ("+a/b", .wildcardNotAlone("+")),
        ("a/++", .wildcardNotAlone("+")),
        ("a/b#", .wildcardNotAlone("#")),
        ("+#", .wildcardNotAlone("+")),
        ("#/a", .levelsAfterHash),
        ("a/#/", .levelsAfterHash),
        ("#/#", .levelsAfterHash),
    ])
    func `a text that is no filter is refused with its fault`(text: String, fault: TextProblem) {
        #expect(throws: MQTTError.invalidTopicFilter(text, fault)) { try TopicFilter(text) }
    }

    @Test(arguments: [
        // The examples of MQTT 5.0, section 4.7.1.
        ("sport/tennis/player1/#", "sport/tennis/player1", true),
        ("sport/tennis/player1/#", "sport/tennis/player1/ranking", true),
        ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true),
        ("sport/#", "sport", true),
        ("sport/tennis/+", "sport/tennis/player1", true),
        ("sport/tennis/+", "sport/tennis/player1/ranking", false),
        ("sport/+", "sport", false),
        ("sport/+", "sport/", true),
        ("+/+", "/finance", true),
        ("/+", "/finance", true),
        ("+", "/finance", false),
        // And of section 4.7.2.
        ("#", "$SYS/monitor", false),
        ("+/monitor/Clients", "$SYS/monitor/Clients", false),
        ("$SYS/#", "$SYS/monitor", true),
        ("$SYS/monitor/+", "$SYS/monitor/Clients", true),
        ("a/b", "a/b", true),
        ("a/b", "A/b", false),
        ("a/b", "a/b/", false),
    ])
    func `a filter matches the topics that it asks for`(filter: String, name: String, isMatch: Bool) throws {
        #expect(try TopicFilter(filter).matches(TopicName(name)) == isMatch)
    }

    @Test func `a filter matches as the standard says, level by level`() throws {
        let filterLevels = ["", "a", "b", "+", "#"]
        let nameLevels = ["", "a", "b", "$c"]
        let names = try combinations(of: nameLevels).filter { $0 != "" }.map { try TopicName($0) }

        for text in combinations(of: filterLevels) {
            // Texts that are no filters are proven above.
            guard let filter = try? TopicFilter(text) else { continue }
            for name in names {
                #expect(filter.matches(name) == isMatch(filter.text, name.text), "\(filter) \(name)")
            }
        }
    }

    @Test func `the filter of a topic matches that topic only`() throws {
        let filter = TopicFilter(try TopicName("a/b"))

        #expect(filter.matches(try TopicName("a/b")))
        #expect(!filter.matches(try TopicName("a/c")))
    }

    /// All topics of one to three of these levels.
    private func combinations(of levels: [String]) -> [String] {
        let two = levels.flatMap { first in levels.map { "\(first)/\($0)" } }
        return levels + two + two.flatMap { first in levels.map { "\(first)/\($0)" } }
    }

    /// The rule of the standard, written down once more.
    private func isMatch(_ filter: String, _ name: String) -> Bool {
        var filterLevels = filter.split(separator: "/", omittingEmptySubsequences: false)[...]
        var nameLevels = name.split(separator: "/", omittingEmptySubsequences: false)[...]
        if name.hasPrefix("$"), filter.hasPrefix("+") || filter.hasPrefix("#") { return false }
        while let level = filterLevels.popFirst() {
            if level == "#" { return true }
            guard let nameLevel = nameLevels.popFirst(), level == "+" || level == nameLevel else { return false }
        }
        return nameLevels.isEmpty
    }
}
