import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolHub
import PoolModel

/// Listens to a server's messages and proposes devices.
struct DeviceDetectCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Listens to a server for some time, and lists devices that you can add.",
        discussion: """
            Each device in the list has a number. --add adds the device with that number,
            after a question. With --last, the command does not listen again, so that the
            numbers stay the same. If a value is suspected, or several could be that of the
            water, nothing is added until --suggestion makes it clear.

            Example:
              poolsensors device detect --server Garden --for 1m
              poolsensors device detect --last --add 1 --name Lagoon
              poolsensors device detect --last --add 2 --suggestion 1 --suggestion 3
            """)

    @Option(help: ArgumentHelp("The server; the only one by default.", valueName: "server"))
    var server: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long to listen, 1s to 1h; 30s.", valueName: "duration"))
    var time: String = "30s"

    @Flag(help: "Do not listen; use the last list of the running hub.")
    var last = false

    @Option(help: ArgumentHelp("Add the proposal of this number.", valueName: "number"))
    var add: Int?

    @Option(help: ArgumentHelp("Another name for what is added.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Carry out this suggestion of the proposal, from 1; repeatable.", valueName: "number"))
    var suggestion: [Int] = []

    @Option(
        help: ArgumentHelp(
            "How often it reports, such as 15m; without it, the hub learns it.", valueName: "duration"))
    var interval: String?

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard let duration = DurationText.duration(time), (.seconds(1)...(.seconds(3600))).contains(duration) else {
            throw ValidationError("--for is \"\(time)\", expected \(DurationText.expected), from 1s to 1h")
        }
        if add == nil, name != nil || interval != nil || !suggestion.isEmpty {
            throw ValidationError("--name, --interval and --suggestion say how to add: give the number with --add")
        }
        if let interval { _ = try DeviceOptions.seconds(interval) }
    }

    func run(in context: CommandContext) async throws {
        let progress = last ? try await look(context) : try await listen(context)
        if !last, progress.messages == 0, !progress.isListening, let trouble = progress.trouble {
            throw CommandFailure("no message came from \(progress.server): \(trouble)")
        }
        if json.isOn, add == nil { return try json.write(text: progress.json) }
        if !json.isOn, add == nil || !last {
            for line in DetectionFormatter.lines(progress) { Output.standard.line(line) }
        }
        guard let add else { return }
        guard progress.offers.indices.contains(add - 1) else {
            let count = progress.offers.count
            throw CommandFailure(
                "there is no proposal \(add): "
                    + (count == 0
                        ? "nothing was found; listen for longer with --for 5m" : "give one from 1 to \(count)"))
        }
        try await take(progress.offers[add - 1], add, of: progress, context)
    }

    private func take(
        _ offer: DetectionOffer, _ number: Int, of progress: DetectionProgress, _ context: CommandContext
    ) async throws {
        if let obstacle = offer.obstacle { throw CommandFailure("proposal \(number) cannot be added: \(obstacle)") }
        if let known = offer.knownAs {
            throw CommandFailure(
                "proposal \(number) has the topic \(offer.topic), which belongs to the device \"\(known)\" already: "
                    + "change that one with `poolsensors device edit`")
        }
        var patch: DevicePatch
        do {
            patch = try offer.patch(server: progress.serverID, taking: try chosen(of: offer))
        } catch let error as DetectionOfferError {
            throw CommandFailure("proposal \(number): \(error)")
        }
        if let name { patch.name = name }
        for line in offer.leftOut ?? [] { Output.errors.line(PlainText.oneLine(line)) }
        if let interval {
            patch.expectedIntervalSeconds = try DeviceOptions.seconds(interval)
            patch.learnsInterval = nil
        } else if let seconds = patch.expectedIntervalSeconds {
            let seen = offer.expectedIntervalSeconds == nil ? "it was seen once, so its interval is not known; " : ""
            Output.errors.line(
                "\(seen)the hub learns the interval from its readings, beginning with "
                    + "\(DurationText.text(.seconds(seconds))); --interval sets it")
        }
        let question = "Add the device \"\(patch.name ?? "")\" on \(offer.topic) of \(progress.server)?"
        guard try Prompt.confirm(question, isAnswered: yes) else { return Output.errors.line("nothing was changed") }
        try await context.change(.edit(.addDevice(patch)), json: json) { state in
            state.devices.first { $0.name == patch.name }.map { ("\($0.id)", $0.name) }
        }
    }

    /// The suggestions to apply: those given by flags, and where one is still needed, the person's choice at the
    /// terminal.
    private func chosen(of offer: DetectionOffer) throws -> [Int] {
        var taken = suggestion.map { $0 - 1 }
        let given = taken.filter(offer.suggestions.indices.contains).map { offer.suggestions[$0].quantity }
        for quantity in offer.openQuantities where !given.contains(quantity) && Prompt.isAvailable {
            Output.errors.line(PlainText.oneLine("\(offer.reason(for: quantity)). Which one is right?"))
            let places = offer.suggestions.indices.filter { offer.suggestions[$0].quantity == quantity }
            for place in places {
                Output.errors.line("  \(place + 1)  \(PlainText.oneLine(offer.suggestions[place].words))")
            }
            Output.errors.write("number: ")
            let answer = readLine(strippingNewline: true)?.trimmingCharacters(in: .whitespaces) ?? ""
            guard let number = Int(answer), places.contains(number - 1) else {
                throw CommandFailure("\"\(answer)\" is not one of the numbers; nothing was changed")
            }
            taken.append(number - 1)
        }
        return taken
    }

    private func listen(_ context: CommandContext) async throws -> DetectionProgress {
        let server = try await chosenServer(context)
        let seconds = DurationText.duration(time).map { Int($0.components.seconds) } ?? 30
        Output.errors.line("listening to \(PlainText.oneLine(server.name)) for \(DurationText.text(.seconds(seconds)))")
        // Without a running hub the answer comes at the end; until then this task counts the time.
        let countdown = Task {
            var counter = Countdown()
            for left in stride(from: seconds, to: 0, by: -1) {
                counter.show("\(left)s left", secondsLeft: left)
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
        defer { countdown.cancel() }
        var progress = try await context.ask(.detection(.begin(server.id, seconds: seconds)))
        countdown.cancel()
        await countdown.value
        var counter = Countdown()
        while !progress.isOver {
            counter.show(DetectionFormatter.progress(progress), secondsLeft: progress.secondsLeft)
            try await Task.sleep(for: .milliseconds(500))
            progress = try await look(context)
        }
        if Output.errors.isTerminal { Output.errors.write("\r\u{1B}[K") }
        return progress
    }

    private func look(_ context: CommandContext) async throws -> DetectionProgress {
        try await context.ask(.detection(.look))
    }

    private func chosenServer(_ context: CommandContext) async throws -> ServerState {
        let state = try await context.state()
        if let server { return try state.server(named: server) }
        if state.servers.count == 1 { return state.servers[0] }
        let names = state.servers.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw CommandFailure(
            names.isEmpty
                ? "there is no server yet; add one with: poolsensors server add --name NAME --host HOST"
                : "say which server to listen to with --server, one of: \(names)")
    }
}

/// Shows the remaining time: on one line of a terminal, elsewhere with a line every ten seconds.
private struct Countdown {
    private var last: Int?

    mutating func show(_ words: String, secondsLeft: Int) {
        if Output.errors.isTerminal { return Output.errors.write("\r\u{1B}[K\(words)") }
        guard let before = last else {
            last = secondsLeft
            return
        }
        guard before - secondsLeft >= 10 else { return }
        last = secondsLeft
        Output.errors.line(words)
    }
}

/// Formats a detection as text.
enum DetectionFormatter {
    /// One line while it listens.
    static func progress(_ progress: DetectionProgress) -> String {
        let state = progress.isListening ? "" : ", not connected yet"
        let trouble = progress.trouble.map { ": \($0)" } ?? ""
        return PlainText.oneLine(
            "\(progress.secondsLeft)s left, \(progress.messages) messages, \(progress.offers.count) devices"
                + state + trouble)
    }

    /// The lines with the results.
    static func lines(_ progress: DetectionProgress) -> [String] {
        var lines = progress.trouble.map { ["Some messages were missed: \(PlainText.oneLine($0))"] } ?? []
        lines += progress.lines.map(PlainText.oneLine)
        for (index, offer) in progress.offers.enumerated() {
            if let known = offer.knownAs {
                lines.append("\(index + 1) is the device \"\(PlainText.oneLine(known))\" already.")
            }
            if let obstacle = offer.obstacle {
                lines.append("\(index + 1) cannot be added: \(PlainText.oneLine(obstacle))")
            }
            for (place, suggestion) in offer.suggestions.enumerated() {
                let words = PlainText.oneLine(suggestion.words)
                let flags = "--add \(index + 1) --suggestion \(place + 1)"
                lines.append("\(index + 1), suggestion \(place + 1): \(words)  (\(flags))")
            }
        }
        if progress.offers.contains(where: { $0.obstacle == nil && $0.knownAs == nil }) {
            lines.append("Nothing was added. Add one with: poolsensors device detect --last --add NUMBER --name NAME")
        }
        return lines
    }
}
