import PoolControl
import PoolModel

/// The log of what happened: alerts and changes, with the readings if they are wanted; it can be filtered and paused.
struct EventsPanel: HubPanel {
    private(set) var selected: RowID?
    var filter: ListFilter? = ListFilter()
    /// Whether readings are shown, too: there are many more of them than of anything else.
    private var showsReadings = false
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
        badge.append(TextRun(readingsBadge, context.look.faint))
        return PanelTitle(text: "Events", badge: badge)
    }

    private var readingsBadge: String { showsReadings ? "R no readings" : "R readings" }

    func markBadge(endX: Int, y: Int, in context: ScreenContext, on picture: inout Picture) {
        let columns = readingsBadge.displayWidth
        picture.mark(Rect(x: endX - columns, y: y, columns: columns, rows: 1), .key(.character("R")))
    }

    /// The events that are to be shown: none newer than the pause.
    private func events(in context: ScreenContext) -> [EventSummary] {
        (pausedEvents ?? context.snapshot.events).filter { event in
            (showsReadings || event.kind != .reading) && filter?.accepts([event.text, event.topic.rawValue]) ?? true
        }
    }

    /// The log; the words of a row are made only where it is seen, because there are many and each frame shows few.
    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        let events = events(in: context).prefix(Self.rowsMax)
        guard !events.isEmpty else {
            if filter?.isShown == true { return PanelList([.noMatch(look)]) }
            let hasReadings = context.snapshot.events.contains { $0.kind == .reading }
            let text = hasReadings ? "only readings came; R shows them" : "nothing happened yet"
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

    func copyText(in context: ScreenContext) -> String? { selectedEvent(in: context)?.text.sanitized }

    private func selectedEvent(in context: ScreenContext) -> EventSummary? {
        guard case .event(let number) = selection(in: context) else { return nil }
        return events(in: context).first { $0.number == number }
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let none = events(in: context).isEmpty ? "there is no event" : nil
        return [
            .filter,
            KeyCommand("R", showsReadings ? "no readings" : "readings") { panel, _ in
                panel.showsReadings.toggle()
                panel.selected = nil
                return []
            },
            KeyCommand("p", isPaused ? "go on" : "pause") { panel, context in
                panel.togglePause(in: context)
                return []
            },
            KeyCommand([.enter], label: "enter", "whole text", unless: none) { panel, context in
                panel.selectedEvent(in: context).map { [.toast(.note, $0.text)] } ?? []
            },
        ]
    }
}
