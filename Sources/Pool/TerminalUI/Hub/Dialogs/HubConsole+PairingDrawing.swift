import PoolModel

extension HubConsole {
    /// The code as a picture with its words below or beside it, whichever has room; else the words alone.
    func drawPairing(in layout: ConsoleLayout, on picture: inout Picture) {
        if let code = pairingCode {
            if drawPairing(code, showsCode: true, on: &picture) { return }
            if drawPairing(code, besideIn: size, on: &picture) { return }
            if drawPairing(code, showsCode: false, on: &picture) { return }
        }
        let isOpen = pairingCode != nil
        drawBox(title: "Pair a watch", hints: [("n", "new code"), ("esc", "close")], in: layout, on: &picture) {
            FormDrawing(
                self.pairingLines(columns: $0)
                    + (isOpen
                        ? [.blank, PanelLine("A larger terminal shows a QR code.", self.look.faint)] : []))
        }
    }

    private var pairingHints: PanelLine {
        PanelLine([
            TextRun("n ", look.keyStyle), TextRun("new code  ", look.faint), TextRun("esc ", look.keyStyle),
            TextRun("close", look.faint),
        ])
    }

    /// The words below the picture.
    ///
    /// - Returns: Whether there was room.
    private func drawPairing(_ code: QRCode, showsCode: Bool, on picture: inout Picture) -> Bool {
        let side = code.side + 2 * QRCode.quietZone
        let width = max(side + 2, min(size.columns, 76))
        let lines = pairingLines(columns: max(1, width - 4), showsCode: showsCode)
        let height = (side + 1) / 2 + lines.count + 4
        guard width <= size.columns, height <= size.rows else { return false }
        let rect = Rect(
            x: (size.columns - width) / 2, y: (size.rows - height) / 2, columns: width, rows: height)
        drawGround(rect, title: "Pair a watch", hasEdge: true, on: &picture)
        draw(code, x: rect.x + (width - side) / 2, y: rect.y + 1, on: &picture.buffer)
        var y = rect.y + 1 + (side + 1) / 2
        for line in lines {
            line.draw(on: &picture.buffer, x: rect.x + 2, y: y, columns: width - 4)
            y += 1
        }
        pairingHints.draw(on: &picture.buffer, x: rect.x + 2, y: y + 1, columns: width - 4)
        return true
    }

    /// The words at the right of the picture, without an edge: for terminals that are wide and low.
    ///
    /// - Returns: Whether there was room.
    private func drawPairing(_ code: QRCode, besideIn size: Size, on picture: inout Picture) -> Bool {
        let side = code.side + 2 * QRCode.quietZone
        let rows = (side + 1) / 2
        let columns = min(40, size.columns - side - 3)
        guard columns >= 24, rows <= size.rows else { return false }
        drawGround(
            Rect(x: 0, y: 0, columns: size.columns, rows: size.rows), title: "", hasEdge: false, on: &picture)
        let (left, top) = ((size.columns - side - 3 - columns) / 2, (size.rows - rows) / 2)
        draw(code, x: left, y: top, on: &picture.buffer)
        let lines = [PanelLine("Pair a watch", look.strong), .blank] + pairingLines(columns: columns)
        for (row, line) in (lines + [.blank, pairingHints]).enumerated() where row < rows {
            line.draw(on: &picture.buffer, x: left + side + 2, y: top + row, columns: columns)
        }
        return true
    }
}
