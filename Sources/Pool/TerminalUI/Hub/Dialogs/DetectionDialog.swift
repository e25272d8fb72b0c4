import PoolControl
import PoolDecoding
import PoolModel

/// The devices that a detection finds.
struct DetectionDialog: HubDialog {
    /// How long a detection listens.
    private static let seconds = 30

    private let serverID: ServerID
    private var index = 0
    /// The suggestions that were taken of each offer, by its key, at most one for each quantity.
    private var suggestions: [String: Set<Int>] = [:]

    private init(serverID: ServerID) {
        self.serverID = serverID
    }

    /// Begins a detection, and opens the dialog that shows it.
    static func begin(on id: ServerID?, in context: ScreenContext) -> [ConsoleOutcome] {
        guard let id, context.hub.server(id) != nil else {
            return [.toast(.refused, "Find: there is no server yet")]
        }
        return [.order(.detection(.begin(id, seconds: seconds))), .open(DetectionDialog(serverID: id))]
    }

    func title(in context: ScreenContext) -> String { "Find devices" }

    func hints(in context: ScreenContext) -> [KeyHint] {
        [
            KeyHint("enter", "add"), KeyHint("1-9", "suggestion"), KeyHint("n", "by hand"), KeyHint("f", "again"),
            KeyHint("esc", "close"),
        ]
    }

    private func progress(in context: ScreenContext) -> DetectionProgress? {
        context.hub.detection.flatMap { $0.serverID == serverID ? $0 : nil }
    }

