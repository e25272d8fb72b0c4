import PoolModel

/// A form as lines, with the field of each line for the mouse.
struct FormDrawing: Sendable {
    struct Line: Sendable {
        var line: PanelLine
        /// The field that the line belongs to; the number of fields means the button.
        var field: Int?
        /// The column of the cursor; nil if it is not in this line.
        var cursor: Int?
        /// The keys at the right end.
        var hints: [KeyHint] = []
    }

    var lines: [Line]
    /// The line that must be visible.
    var focused: Int
    /// The first line to show, if the person scrolls.
    var top: Int?
}

extension Form {
    /// The form in lines of a given width.
    func lines(columns: Int, look: ResolvedTheme) -> FormDrawing {
        var picture = FormDrawing(lines: [], focused: 0)
        for text in purpose.wrapped(columns: max(1, columns), lines: 4) where !purpose.isEmpty {
            picture.lines.append(.init(line: PanelLine(text, look.quiet)))
        }
        picture.lines.append(.init(line: .blank))
        let labels = fields.filter(\.isShown).map(\.label.displayWidth).max() ?? 0
        let labelColumns = min(labels + 2, max(8, columns / 2))
        for (index, field) in fields.enumerated() where field.isShown {
            if index == focus { picture.focused = picture.lines.count }
            add(field, index, labelColumns: labelColumns, columns: columns, look: look, to: &picture)
        }
        picture.lines.append(.init(line: .blank))
        if isAtButton { picture.focused = picture.lines.count }
        let text = isWaiting ? "waiting for the hub…" : " \(action) "
        let style = isAtButton && !isWaiting ? look.banner(.normal) : look.inputStyle
        picture.lines.append(
            .init(
                line: PanelLine(
                    [
                        TextRun(isAtButton ? "\(look.selectionMark)" : " ", look.keyStyle),
                        TextRun(isAtButton ? "[\(text)]" : " \(text) ", style),
                    ]), field: fields.count, hints: [KeyHint("^S", action), KeyHint("esc", "cancel")]))
        if let problem {
            for text in problem.sanitized.wrapped(columns: max(1, columns - 2), lines: 4) {
                picture.lines.append(
                    .init(
                        line: PanelLine([
                            TextRun("\(look.glyph(.warning)) ", look.style(.warning)),
                            TextRun(text, look.style(.warning)),
                        ])))
            }
        }
        return picture
    }

    private func add(
        _ field: FormField, _ index: Int, labelColumns: Int, columns: Int, look: ResolvedTheme,
        to picture: inout FormDrawing
    ) {
        let isFocused = index == focus
        let label = field.label.fitted(columns: labelColumns - 2)
        let space = String(repeating: " ", count: max(1, labelColumns - 1 - label.displayWidth))
        var spans = [
            TextRun(isFocused ? "\(look.selectionMark)" : " ", look.keyStyle),
            TextRun(label + space, isFocused ? look.strong : look.quiet),
        ]
        let room = max(1, columns - labelColumns - 1)
        let (value, cursor) = value(of: field, isFocused: isFocused, columns: room, look: look)
        spans += value
        let at = cursor.map { 1 + label.displayWidth + space.count + $0 }
        picture.lines.append(.init(line: PanelLine(spans), field: index, cursor: at))
        let words: (String, Style)?
        if field.isTouched, let problem = field.problem {
            words = ("\(look.glyph(.warning)) \(problem)", look.style(.warning, isBold: false))
        } else {
            words = isFocused && !field.hint.isEmpty ? (field.hint, look.faint) : nil
        }
        guard let words else { return }
        for text in words.0.sanitized.wrapped(columns: max(1, columns - 3), lines: 3) {
            picture.lines.append(.init(line: PanelLine("   \(text)", words.1), field: index))
        }
    }

    private func value(of field: FormField, isFocused: Bool, columns: Int, look: ResolvedTheme) -> (
        [TextRun], cursor: Int?
    ) {
        let ground = look.inputStyle
        func box(_ text: TextField, mask: Character?, empty: String) -> ([TextRun], Int?) {
            let (shown, cursor) = text.window(columns: columns, mask: mask)
            if shown.isEmpty, !isFocused || !empty.isEmpty, !empty.isEmpty {
                let padded = empty.fitted(columns: columns)
                let space = String(repeating: " ", count: max(0, columns - padded.displayWidth))
                return (
                    [TextRun(padded + space, Style(look.theme.tertiaryText, on: look.panelGround))], isFocused ? 0 : nil
                )
            }
            let space = String(repeating: " ", count: max(0, columns - shown.displayWidth))
            return ([TextRun(shown + space, ground)], isFocused ? cursor : nil)
        }
        switch field.value {
        case .text(let text):
            return box(text, mask: nil, empty: "")
        case .secret(let text, let isKept):
            return box(text, mask: look.isASCII ? "*" : "•", empty: isKept ? "kept (type a new one, or delete)" : "")
        case .choice(let options, let index):
            let text = options.indices.contains(index) ? options[index].sanitized : ""
            let (left, right) = look.isASCII ? ("< ", " >") : ("‹ ", " ›")
            let arrow = isFocused ? look.keyStyle : look.faint
            return (
                [
                    TextRun(left, arrow), TextRun(text.fitted(columns: max(1, columns - 4)), look.plain),
                    TextRun(right, arrow),
                ],
                nil
            )
        case .toggle(let isOn):
            let mark = isOn ? "[x] yes" : "[ ] no"
            return ([TextRun(mark, isOn ? look.accentStyle : look.quiet)], nil)
        }
    }
}
