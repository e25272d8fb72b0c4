import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel

/// Writes the events of a hub, in order; a slow reader never slows the hub down.
final class HubJournal: Sendable {
    /// The format of the output.
    enum Style: Equatable, Sendable {
        /// Lines for a person.
        case lines
        /// Lines for a person, only of important events.
        case quiet
        /// One JSON object for each event, on one line or on several.
        case json(isPretty: Bool)
    }

    /// The most events that may wait to be written.
    private static let waitingLimit = 4096
    /// How often readings are summarised for a person.
    private static let digestInterval = Duration.seconds(1)

    private enum Note: Sendable {
        case event(HubEvent, at: Timestamp)
        case tick
    }

    private let style: Style
    private let notes: AsyncStream<Note>
    private let noting: AsyncStream<Note>.Continuation
    private let dropped = Lock(0)

    init(style: Style) {
        self.style = style
        (notes, noting) = AsyncStream<Note>.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// Queues an event; returns at once.
    func note(_ event: HubEvent) {
        if case .dropped = noting.yield(.event(event, at: .now)) { dropped.withLock { $0 += 1 } }
    }

    /// Writes until it is cancelled.
    ///
    /// - Parameter hub: The hub; after events that may change what it waits for, it is asked for that.
    func run(asking hub: PoolHub) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [noting] in
                while !Task.isCancelled {
                    // Cancellation ends the sleep and the loop.
                    try? await Task.sleep(for: Self.digestInterval)
                    noting.yield(.tick)
                }
            }
            var digest = ReadingDigest()
            var waitingFor: [String] = []
            // A hub that cannot listen waits for nothing: it ends, with a reason.
            var isListening = false
            for await note in notes {
                guard case .event(let event, let moment) = note else {
                    for line in digest.takeLines() { write(line, at: .now) }
                    reportDropped()
                    continue
                }
                write(event, at: moment, digest: &digest)
                if case .listening = event { isListening = true }
                if isListening, event.mayChangeWhatIsWaitedFor { await reportWaiting(&waitingFor, of: hub) }
            }
            group.cancelAll()
        }
    }

    /// Notes that the hub has ended.
    func finish() {
        switch style {
        case .json(let isPretty): write(.stopped(at: .now), isPretty: isPretty)
        case .lines, .quiet: write("stopped", at: .now)
        }
    }

    private func write(_ event: HubEvent, at moment: Timestamp, digest: inout ReadingDigest) {
        switch style {
        case .json(let isPretty): write(HubEventRecord(event, at: moment), isPretty: isPretty)
        case .lines:
            if case .reading(let device, let readings) = event {
                digest.add(readings, of: device)
            } else if let line = event.line {
                write(line, at: moment)
            }
        case .quiet:
            if event.needsAttention, let line = event.line { write(line, at: moment) }
        }
    }

    private func write(_ record: HubEventRecord, isPretty: Bool) {
        // The record has only finite numbers and texts, so it can always be encoded.
        guard let text = try? isPretty ? JSONText.pretty(record) : JSONText.line(record) else { return }
        Output.standard.line(text)
    }

    private func write(_ line: String, at moment: Timestamp) {
        Output.standard.line("\(TimeOfDay(moment).seconds)  \(PlainText.oneLine(line))")
    }

    private func reportWaiting(_ reported: inout [String], of hub: PoolHub) async {
        if case .json = style { return }
        // While the hub starts or ends it does not answer; there will be another event.
        guard let report = try? await hub.ask(.state) else { return }
        let sentences = HubWait.sentences(report)
        for sentence in sentences where !reported.contains(sentence) { write(sentence, at: .now) }
        reported = sentences
    }

    private func reportDropped() {
        let count = dropped.withLock { count in
            defer { count = 0 }
            return count
        }
        guard count > 0 else { return }
        let sentence = "\(count) events were not shown: the reader of this output is too slow"
        switch style {
        case .json(let isPretty): write(HubEventRecord(.notice(sentence), at: .now), isPretty: isPretty)
        case .lines, .quiet: write(sentence, at: .now)
        }
    }
}
