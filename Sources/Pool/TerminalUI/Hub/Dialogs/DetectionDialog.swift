import PoolControl
import PoolDecoding
import PoolModel

/// The list of what a detection finds.
struct DetectionDialog: Equatable, Sendable {
    var serverID: ServerID
    var index = 0
    /// The suggestions that were taken of each offer, by its key, at most one for each quantity.
    var suggestions: [String: Set<Int>] = [:]
    /// The order that began it, to tell its detection from an earlier one.
    var number: Int

    /// Takes a suggestion or gives it back; of two for the same quantity only one can be taken.
    fileprivate mutating func turn(_ place: Int, of offer: DetectionOffer) {
        var taken = suggestions[offer.key] ?? []
        guard taken.remove(place) == nil else {
            suggestions[offer.key] = taken
            return
        }
        let quantity = offer.suggestions[place].quantity
        taken = taken.filter { offer.suggestions.indices.contains($0) && offer.suggestions[$0].quantity != quantity }
        suggestions[offer.key] = taken.union([place])
    }
}

extension DetectionOffer {
    /// What tells it from others, whatever else is found: devices may share a topic.
    fileprivate var key: String { "\(topic)\u{0}\(name)" }
}

extension HubConsole {
    static let detectionSeconds = 30

    mutating func beginDetection(on id: ServerID?) {
        guard let id, server(id) != nil else {
            toast(.refused, "Find: there is no server yet")
            return
        }
        let number = order(.detection(.begin(id, seconds: Self.detectionSeconds)))
        state.pending[number] = .toast
        state.dialogs.append(.detection(DetectionDialog(serverID: id, number: number)))
    }

    func detection(_ dialog: DetectionDialog) -> DetectionProgress? {
        hub.detection.flatMap { $0.serverID == dialog.serverID ? $0 : nil }
    }

    mutating func press(_ key: Key, in dialog: DetectionDialog) {
        var dialog = dialog
        let item = detection(dialog)
        let offers = item?.offers ?? []
        switch key {
        case .escape, .character("q"):
            topDialog = nil
            if item?.isOver != true { state.pending[order(.detection(.end))] = .toast }
            return
        case .up, .character("k"): dialog.index = max(0, dialog.index - 1)
        case .down, .character("j"): dialog.index = min(max(0, offers.count - 1), dialog.index + 1)
        case .character("s"):
            guard offers.indices.contains(dialog.index), !offers[dialog.index].suggestions.isEmpty else {
                toast(.refused, "suggestion: there is none for this device")
                return
            }
            guard offers[dialog.index].suggestions.count == 1 else {
                toast(.note, "suggestions: press the number of each that is right")
                return
            }
            dialog.turn(0, of: offers[dialog.index])
        case .character(let digit) where ("1"..."9").contains(digit):
            let place = (digit.wholeNumberValue ?? 0) - 1
            guard offers.indices.contains(dialog.index), offers[dialog.index].suggestions.indices.contains(place) else {
                toast(.refused, "suggestion: there is no \(digit) for this device")
                return
            }
            dialog.turn(place, of: offers[dialog.index])
        case .character("r"):
            topDialog = nil
            beginDetection(on: dialog.serverID)
            return
        case .character("m"):
            openDeviceForm(nil, server: dialog.serverID)
            return
        case .enter:
            guard offers.indices.contains(dialog.index) else {
                toast(.note, "Nothing was found yet; m adds a device by hand")
                return
            }
            take(offers[dialog.index], in: dialog)
            return
        case .character, .control, .alt, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home, .end,
            .pageUp, .pageDown, .function:
            return
        }
        topDialog = .detection(dialog)
    }

    private mutating func take(_ offer: DetectionOffer, in dialog: DetectionDialog) {
        if let name = offer.knownAs {
            toast(.refused, "It is there already, as \(name.sanitized)")
            return
        }
        if let obstacle = offer.obstacle {
            toast(.refused, obstacle)
            return
        }
        var offer = offer
        let taken = (dialog.suggestions[offer.key] ?? []).sorted().filter(offer.suggestions.indices.contains)
            .map { offer.suggestions[$0] }
        if let open = offer.openQuantities.first(where: { open in !taken.contains { $0.quantity == open } }) {
            toast(.refused, "Which \(open.name) is that of the water? Press the number of a suggestion")
            return
        }
        for suggestion in taken {
            offer.mapping = offer.mapping?.reading(suggestion.quantity, as: suggestion.values)
        }
        openDeviceForm(nil, server: dialog.serverID, offer: offer)
    }

