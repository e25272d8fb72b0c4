import PoolControl
import PoolModel

/// The invitation of a watch: its code as a picture and as text.
struct PairingDialog: HubDialog {
    /// How long an invitation can be used.
    private static let validSeconds: Int64 = 600

    /// Orders an invitation for one watch, whatever its name, if the hub listens for watches.
    static func invite(in context: ScreenContext) -> ConsoleOutcome {
        guard context.hub.endpoint != nil else {
            return .toast(
                .refused, "invite: the hub does not listen for watches; restart it with a --listen address")
        }
        return .order(.invite(name: nil, validForSeconds: validSeconds))
    }

    func title(in context: ScreenContext) -> String { "Pair a watch" }

    func hints(in context: ScreenContext) -> [KeyHint] {
        [KeyHint("y", "copy"), KeyHint("b", "line"), KeyHint("n", "new"), KeyHint("esc", "close")]
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        if [.escape, .enter, .character("q")].contains(key) { return [.close] }
        if key == .character("n") { return [Self.invite(in: context)] }
        guard let item = context.snapshot.invitation, item.usedBy == nil else { return [] }
        if key == .character("y") { return [.copy(item.code, name: "the code")] }
        if key == .character("b") { return [.reveal(item.code)] }
        return []
    }

    /// The lines where there is no room for the picture.
    func content(columns: Int, in context: ScreenContext) -> DialogContent {
        let isOpen = code(in: context) != nil
        return DialogContent(
            text(columns: columns, in: context)
                + (isOpen ? [.blank, PanelLine("A larger terminal shows a QR code.", context.look.faint)] : []))
    }

    /// Draws the code as a picture with its text below or beside it, whichever has room; else the text alone.
    func draw(in context: ScreenContext, on picture: inout Picture) {
        if let code = code(in: context) {
            let code = QRPicture(code: code, look: context.look)
            if draw(code, showsCode: true, in: context, on: &picture) { return }
            if drawBeside(code, in: context, on: &picture) { return }
            if draw(code, showsCode: false, in: context, on: &picture) { return }
        }
        DialogBox(context).draw(title: title(in: context), hints: hints(in: context), on: &picture) {
            content(columns: $0, in: context)
        }
    }

    /// The code of the invitation, nil if there is none to show.
    ///
    /// In capitals its picture takes a third less room; `watch pair` reads those as well where nothing gets lost by it.
    private func code(in context: ScreenContext) -> QRCode? {
        guard !context.look.isASCII, let item = context.snapshot.invitation, item.usedBy == nil,
            item.validUntil > context.hub.now
        else { return nil }
        let capitals = item.code.uppercased()
        return QRCode(Array((capitals.lowercased() == item.code ? capitals : item.code).utf8))
    }

    /// The text about the invitation; without the code itself if there is room only for its picture.
    private func text(columns: Int, showsCode: Bool = true, in context: ScreenContext) -> [PanelLine] {
        let look = context.look
        guard let item = context.snapshot.invitation else { return [PanelLine("waiting for the code…", look.quiet)] }
        if let watch = item.usedBy {
            return [
                PanelLine([
                    TextRun("\(look.bullet) ", look.accentStyle), TextRun("Paired: \(watch.sanitized)", look.strong),
                ]),
                PanelLine("  It gets the configuration and the newest values now.", look.quiet),
            ]
        }
        let left = Int(min(1_000_000_000, item.validUntil.milliseconds(since: context.hub.now) / 1000))
        guard left > 0 else {
            return [PanelLine("The code has expired; n makes a new one.", look.style(.warning))]
        }
        var lines: [PanelLine] = []
        let command = TextRun("poolsensors watch pair CODE", look.quiet)
        if columns < 41 {
            lines += [PanelLine("On the watch:", look.faint), PanelLine([command])]
        } else {
            lines.append(PanelLine([TextRun("On the watch: ", look.faint), command]))
        }
        var rest = Substring(showsCode ? item.code : "")
        while !rest.isEmpty, lines.count < 12 {
            let part = rest.prefix(max(8, columns))
            lines.append(PanelLine(String(part), look.plain))
            rest = rest.dropFirst(part.count)
        }
        let name = item.name.map { " for \($0.sanitized)" } ?? ""
        lines.append(PanelLine("valid for \(FaceFormatter.age(left))\(name), for one watch", look.faint))
        for note in item.notes {
            lines += note.wrapped(columns: columns, lines: 3).map { PanelLine($0, look.style(.warning)) }
        }
        return lines
    }

    private func hintLine(in context: ScreenContext) -> HintLine { HintLine(hints(in: context), look: context.look) }

    /// Draws the text below the picture.
    ///
    /// - Returns: Whether there was room.
    private func draw(
        _ code: QRPicture, showsCode: Bool, in context: ScreenContext, on picture: inout Picture
    ) -> Bool {
        let (size, side) = (context.size, code.side)
        let width = max(side + 2, min(size.columns, 76))
        let lines = text(columns: max(1, width - 4), showsCode: showsCode, in: context)
        let height = (side + 1) / 2 + lines.count + 4
        guard width <= size.columns, height <= size.rows else { return false }
        let rect = Rect(
            x: (size.columns - width) / 2, y: (size.rows - height) / 2, columns: width, rows: height)
        DialogBox(context).drawGround(rect, title: title(in: context), hasEdge: true, on: &picture)
        code.draw(x: rect.x + (width - side) / 2, y: rect.y + 1, on: &picture.buffer)
        var y = rect.y + 1 + (side + 1) / 2
        for line in lines {
            line.draw(on: &picture.buffer, x: rect.x + 2, y: y, columns: width - 4)
            y += 1
        }
        hintLine(in: context).draw(on: &picture, x: rect.x + 2, y: y + 1, columns: width - 4)
        return true
    }

    /// Draws the text at the right of the picture, without an edge: for terminals that are wide and low.
    ///
    /// - Returns: Whether there was room.
    private func drawBeside(_ code: QRPicture, in context: ScreenContext, on picture: inout Picture) -> Bool {
        let (size, side) = (context.size, code.side)
        let rows = (side + 1) / 2
        let columns = min(40, size.columns - side - 3)
        guard columns >= 24, rows <= size.rows else { return false }
        DialogBox(context).drawGround(
            Rect(x: 0, y: 0, columns: size.columns, rows: size.rows), title: "", hasEdge: false, on: &picture)
        let (left, top) = ((size.columns - side - 3 - columns) / 2, (size.rows - rows) / 2)
        code.draw(x: left, y: top, on: &picture.buffer)
        let lines =
            [PanelLine(title(in: context), context.look.strong), .blank] + text(columns: columns, in: context)
        for (row, line) in lines.enumerated() where row < rows {
            line.draw(on: &picture.buffer, x: left + side + 2, y: top + row, columns: columns)
        }
        if lines.count + 1 < rows {
            hintLine(in: context).draw(on: &picture, x: left + side + 2, y: top + lines.count + 1, columns: columns)
        }
        return true
    }
}
