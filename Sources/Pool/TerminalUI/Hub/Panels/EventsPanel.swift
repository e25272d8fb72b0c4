import PoolControl
import PoolModel

/// The log of what happened; it can be filtered and paused.
struct EventsPanel: HubPanel {
    let id = PanelID.events
    private(set) var selected: RowID?
    /// What the shown events are about; nil for all.
    private var topic: EventTopic?
    /// The events that are shown while the log is paused.
    private var pausedEvents: [EventSummary]?

    /// The most events that are listed.
    private static let rowsMax = 200

    var isPaused: Bool { pausedEvents != nil }

    func title(in context: ScreenContext) -> PanelTitle {
        var badge: [TextRun] = []
        if let pausedEvents {
            let newer = context.snapshot.events.prefix { $0.number != pausedEvents.first?.number }.count
            badge.append(
                TextRun(newer > 0 ? "paused, \(newer) newer  " : "paused  ", context.look.style(.warning)))
        }
        badge.append(TextRun(topic.map { "f \($0.rawValue)" } ?? "f filter", context.look.faint))
        return PanelTitle(text: "Events", badge: badge)
    }

    /// The events that are to be shown: those of the topic, and none newer than the pause.
    private func events(in context: ScreenContext) -> [EventSummary] {
        let all = pausedEvents ?? context.snapshot.events
        guard let topic else { return all }
        return all.filter { $0.topic == topic }
    }

    /// The log; the words of a row are made only where it is seen, because there are many and each frame shows few.
    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        let events = events(in: context).prefix(Self.rowsMax)
        guard !events.isEmpty else {
            let text = topic.map { "no \($0.rawValue) event lately" } ?? "nothing happened yet"
            return PanelList([PanelRow(nil, [TextRun(text, look.faint)])])
        }
        let heights = Array(repeating: 1, count: events.count)
        return PanelList(ids: events.map { .event($0.number) }, heights: heights) { index in
            let event = events[events.startIndex + index]
            let clock = context.clock(event.at)
            let time = columns >= 40 ? clock.second : clock.minute
            let sign =
                event.status.map { TextRun("\(look.glyph($0)) ", look.style($0)) }
                ?? TextRun("\(look.separator) ", look.faint)
            let isLoud = event.status == .warning || event.status == .critical
            return PanelRow(
                .event(event.number),
                [
                    TextRun("\(time) ", look.faint), sign,
                    TextRun(event.text.sanitized, isLoud ? look.plain : look.quiet),
                ])
        }
    }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    /// Stops the list, or lets it go on.
    mutating func togglePause(in context: ScreenContext) {
        pausedEvents = isPaused ? nil : context.snapshot.events
        selected = nil
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let none = events(in: context).isEmpty ? "there is no event" : nil
        return [
            KeyCommand("f", "filter") { panel, _ in
                panel.showNextTopic()
                return []
            },
            KeyCommand("p", isPaused ? "go on" : "pause") { panel, context in
                panel.togglePause(in: context)
                return []
            },
            KeyCommand([.enter], label: "enter", "whole text", unless: none) { panel, context in
                guard case .event(let number) = panel.selection(in: context),
                    let event = panel.events(in: context).first(where: { $0.number == number })
                else { return [] }
                return [.toast(.note, event.text)]
            },
        ]
    }

    private mutating func showNextTopic() {
        let topics = EventTopic.allCases
        let next = topic.flatMap { topics.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        topic = topics.indices.contains(next) ? topics[next] : nil
        selected = nil
    }
}
