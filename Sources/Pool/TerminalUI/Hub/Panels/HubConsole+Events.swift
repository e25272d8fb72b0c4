import PoolControl
import PoolModel

extension HubConsole {
    /// The events that are to be shown: those about what was chosen, and none newer than the pause.
    var shownEvents: [EventSummary] {
        let all = state.pausedEvents ?? snapshot.events
        guard let topic = state.eventTopic else { return all }
        return all.filter { $0.topic == topic }
    }

    var eventBadge: [TextRun] {
        var spans: [TextRun] = []
        if let paused = state.pausedEvents {
            let newer = snapshot.events.prefix { event in event.number != paused.first?.number }.count
            spans.append(TextRun(newer > 0 ? "paused, \(newer) newer  " : "paused  ", look.style(.warning)))
        }
        return spans + [TextRun(state.eventTopic.map { "f \($0.rawValue)" } ?? "f filter", look.faint)]
    }

    /// The log; the words of a row are made only where it is seen, because there are many and each frame shows few.
    func eventList(columns: Int) -> PanelList {
        let events = shownEvents.prefix(200)
        guard !events.isEmpty else {
            let text = state.eventTopic.map { "no \($0.rawValue) event lately" } ?? "nothing happened yet"
            return PanelList([PanelRow(nil, [TextRun(text, look.faint)])])
        }
        let heights = Array(repeating: 1, count: events.count)
        return PanelList(ids: events.map { .event($0.number) }, heights: heights) { index in
            let event = events[events.startIndex + index]
            let clock = ClockText(event.at, utcOffsetSeconds: snapshot.utcOffsetSeconds)
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

    var eventCommands: [Command] {
        [
            Command("f", "filter") { console in
                let topics = EventTopic.allCases
                let next = console.state.eventTopic.flatMap { topics.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                console.state.eventTopic = topics.indices.contains(next) ? topics[next] : nil
                console.state.selected[.events] = nil
            },
            Command("p", state.pausedEvents == nil ? "pause" : "go on") { $0.pauseEvents() },
            Command([.enter], label: "enter", "whole text", unless: shownEvents.isEmpty ? "there is no event" : nil) {
                console in
                guard case .event(let id) = console.selection(of: .events),
                    let event = console.shownEvents.first(where: { $0.number == id })
                else { return }
                console.toast(.note, event.text)
            },
        ]
    }

    mutating func pauseEvents() {
        state.pausedEvents = state.pausedEvents == nil ? snapshot.events : nil
        state.selected[.events] = nil
    }
}
