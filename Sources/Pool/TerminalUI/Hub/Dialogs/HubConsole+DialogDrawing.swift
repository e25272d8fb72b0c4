import PoolControl
import PoolModel
import WaterChemistry

extension HubConsole {
    func draw(_ dialog: Dialog, in layout: ConsoleLayout, on picture: inout Picture) {
        picture.clearTargets()
        switch dialog {
        case .help(let scroll):
            drawBox(
                title: "Help", hints: [(look.isASCII ? "up/dn" : "↑↓", "scroll"), ("esc", "close")], in: layout,
                on: &picture
            ) { columns in
                var content = FormDrawing(helpLines(columns: columns))
                content.top = scroll
                return content
            }
        case .form(let form):
            let checked = checked(form)
            drawBox(title: checked.title, hints: [], in: layout, on: &picture) {
                checked.lines(columns: $0, look: look)
            }
        case .choice(let choice):
            drawBox(title: choice.title, hints: [("enter", "choose"), ("esc", "cancel")], in: layout, on: &picture) {
                lines(of: choice, columns: $0)
            }
        case .confirmation(let question):
            drawBox(title: "Are you sure?", hints: [], in: layout, on: &picture) { lines(of: question, columns: $0) }
        case .calibration(let calibration):
            drawBox(
                title: "Calibrate \(calibration.wizard.quantity.name)",
                hints: [("enter", "answer"), (look.isASCII ? "up" : "↑", "step back"), ("esc", "leave")], in: layout,
                on: &picture
            ) { lines(of: calibration, columns: $0) }
        case .detection(let detection):
            drawBox(
                title: "Find devices",
                hints: [("enter", "add"), ("1-9", "suggestion"), ("m", "by hand"), ("r", "again"), ("esc", "close")],
                in: layout, on: &picture
            ) { detectionLines(detection, columns: $0) }
        case .pairing: drawPairing(in: layout, on: &picture)
        }
    }

    // MARK: The box

    /// A box in the middle, as high as its lines need; what does not fit is scrolled so that the focus is seen.
    func drawBox(
        title: String, hints: [(String, String)], in layout: ConsoleLayout, on picture: inout Picture,
        lines: (_ columns: Int) -> FormDrawing
    ) {
        let room = layout.frame
        let width = min(room.size.columns - (room.size.columns >= 30 ? 2 : 0), 76)
        let hasEdge = width >= 12 && room.size.rows >= 5
        let columns = max(0, width - (hasEdge ? 4 : 0))
        let content = lines(max(1, columns))
        let extra = (hasEdge ? 2 : 0) + (hints.isEmpty || !hasEdge ? 0 : 2)
        let height = min(room.size.rows - (room.size.rows >= 20 ? 2 : 0), content.lines.count + extra)
        let rect = Rect(
            x: room.x + (room.size.columns - width) / 2, y: room.y + max(0, (room.size.rows - height) / 2),
            columns: width, rows: height)
        drawGround(rect, title: title, hasEdge: hasEdge, on: &picture)
        let inside = hasEdge ? rect.inset(columns: 2, rows: 1) : rect
        let visible = max(0, inside.size.rows - (extra > 2 ? 2 : 0))
        let top = content.top ?? content.focused - visible * 2 / 3
        let first = max(0, min(top, content.lines.count - visible))
        for (row, line) in content.lines.dropFirst(first).prefix(visible).enumerated() {
            let y = inside.y + row
            line.line.draw(on: &picture.buffer, x: inside.x, y: y, columns: columns)
            if let field = line.field { picture.mark(Rect(x: rect.x, y: y, columns: width, rows: 1), .field(field)) }
            if let cursor = line.cursor { drawCursor(x: inside.x + min(cursor, columns - 1), y: y, on: &picture) }
        }
        if extra > 2 {
            let spans = hints.flatMap { [TextRun($0.0, look.keyStyle), TextRun(" \($0.1)  ", look.faint)] }
            PanelLine(spans).draw(on: &picture.buffer, x: inside.x, y: inside.endY - 1, columns: columns)
        }
        if content.lines.count > visible, hasEdge {
            let text = " \(first + visible)/\(content.lines.count) "
            picture.buffer.write(
                text, x: rect.x, y: rect.endY - 1, columns: rect.size.columns - 2, alignment: .trailing,
                style: look.faint)
        }
    }

    func drawGround(_ rect: Rect, title: String, hasEdge: Bool, on picture: inout Picture) {
        let ground = Style(look.theme.text, on: look.hubGround)
        picture.buffer.fill(rect, style: ground)
        picture.mark(rect, .dialog)
        guard hasEdge else { return }
        picture.buffer.outline(rect, style: Style(look.theme.ink(.normal), on: look.hubGround), glyphs: look.outline)
        let text = " \(title.sanitized.fitted(columns: max(0, rect.size.columns - 8))) "
        picture.buffer.write(text, x: rect.x + 2, y: rect.y, style: look.strong)
    }

