import CommandSupport
import Platform
import PoolHub
import PoolModel
import WaterChemistry

/// Runs a calibration wizard in a terminal, or through a pipe.
struct WizardSession {
    /// How often the device's value is read.
    private static let pollInterval = Duration.seconds(1)

    private enum Event: Sendable {
        case line(String)
        case value(LatestValue)
        case end
    }

    private var wizard: CalibrationWizard
    private let writes: @Sendable (String) -> Void
    private let isTerminal: Bool
    /// Whether the line above the question is for the device's value.
    private var hasLiveLine = false

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - wizard: The wizard in its initial state.
    ///   - writes: Writes text unchanged.
    ///   - isTerminal: Whether a line can be rewritten.
    init(_ wizard: CalibrationWizard, writes: @escaping @Sendable (String) -> Void, isTerminal: Bool) {
        self.wizard = wizard
        self.writes = writes
        self.isTerminal = isTerminal
    }

    /// Runs the wizard to its end.
    ///
    /// - Parameters:
    ///   - answers: The lines that the person types.
    ///   - raw: The newest raw value of the device; nil if it is not known.
    /// - Returns: The calibration that was accepted; nil after `cancel`.
    /// - Throws: ``CommandFailure`` if the answers end before that.
    consuming func run(
        answers: AsyncStream<String>, raw: @escaping @Sendable () async -> LatestValue?
    ) async throws -> CalibrationResult? {
        var session = self
        if let latest = await raw() { session.receive(latest) }
        let (events, source) = AsyncStream<Event>.makeStream()
        let listening = Task {
            for await line in answers { source.yield(.line(line)) }
            source.yield(.end)
        }
        let polling = Task {
            while !Task.isCancelled {
                // Cancellation ends the sleep and the loop.
                try? await Task.sleep(for: Self.pollInterval)
                if let latest = await raw() { source.yield(.value(latest)) }
            }
        }
        defer {
            listening.cancel()
            polling.cancel()
        }
        session.show()
        for await event in events where !session.wizard.isOver {
            switch event {
            case .value(let latest):
                session.receive(latest)
                session.refreshLiveLine()
            case .line(let text):
                if case .refused(let reason) = session.wizard.answer(text, at: .now) {
                    session.writes("\(session.isTerminal ? "" : "\n")! \(reason)\n")
                } else if !session.isTerminal {
                    session.writes("\n")
                }
                session.show()
            case .end:
                throw CommandFailure("the answers ended before the calibration was complete; nothing was changed")
            }
            if session.wizard.isOver { break }
        }
        return session.wizard.result
    }

    private mutating func receive(_ latest: LatestValue) {
        guard let moment = latest.moment else { return }
        wizard.receive(raw: latest.value, sampledAt: moment)
    }

    /// Writes the present prompt.
    private mutating func show() {
        let prompt = wizard.prompt(at: .now)
        var lines = ["", prompt.title, prompt.instructions]
        lines += prompt.preview?.lines.map { "  \($0)" } ?? []
        if wizard.isOver { lines = ["", prompt.title] + Array(lines.dropFirst(2)) }
        if !wizard.isOver, !prompt.words.isEmpty { lines.append("[\(prompt.words.joined(separator: ", "))]") }
        writes(lines.joined(separator: "\n") + "\n")
        hasLiveLine = false
        guard !wizard.isOver else { return }
        if case .measured = wizard.step {
            hasLiveLine = isTerminal
            if isTerminal || prompt.live != nil { writes(liveLine(prompt) + "\n") }
        }
        let suggestion = prompt.suggestion.map { " (\($0))" } ?? ""
        writes("\(prompt.question)\(suggestion) ")
    }

    /// Rewrites the line above the question, without changing the typed text.
    private mutating func refreshLiveLine() {
        guard hasLiveLine else { return }
        let prompt = wizard.prompt(at: .now)
        // Save the position, go up, clear the line, write, and go back.
        writes("\u{1B}7\u{1B}[1A\r\u{1B}[K\(liveLine(prompt))\u{1B}8")
    }

    private func liveLine(_ prompt: CalibrationPrompt) -> String {
        let nothing =
            wizard.language == .french ? "Aucune valeur de l'appareil." : "No value of the device yet."
        let text = prompt.live?.text ?? nothing
        let width = isTerminal ? TerminalWidth.columns - 1 : 1000
        return text.count > width ? text.prefix(width - 1) + "…" : text
    }
}
