import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Injects faults into the links to the watches.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Injects faults into the links between the hub and its watches.",
        discussion: """
            The running hub loses, delays, doubles or reorders messages, on one link or on
            all. The watches catch up as far as messages get through, and completely when
            the faults end. The hub removes all faults when it ends.
            """, shouldDisplay: false,
        subcommands: [LinkShowCommand.self, LinkSetCommand.self, LinkClearCommand.self],
        defaultSubcommand: LinkShowCommand.self)
}

/// Shows the links.
struct LinkShowCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the injected faults, and how often each occurred.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let links = try await context.ask(.links)
        if json.isOn {
            try json.write(links.map { LinkRecord($0) })
        } else {
            for line in LinkList.lines(links) { Output.standard.line(line) }
        }
    }
}

/// Injects faults into a link.
struct LinkSetCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Lets messages of a watch's link go wrong; what is not named stays as it is.",
        discussion: """
            Examples:
              poolsensors link set --watch Kitchen --drop 10% --delay 200ms
              poolsensors link set --watch Wrist --cut 30s
              poolsensors link set --reorder 20% --duplicate 5%
            """)

    @Option(help: ArgumentHelp("The watch. [default: all paired watches]", valueName: "name"))
    var watch: String?

    @Option(help: ArgumentHelp("How many messages are lost, such as 10%.", valueName: "share"))
    var drop: String?

    @Option(help: ArgumentHelp("How many messages arrive twice.", valueName: "share"))
    var duplicate: String?

    @Option(help: ArgumentHelp("How many messages are overtaken by later ones.", valueName: "share"))
    var reorder: String?

    @Option(help: ArgumentHelp("How many messages have one byte changed.", valueName: "share"))
    var corrupt: String?

    @Option(help: ArgumentHelp("At how many messages the connection breaks.", valueName: "share"))
    var reset: String?

    @Option(help: ArgumentHelp("How late a message can be, up to 60s; 0s for in time.", valueName: "duration"))
    var delay: String?

    @Option(help: ArgumentHelp("How long nothing gets through, up to 7d; 0s to end that.", valueName: "duration"))
    var cut: String?

    @Option(
        help: ArgumentHelp(
            "Which messages are meant: both, toWatch or fromWatch.", valueName: "both|toWatch|fromWatch"))
    var direction: String?

    @Option(help: ArgumentHelp("The same seed makes the same decisions.", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws { _ = try patch() }

    func run(in context: CommandContext) async throws {
        let patch = try patch()
        try await context.change(.links(.set(watch: try await context.linkedWatch(watch), patch)), json: json)
    }

    /// The patch from the flags.
    func patch() throws -> LinkPatch {
        var patch = LinkPatch()
        patch.drop = try share(drop, "--drop")
        patch.duplicate = try share(duplicate, "--duplicate")
        patch.reorder = try share(reorder, "--reorder")
        patch.corrupt = try share(corrupt, "--corrupt")
        patch.reset = try share(reset, "--reset")
        patch.delayMilliseconds = try time(delay, "--delay").map { Int($0 / .milliseconds(1)) }
        patch.cutSeconds = try time(cut, "--cut").map { Int(($0 / .seconds(1)).rounded(.up)) }
        patch.direction = try direction.map { text in
            guard let direction = LinkDisturbance.Direction(rawValue: text) else {
                throw ValidationError("--direction is \"\(text)\", expected both, toWatch or fromWatch")
            }
            return direction
        }
        patch.seed = seed
        guard patch != LinkPatch() else {
            throw ValidationError("say what should go wrong, such as --drop 10% or --cut 30s")
        }
        return patch
    }

    private func share(_ text: String?, _ flag: String) throws -> Double? {
        guard let text else { return nil }
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let percent = DecimalText.number(digits), (0...100).contains(percent) else {
            throw ValidationError("\(flag) is \"\(text)\", expected 0% to 100%")
        }
        return percent / 100
    }

    private func time(_ text: String?, _ flag: String) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = DurationText.duration(text) else {
            throw ValidationError("\(flag) is \"\(text)\", expected \(DurationText.expected)")
        }
        return duration
    }
}

/// Removes the faults of a link.
struct LinkClearCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Lets nothing go wrong on purpose any more.",
        discussion: """
            Example:
              poolsensors link clear --watch Kitchen
            """)

    @Option(help: ArgumentHelp("The watch. [default: all paired watches]", valueName: "name"))
    var watch: String?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.change(.links(.clear(watch: try await context.linkedWatch(watch))), json: json)
    }
}

extension CommandContext {
    /// The watch that a person means by its name; nil for all watches.
    ///
    /// - Throws: ``CommandFailure`` if no hub runs, or it has no such watch.
    fileprivate func linkedWatch(_ name: String?) async throws -> WatchID? {
        guard let name else { return nil }
        return try await namesOfRunningHub().watch(named: name).id
    }
}

/// A link with its faults, in JSON.
struct LinkRecord: Encodable {
    let watch: String
    let isLinked: Bool
    let disturbance: LinkDisturbance?
    let counts: LinkCounts

    init(_ watch: WatchConnection) {
        self.watch = watch.name
        isLinked = watch.isLinked == true
        disturbance = watch.disturbance
        counts = watch.linkCounts ?? LinkCounts()
    }
}

/// Formats links for a person.
enum LinkList {
    /// A line for each link.
    static func lines(_ watches: [WatchConnection]) -> [String] {
        guard !watches.isEmpty else {
            return ["No watch is paired yet; invite one with: poolsensors pair"]
        }
        var table = TextTable("watch", "link", "on purpose", "so far")
        for watch in watches {
            table.add(
                watch.name, watch.isLinked == true ? "linked" : "away",
                watch.disturbance.map { "\($0)" } ?? "undisturbed", words(watch.linkCounts ?? LinkCounts()))
        }
        return table.lines
    }

    private static func words(_ counts: LinkCounts) -> String {
        let parts = [
            (counts.messages, "messages"), (counts.dropped, "lost"), (counts.lostInCuts, "lost in cuts"),
            (counts.duplicated, "doubled"), (counts.delayed, "late"), (counts.reordered, "overtaken"),
            (counts.corrupted, "changed"), (counts.resets, "breaks"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}