    /// The cursor is the cell it stands on, exchanged: the terminal's own one stays hidden.
    private func drawCursor(x: Int, y: Int, on picture: inout Picture) {
        guard x >= 0, y >= 0, x < picture.buffer.size.columns, y < picture.buffer.size.rows else { return }
        let cell = picture.buffer[x, y]
        let character: Character = cell.width == 0 ? " " : cell.character
        let style =
            look.isMono
            ? Style(.terminalDefault, .reverse) : Style(look.hubGround, on: look.theme.accent)
        picture.buffer.put(character, x: x, y: y, style: style)
    }

    // MARK: Contents

    private func lines(of choice: ChoiceDialog, columns: Int) -> FormDrawing {
        var picture = FormDrawing(
            choice.purpose.sanitized.wrapped(columns: columns, lines: 4).map { PanelLine($0, look.quiet) } + [.blank])
        for (index, option) in choice.options.enumerated() {
            let isChosen = index == choice.index
            if isChosen { picture.focused = picture.lines.count }
            let number = index < 9 ? "\(index + 1) " : "  "
            picture.lines.append(
                .init(
                    line: PanelLine(
                        [
                            TextRun(isChosen ? "\(look.selectionMark)" : " ", look.keyStyle),
                            TextRun(number, isChosen ? look.quiet : look.faint),
                            TextRun(option.title.sanitized, isChosen ? look.strong : look.quiet),
                        ], ground: isChosen ? look.selectionGround : nil), field: index))
            if isChosen, !option.detail.isEmpty {
                picture.lines += option.detail.sanitized.wrapped(columns: max(1, columns - 3), lines: 4).map {
                    .init(line: PanelLine("   \($0)", look.faint), field: index)
                }
            }
        }
        return picture
    }

    private func lines(of question: Confirmation, columns: Int) -> FormDrawing {
        var picture = FormDrawing(
            question.question.sanitized.wrapped(columns: columns, lines: 6).map { PanelLine($0, look.plain) } + [.blank]
        )
        picture.lines.append(
            .init(
                line: PanelLine([TextRun("y ", look.keyStyle), TextRun(question.deed, look.style(.warning))]), field: 0)
        )
        picture.lines.append(
            .init(line: PanelLine([TextRun("n ", look.keyStyle), TextRun("leave it as it is", look.quiet)]), field: 1))
        return picture
    }

    private func lines(of dialog: CalibrationDialog, columns: Int) -> FormDrawing {
        let prompt = dialog.wizard.prompt(at: hub.now)
        var lines = [PanelLine(prompt.title, look.strong)]
        for paragraph in prompt.instructions.split(separator: "\n") {
            lines += String(paragraph).wrapped(columns: columns, lines: 8).map { PanelLine($0, look.quiet) }
        }
        if let live = prompt.live {
            lines.append(.blank)
            lines += live.text.wrapped(columns: columns, lines: 4).map {
                PanelLine($0, live.stableValue == nil ? look.quiet : look.accentStyle)
            }
            let part = Double(live.count) / Double(max(1, live.countNeeded))
            lines.append(PanelLine(look.bar(part, columns: min(columns, 30), look.accentStyle)))
        }
        if let preview = prompt.preview {
            lines.append(.blank)
            lines += preview.lines.flatMap { $0.wrapped(columns: columns, lines: 3) }.map { PanelLine($0, look.plain) }
        }
        lines += [.blank, PanelLine(prompt.question, look.strong)]
        var picture = FormDrawing(lines)
        let (shown, cursor) = dialog.input.window(columns: max(1, columns - 2))
        let empty = prompt.suggestion.map { "\($0) (enter takes it)" } ?? ""
        let box = shown.isEmpty ? TextRun(empty, look.faint) : TextRun(shown, look.plain)
        picture.focused = picture.lines.count
        picture.lines.append(.init(line: PanelLine([TextRun("> ", look.keyStyle), box]), cursor: 2 + cursor))
        if let refusal = dialog.refusal, !refusal.isEmpty {
            picture.lines += refusal.wrapped(columns: max(1, columns - 2), lines: 4).map {
                .init(line: PanelLine("  \($0)", look.style(.warning)))
            }
        }
        if !prompt.words.isEmpty {
            picture.lines.append(
                .init(
                    line: PanelLine([
                        TextRun("or type ", look.faint), TextRun(prompt.words.joined(separator: ", "), look.quiet),
                    ])))
        }
        return picture
    }
}

extension FormDrawing {
    init(_ lines: [PanelLine]) {
        self.init(lines: lines.map { Line(line: $0) }, focused: 0)
    }
}
