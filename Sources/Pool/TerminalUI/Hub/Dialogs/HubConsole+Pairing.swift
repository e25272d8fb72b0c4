import PoolControl
import PoolModel

extension HubConsole {
    mutating func beginPairing() {
        guard hub.endpoint != nil else {
            toast(.refused, "invite: the hub does not listen for watches; restart it with a --listen address")
            return
        }
        open(
            .invitation,
            Form(
                title: "Pair a watch", purpose: "Makes a code for one watch, which it needs once.", deed: "invite",
                fields: [
                    FormField("name", "Name", .text(TextField()), hint: "Empty: the watch chooses"),
                    FormField("valid", "Valid for", .choice(Self.validities.map(\.title), index: 0)),
                ]))
    }

    private static let validities: [(title: String, seconds: Int)] = [
        ("10 minutes", 600), ("1 hour", 3600), ("1 day", 86_400),
    ]

    func invitationReading(_ form: Form) -> FormReading {
        let name = form.text("name")
        if name.utf8.count > 64 { return FormReading(problems: ["name": "At most 64 bytes are possible."]) }
        if let scalar = ControlCharacter.find(in: name) {
            return FormReading(problems: ["name": "\(ConfigurationError.nameSteers(.watch, scalar))"])
        }
        if hub.watches.contains(where: { $0.name == name }) {
            return FormReading(problems: ["name": "Another watch has this name."])
        }
        let index = form["valid"].index
        let seconds = Self.validities.indices.contains(index) ? Self.validities[index].seconds : 600
        return FormReading(command: .invite(name: name.isEmpty ? nil : name, validForSeconds: Int64(seconds)))
    }

    mutating func pressInPairing(_ key: Key) {
        if [.escape, .enter, .character("q")].contains(key) {
            topDialog = nil
        } else if key == .character("n") {
            topDialog = nil
            beginPairing()
        }
    }

    /// The code of the invitation as a picture, nil if there is none to show.
    ///
    /// In capitals it takes a third less room, and `watch pair` reads those as well where nothing gets lost by it.
    var pairingCode: QRCode? {
        guard !look.isASCII, let item = snapshot.invitation, item.usedBy == nil, item.validUntil > hub.now
        else { return nil }
        let capitals = item.code.uppercased()
        return QRCode(Array((capitals.lowercased() == item.code ? capitals : item.code).utf8))
    }

    /// What is said about the invitation; without the code itself where its picture has to do.
    func pairingLines(columns: Int, showsCode: Bool = true) -> [PanelLine] {
        guard let item = snapshot.invitation else { return [PanelLine("waiting for the code…", look.quiet)] }
        if let watch = item.usedBy {
            return [
                PanelLine([
                    TextRun("\(look.bullet) ", look.accentStyle), TextRun("Paired: \(watch.sanitized)", look.strong),
                ]),
                PanelLine("  It gets the configuration and the newest values now.", look.quiet),
            ]
        }
        let left = Int(min(1_000_000_000, item.validUntil.milliseconds(since: hub.now) / 1000))
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
        return lines
    }

    /// The picture of a code in half blocks: two modules to a cell, dark on light whatever the theme is.
    func draw(_ code: QRCode, x: Int, y: Int, on buffer: inout CellBuffer) {
        let zone = QRCode.quietZone
        let side = code.side + 2 * zone
        let light = AdaptiveColor(rgb: RGB(0xFFFFFF), indexed: 231, ansi: 15)
        let dark = AdaptiveColor(rgb: RGB(0x000000), indexed: 16, ansi: 0)
        func isDark(_ column: Int, _ row: Int) -> Bool {
            row < side && code.isDark(column - zone, row - zone)
        }
        for row in stride(from: 0, to: side, by: 2) {
            for column in 0..<side {
                // Where there is an odd row at the end, the half cell below it is light.
                let (upper, lower) = (isDark(column, row), isDark(column, row + 1))
                let place = (x: x + column, y: y + row / 2)
                if look.isMono {
                    drawMono(upper, lower, place, on: &buffer)
                } else if upper == lower {
                    buffer.put(" ", x: place.x, y: place.y, style: Style(light, on: upper ? dark : light))
                } else {
                    buffer.put(
                        "▀", x: place.x, y: place.y, style: Style(upper ? dark : light, on: lower ? dark : light))
                }
            }
        }
    }

    /// Without colours the terminal's own two are used: what they are is known from the appearance alone.
    private func drawMono(_ upper: Bool, _ lower: Bool, _ place: (x: Int, y: Int), on buffer: inout CellBuffer) {
        let inksDark = theme.appearance == .light
        let glyph: Character =
            switch (upper == inksDark, lower == inksDark) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
        buffer.put(glyph, x: place.x, y: place.y, style: Style(.terminalDefault, on: .terminalDefault))
    }
}