    // MARK: Keys

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        let progress = progress(in: context)
        let offers = progress?.offers ?? []
        switch key {
        case .escape, .character("q"):
            return progress?.isOver == true ? [.close] : [.close, .order(.detection(.end))]
        case .up, .character("k"): index = max(0, index - 1)
        case .down, .character("j"): index = min(max(0, offers.count - 1), index + 1)
        case .character(let digit) where ("1"..."9").contains(digit):
            let place = (digit.wholeNumberValue ?? 0) - 1
            guard offers.indices.contains(index), offers[index].suggestions.indices.contains(place) else {
                return [.toast(.refused, "suggestion: there is no \(digit) for this device")]
            }
            toggle(place, of: offers[index])
        case .character("f"): return [.close] + Self.begin(on: serverID, in: context)
        case .character("n"): return [.open(FormDialog(DeviceForm(server: serverID), in: context))]
        case .enter:
            guard offers.indices.contains(index) else {
                return [.toast(.note, "Nothing was found yet; n adds a device by hand")]
            }
            return add(offers[index], in: context)
        case .character, .control, .alt, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home, .end,
            .pageUp, .pageDown, .function:
            break
        }
        return []
    }

    /// The first click chooses a device, the second adds it.
    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        if index == field { return press(.enter, in: context) }
        index = field
        return []
    }

    /// Takes a suggestion or drops it; of two for the same quantity only one can be taken.
    private mutating func toggle(_ place: Int, of offer: DetectionOffer) {
        var taken = suggestions[offer.key] ?? []
        guard taken.remove(place) == nil else {
            suggestions[offer.key] = taken
            return
        }
        let quantity = offer.suggestions[place].quantity
        taken = taken.filter { offer.suggestions.indices.contains($0) && offer.suggestions[$0].quantity != quantity }
        suggestions[offer.key] = taken.union([place])
    }

    private func add(_ offer: DetectionOffer, in context: ScreenContext) -> [ConsoleOutcome] {
        if let name = offer.knownAs { return [.toast(.refused, "It is there already, as \(name.sanitized)")] }
        if let obstacle = offer.obstacle { return [.toast(.refused, obstacle)] }
        var offer = offer
        let taken = (suggestions[offer.key] ?? []).sorted().filter(offer.suggestions.indices.contains)
            .map { offer.suggestions[$0] }
        if let open = offer.openQuantities.first(where: { open in !taken.contains { $0.quantity == open } }) {
            return [.toast(.refused, "\(offer.reason(for: open).sanitized): press the number of a suggestion")]
        }
        for suggestion in taken {
            offer.mapping = offer.mapping?.reading(suggestion.quantity, as: suggestion.values)
        }
        return [.open(FormDialog(DeviceForm(server: serverID, offer: offer), in: context))]
    }

    // MARK: Drawing

    func lines(columns: Int, in context: ScreenContext) -> FormDrawing {
        let look = context.look
        var drawing = FormDrawing(lines: [], focused: 0)
        func add(_ line: PanelLine) { drawing.lines.append(.init(line: line)) }
        let name = context.hub.server(serverID)?.server.name.sanitized ?? "the server"
        guard let progress = progress(in: context) else {
            add(PanelLine("Beginning to listen to \(name)…", look.quiet))
            return drawing
        }
        if progress.isOver {
            add(PanelLine("Listened to \(name): \(progress.messages) messages.", look.quiet))
        } else {
            add(
                PanelLine(
                    [TextRun("Listening to \(name)  ", look.quiet)],
                    trailing: [
                        TextRun("\(progress.messages) messages, \(progress.secondsLeft) s left", look.faint)
                    ]))
            let part = 1 - Double(progress.secondsLeft) / Double(Self.seconds)
            add(PanelLine(look.bar(part, columns: columns, look.keyStyle)))
        }
        if let trouble = progress.trouble {
            for text in trouble.sanitized.wrapped(columns: max(1, columns - 2), lines: 3) {
                add(
                    PanelLine([
                        TextRun("\(look.glyph(.warning)) ", look.style(.warning)),
                        TextRun(text, look.style(.warning, isBold: false)),
                    ]))
            }
        }
        add(.blank)
        if progress.offers.isEmpty {
            add(
                PanelLine(
                    progress.isOver ? "Nothing looks like a pool probe." : "Nothing yet; probes may report seldom.",
                    look.quiet))
        }
        for (index, offer) in progress.offers.enumerated() {
            if index == self.index { drawing.focused = drawing.lines.count }
            drawing.lines += lines(of: offer, isChosen: index == self.index, columns: columns, look: look)
                .map { .init(line: $0, field: index) }
        }
        return drawing
    }

    private func lines(
        of offer: DetectionOffer, isChosen: Bool, columns: Int, look: ResolvedTheme
    ) -> [PanelLine] {
        let state = offer.knownAs.map { "known as \($0.sanitized)" } ?? (offer.obstacle == nil ? "new" : "not as it is")
        let profile = offer.mapping.map { $0.profile ?? "own mapping" } ?? "flat"
        var lines = [
            PanelLine(
                [
                    TextRun(isChosen ? "\(look.selectionMark) " : "  ", look.keyStyle),
                    TextRun(offer.name.sanitized, isChosen ? look.strong : look.quiet),
                ], trailing: [TextRun(state, offer.knownAs == nil ? look.accentStyle : look.faint)]),
            PanelLine("    \(offer.topic.sanitized) \(look.separator) \(profile)", look.faint),
        ]
        if !offer.preview.isEmpty { lines.append(PanelLine("    \(offer.preview.sanitized)", look.quiet)) }
        guard isChosen else { return lines }
        if let obstacle = offer.obstacle {
            lines += obstacle.sanitized.wrapped(columns: max(1, columns - 4), lines: 2).map {
                PanelLine("    \($0)", look.style(.warning, isBold: false))
            }
        }
        let taken = suggestions[offer.key] ?? []
        for (number, suggestion) in offer.suggestions.enumerated() {
            let texts = suggestion.words.sanitized.wrapped(columns: max(1, columns - 10), lines: 2)
            for (line, text) in texts.enumerated() {
                let box = taken.contains(number) ? "[x]" : "[ ]"
                let mark = line > 0 ? "          " : "    \(box) \(number + 1) "
                lines.append(PanelLine([TextRun(mark, look.accentStyle), TextRun(text, look.quiet)]))
            }
        }
        return lines
    }
}

extension DetectionOffer {
    /// The identity of a found device; devices may share a topic.
    fileprivate var key: String { "\(topic)\u{0}\(name)" }
}