    func detectionLines(_ dialog: DetectionDialog, columns: Int) -> FormDrawing {
        var picture = FormDrawing(lines: [], focused: 0)
        func add(_ line: PanelLine, field: Int? = nil) { picture.lines.append(.init(line: line, field: field)) }
        let name = server(dialog.serverID)?.server.name.sanitized ?? "the server"
        guard let item = detection(dialog) else {
            add(PanelLine("Beginning to listen to \(name)…", look.quiet))
            return picture
        }
        if item.isOver {
            add(PanelLine("Listened to \(name): \(item.messages) messages.", look.quiet))
        } else {
            add(
                PanelLine(
                    [TextRun("Listening to \(name)  ", look.quiet)],
                    trailing: [TextRun("\(item.messages) messages, \(item.secondsLeft) s left", look.faint)]))
            let part = 1 - Double(item.secondsLeft) / Double(Self.detectionSeconds)
            add(PanelLine(look.bar(part, columns: columns, look.keyStyle)))
        }
        if let trouble = item.trouble {
            for text in trouble.sanitized.wrapped(columns: max(1, columns - 2), lines: 3) {
                add(
                    PanelLine([
                        TextRun("\(look.glyph(.warning)) ", look.style(.warning)),
                        TextRun(text, look.style(.warning, isBold: false)),
                    ]))
            }
        }
        add(.blank)
        if item.offers.isEmpty {
            add(
                PanelLine(
                    item.isOver ? "Nothing looks like a pool probe." : "Nothing yet; probes may report seldom.",
                    look.quiet))
        }
        for (index, offer) in item.offers.enumerated() {
            if index == dialog.index { picture.focused = picture.lines.count }
            addOffer(offer, index, dialog, columns: columns, to: &picture)
        }
        return picture
    }

    private func addOffer(
        _ offer: DetectionOffer, _ index: Int, _ dialog: DetectionDialog, columns: Int,
        to picture: inout FormDrawing
    ) {
        let isChosen = index == dialog.index
        let state = offer.knownAs.map { "known as \($0.sanitized)" } ?? (offer.obstacle == nil ? "new" : "not as it is")
        func add(_ line: PanelLine) { picture.lines.append(.init(line: line, field: index)) }
        add(
            PanelLine(
                [
                    TextRun(isChosen ? "\(look.selectionMark) " : "  ", look.keyStyle),
                    TextRun(offer.name.sanitized, isChosen ? look.strong : look.quiet),
                ], trailing: [TextRun(state, offer.knownAs == nil ? look.accentStyle : look.faint)]))
        let profile = offer.mapping.map { $0.profile ?? "own mapping" } ?? "flat"
        add(PanelLine("    \(offer.topic.sanitized) \(look.separator) \(profile)", look.faint))
        if !offer.preview.isEmpty { add(PanelLine("    \(offer.preview.sanitized)", look.quiet)) }
        guard isChosen else { return }
        if let obstacle = offer.obstacle {
            for text in obstacle.sanitized.wrapped(columns: max(1, columns - 4), lines: 2) {
                add(PanelLine("    \(text)", look.style(.warning, isBold: false)))
            }
        }
        let taken = dialog.suggestions[offer.key] ?? []
        for (number, suggestion) in offer.suggestions.enumerated() {
            for (line, text) in suggestion.words.sanitized.wrapped(columns: max(1, columns - 10), lines: 2).enumerated()
            {
                let box = taken.contains(number) ? "[x]" : "[ ]"
                let mark = line > 0 ? "          " : "    \(box) \(number + 1) "
                add(PanelLine([TextRun(mark, look.accentStyle), TextRun(text, look.quiet)]))
            }
        }
    }
}
