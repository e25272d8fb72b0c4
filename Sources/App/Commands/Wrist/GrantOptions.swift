import ArgumentParser

/// What a command changes of what watches may do.
package struct GrantOptions: ParsableArguments {
    /// One change.
    package typealias Change = (watch: String, grant: String, isGiven: Bool)

    @Option(help: ArgumentHelp("Let a watch do something: its name.", valueName: "watch"))
    private var grant: String?

    @Option(help: ArgumentHelp("Do not let a watch do something: its name.", valueName: "watch"))
    private var revoke: String?

    @Argument(help: "What it may do.")
    private var grants: [String] = []

    package init() {}

    /// Reads the changes.
    ///
    /// - Parameter known: The grants that there are.
    /// - Returns: None if the command only lists.
    /// - Throws: `ValidationError` for another one, or for one without its watch.
    package func changes(among known: [String]) throws -> [Change] {
        try grants.map { name in
            guard known.contains(name) else {
                throw ValidationError("\"\(name)\" is no grant: give \(known.joined(separator: ", "))")
            }
            guard let watch = grant ?? revoke else { throw ValidationError("give --grant or --revoke with a watch") }
            return (watch, name, grant != nil)
        }
    }

    /// Prints the watches and what they may do; one without grants may do the rest.
    package static func list(_ watches: [(name: String, grants: [String])], rest: String) {
        guard !watches.isEmpty else { return Output.standard.line("No watch is paired.") }
        var table = TextTable("WATCH", "MAY")
        for watch in watches {
            table.add(watch.name, watch.grants.isEmpty ? rest : watch.grants.joined(separator: ", "))
        }
        for line in table.lines { Output.standard.line(line) }
    }
}
