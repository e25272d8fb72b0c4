import PoolControl
import PoolModel

extension HubConsole {
    /// The devices in the order of the list: by server, those without one last.
    var deviceOrder: [DeviceID] {
        let known = hub.servers.flatMap { devices(of: $0.server.id) }
        return (known + orphans).map(\.device.id)
    }

    func devices(of server: ServerID) -> [DeviceState] { hub.devices.filter { $0.device.serverID == server } }

    /// The devices whose server is gone.
    var orphans: [DeviceState] { hub.devices.filter { server($0.device.serverID) == nil } }

    func deviceRows(columns: Int) -> [PanelRow] {
        var rows: [PanelRow] = []
        for item in hub.servers {
            if !rows.isEmpty { rows.append(.blank) }
            rows.append(serverRow(item, columns: columns))
            let own = devices(of: item.server.id)
            rows += own.map { deviceRow($0, columns: columns) }
            if own.isEmpty { rows.append(PanelRow(nil, [TextRun("   no device yet", look.faint)])) }
        }
        if !orphans.isEmpty {
            rows += [.blank, PanelRow(nil, [TextRun("WITHOUT SERVER", Style(look.theme.ink(.warning), .bold))])]
            rows += orphans.map { deviceRow($0, columns: columns) }
        }
        if rows.isEmpty {
            rows = [
                PanelRow(nil, [TextRun("Nothing here yet.", look.quiet)]),
                PanelRow(nil, [TextRun("s adds the broker your", look.faint)]),
                PanelRow(nil, [TextRun("probes publish to.", look.faint)]),
            ]
        }
        return rows
    }

    private func serverRow(_ item: ServerState, columns: Int) -> PanelRow {
        let server = item.server
        let name = server.name.sanitized.uppercased()
        let address = "\(server.usesTLS ? "tls://" : "")\(server.host.sanitized):\(server.port)"
        let status = status(of: item)
        var lines = [
            PanelLine([TextRun("\(name) ", Style(look.theme.secondaryText, .bold)), TextRun(address, look.faint)])
        ]
        if status != .normal, !item.words.isEmpty {
            lines.append(
                PanelLine([
                    TextRun("\(look.glyph(status)) ", look.style(status)),
                    TextRun(item.words.sanitized, look.style(status, isBold: false)),
                ]))
        }
        return PanelRow(.server(server.id), lines)
    }

    private func deviceRow(_ item: DeviceState, columns: Int) -> PanelRow {
        let headline = Headline(glance(of: item))
        let isCurrent = item.device.id == currentDevice?.device.id
        let name = item.device.name.sanitized.nonEmpty ?? "unnamed"
        let age = glance(of: item).ageSeconds.map(FaceFormatter.age) ?? headline.word.lowercased()
        let isSelected = item.isSelected
        var leading = [
            TextRun(" \(look.glyph(headline)) ", Style(look.ink(headline), .bold)),
            TextRun(name, isCurrent ? look.strong : look.quiet),
        ]
        if isSelected { leading.append(TextRun(look.isASCII ? " *" : " ★", look.faint)) }
        let ageStyle = headline.isFresh ? look.faint : Style(look.ink(headline))
        guard columns >= 44 else {
            return PanelRow(.device(item.device.id), leading, trailing: [TextRun(age, ageStyle)])
        }
        let values = glance(of: item).completeGauges.flatMap { gauge -> [TextRun] in
            let text = gauge.shownValue.map(gauge.quantity.text) ?? look.noValue
            let padded = String(repeating: " ", count: max(0, 6 - text.displayWidth)) + text
            return [TextRun(padded, Style(look.valueInk(gauge.mark)))]
        }
        let paddedAge = String(repeating: " ", count: max(1, 8 - age.displayWidth)) + age
        return PanelRow(.device(item.device.id), leading, trailing: values + [TextRun(paddedAge, ageStyle)])
    }

    // MARK: Keys

    var deviceCommands: [Command] {
        let selected = selection(of: .devices)
        let noServer = hub.servers.isEmpty ? "add a server first, with s" : nil
        var serverID = hub.servers.first?.server.id
        if case .server(let id) = selected { serverID = id }
        if case .device(let id) = selected, let device = device(id) { serverID = device.device.serverID }
        let none = selected == nil ? "there is nothing yet; s adds a server" : nil
        return [
            Command("n", "new", unless: noServer) { $0.openDeviceForm(nil, server: serverID) },
            Command("e", "edit", unless: none) { $0.edit(selected) },
            Command("s", "mqtt") { $0.openServerForm(nil) },
            Command("f", "find", unless: noServer) { $0.beginDetection(on: serverID) },
            Command([.character(" ")], label: "space", "select", unless: deviceObstacle(selected)) { console in
                guard case .device(let id) = selected else { return }
                console.state.pending[console.order(.selectDevice(id))] = .toast
            },
            Command("T", "test", unless: noServer) { console in
                guard let serverID else { return }
                console.state.pending[console.order(.testServer(serverID))] = .toast
                console.toast(.note, "Trying the connection…")
            },
            Command([.character("D"), .delete], label: "D", "remove", unless: none) { $0.askToRemove(selected) },
        ]
    }

    private func deviceObstacle(_ selected: RowID?) -> String? {
        guard case .device(let id) = selected else { return "choose a device, not a server" }
        return id == hub.selectedDevice?.id ? "it is the selected device already" : nil
    }

    private mutating func edit(_ selected: RowID?) {
        switch selected {
        case .server(let id): openServerForm(id)
        case .device(let id): openDeviceForm(id, server: nil)
        case .quantity, .calibration, .pool, .watch, .alert, .conflict, .event, .reading, .setup, .knob, .stage,
            .channel, .cooldown, nil:
            break
        }
    }

    private mutating func askToRemove(_ selected: RowID?) {
        switch selected {
        case .server(let id):
            guard let item = server(id) else { return }
            ask(
                "Remove the server \(item.server.name.sanitized)?", deed: "remove",
                then: .removeServer(id, cascading: false))
        case .device(let id):
            guard let item = device(id) else { return }
            ask(
                "Remove the device \(item.device.name.sanitized)? Its limits and calibrations go with it; its "
                    + "\(item.storedReadings) readings stay in the history.", deed: "remove", then: .removeDevice(id))
        case .quantity, .calibration, .pool, .watch, .alert, .conflict, .event, .reading, .setup, .knob, .stage,
            .channel, .cooldown, nil:
            break
        }
    }
}
