package import Logging
import Platform

/// The destination of the log's lines: standard error, or code that has taken them over.
package enum LogLines {
    /// Gets a line, and whether it reports a problem.
    package typealias Sink = @Sendable (String, Bool) -> Void

    private static let sink = Lock<Sink?>(nil)

    /// Sends the lines to a closure from now on; nil sends them to standard error again.
    package static func take(_ new: Sink?) { sink.withLock { $0 = new } }

    /// Passes a line to the code that has taken them over.
    ///
    /// - Returns: Whether any code has.
    fileprivate static func give(_ line: String, isProblem: Bool) -> Bool {
        guard let sink = sink.withLock(\.self) else { return false }
        sink(line, isProblem)
        return true
    }
}

/// Writes the log to standard error, unless code has taken the ``LogLines`` over.
package struct DivertedLogHandler: LogHandler {
    private var standard: StreamLogHandler

    package init(label: String) { standard = StreamLogHandler.standardError(label: label) }

    package var logLevel: Logger.Level {
        get { standard.logLevel }
        set { standard.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { standard.metadata }
        set { standard.metadata = newValue }
    }

    package var metadataProvider: Logger.MetadataProvider? {
        get { standard.metadataProvider }
        set { standard.metadataProvider = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { standard[metadataKey: key] }
        set { standard[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        let event = harmless(event)
        let facts = (event.metadata ?? [:]).sorted { $0.key < $1.key }
        let words = ([event.message.description] + facts.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        guard !LogLines.give(words, isProblem: event.level >= .warning) else { return }
        standard.log(event: event)
    }

    /// The event with all values on one line and with control characters replaced, since some values come from peers
    /// and brokers.
    package func harmless(_ event: LogEvent) -> LogEvent {
        var event = event
        event.message = "\(PlainText.oneLine(event.message.description))"
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }
        event.metadata = facts.mapValues { .string(PlainText.oneLine("\($0)")) }
        return event
    }
}
