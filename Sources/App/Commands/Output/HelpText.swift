/// The help of a command.
package enum HelpText {
    /// The help with the options of the command before those that it shares with other commands.
    ///
    /// - Parameter help: The help as the parser writes it: sections with a heading of their own come first there.
    /// - Returns: The help in another order.
    package static func arranged(_ help: String) -> String {
        var sections: [[Substring]] = [[]]
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            if isHeading(line) { sections.append([]) }
            sections[sections.endIndex - 1].append(line)
        }
        let options: Substring = "OPTIONS:"
        guard let place = sections.firstIndex(where: { $0.first == options }) else { return help }
        let shared = sections[..<place].filter { section in
            guard let heading = section.first, isHeading(heading) else { return false }
            return heading != "ARGUMENTS:"
        }
        let own = sections[..<place].filter { !shared.contains($0) } + [sections[place]]
        let last = sections[(place + 1)...]
        return (own + shared + last).flatMap(\.self).joined(separator: "\n")
    }

    /// Whether a line is the heading of a section, such as `COMMON OPTIONS:`.
    private static func isHeading(_ line: Substring) -> Bool {
        line.last == ":" && line.dropLast().allSatisfy { $0.isUppercase || $0 == " " } && line.count > 1
    }
}
