package import ArgumentParser

/// What a person may have meant by an option or an argument that a command does not take.
package struct OptionAdvice {
    /// The options of the command, without dashes.
    private let known: [String]
    /// The options that take the name of a thing.
    private let naming: [String]

    /// The names that other programs give to options, each with those that it may mean here.
    private static let synonyms: [String: [String]] = {
        let secret = ["password-file", "password-stdin", "passphrase-file", "passphrase-stdin"]
        let lists: [([String], [String])] = [
            (["pass", "passwd", "password", "passphrase", "pw", "pwd"], secret),
            (["secret", "webhook-secret", "token"], ["webhook-secret-file", "webhook-secret-stdin"] + secret),
            (["user", "login", "account"], ["username"]),
            (["hostname", "address", "ip", "url", "broker", "uri"], ["host", "server", "webhook", "listen", "hub"]),
            (["ssl", "secure", "encrypt"], ["tls"]), (["ca", "cacert", "cafile", "root-ca"], ["ca-file"]),
            (["cert", "certificate", "crt"], ["client-cert"]), (["key", "keyfile", "private-key"], ["client-key"]),
            (["bind", "address", "port", "endpoint"], ["listen", "reach", "hub"]),
            (["out", "output", "file", "to", "o"], ["out", "output"]),
            (["force", "overwrite", "clobber"], ["replace", "force", "yes"]),
            (["confirm", "y", "assume-yes"], ["yes"]),
            (["since", "after", "start", "begin"], ["from", "last"]), (["until", "before", "end"], ["to", "before"]),
            (
                ["days", "hours", "period", "range", "span", "duration", "timeout", "seconds"],
                ["last", "for", "timeout"]
            ),
            (["n", "count", "lines", "max", "number"], ["limit", "count", "log"]),
            (["every", "period", "expire-after", "seconds"], ["interval"]),
            (["folder", "dir", "directory", "home", "data"], ["state"]), (["unit", "size"], ["volume"]),
            (["watch-name", "id", "as"], ["name"]), (["expires", "expiry", "ttl"], ["valid", "for"]),
        ]
        return lists.reduce(into: [:]) { table, list in
            for word in list.0 { table[word, default: []] += list.1 }
        }
    }()

    /// Reads the options of the command whose help an error names, such as `lamps add --help`.
    ///
    /// - Parameters:
    ///   - help: The command line with `--help`.
    ///   - root: The root of the program's commands.
    ///   - naming: The options of the program that take the name of a thing, without dashes.
    package init?(help: String, of root: any ParsableCommand.Type, naming: [String]) {
        self.naming = naming
        var command = root
        for word in help.split(separator: " ").dropFirst() where !word.hasPrefix("-") {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
                return nil
            }
            command = next
        }
        known = root.helpMessage(for: command, includeHidden: true).split(separator: "\n").flatMap { line -> [String] in
            guard let options = line.firstMatch(of: /^  (?:-\w, )?(--[a-z].*?)(?:  .*)?$/)?.1 else { return [] }
            return options.matches(of: /--([a-z][a-z-]*)/).map { String($0.1) }
        }
    }

    /// The message about an unknown option, with the options that may have been meant; nil if there are none.
    package func unknown(_ option: Substring) -> String? {
        let guess = option.drop { $0 == "-" }.prefix { $0 != "=" }.lowercased()
        let parts = Set(guess.split(separator: "-"))
        let meant = (Self.synonyms[guess] ?? []).filter(known.contains)
        let longer = known.filter { name in
            !parts.isEmpty && parts.isStrictSubset(of: name.split(separator: "-")) && !name.hasPrefix("no-")
        }
        var found: [String] = []
        for name in meant + longer where !found.contains(name) { found.append(name) }
        guard !found.isEmpty else { return nil }
        let secrets = found.filter { $0.hasSuffix("-file") || $0.hasSuffix("-stdin") }
            .filter { name in ["password", "passphrase", "secret"].contains { name.contains($0) } }
        let isSecret = !secrets.isEmpty
        if isSecret { found = secrets }
        let words = found.prefix(4).map { "--\($0)" }.joined(separator: " or ")
        return "Unknown option '\(option.prefix { $0 != "=" })': use \(words)"
            + (isSecret ? ", because every user of the machine can read arguments" : "")
    }

    /// The first option on a command line that the command does not have; nil if there is none.
    package func firstUnknown(in arguments: [String]) -> Substring? {
        arguments.prefix { $0 != "--" }.lazy.compactMap { $0.prefixMatch(of: /--[a-z][a-z-]*/)?.output }
            .first { !(known + ["help", "version"]).contains(String($0.dropFirst(2))) }
    }

    /// How to give a name that was given without its option, as the end of a sentence; empty if no option takes one.
    package func named(_ argument: Substring) -> String {
        let options = naming.filter(known.contains)
        guard !options.isEmpty else { return "" }
        return "; did you mean \(options.map { "--\($0) \(argument)" }.joined(separator: " or "))?"
    }
}
