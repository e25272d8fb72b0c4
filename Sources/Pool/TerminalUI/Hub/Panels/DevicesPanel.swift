import PoolControl
import PoolModel

/// The servers and their devices; the selected device is the one that all panels are about.
struct DevicesPanel: HubPanel {
    private(set) var selected: RowID?
    var filter: ListFilter? = ListFilter()

    var changes: String? { "server, device" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle {
        PanelTitle(text: "Devices", badge: [TextRun("\(context.hub.devices.count)", context.look.faint)])
    }

    // MARK: Selection

    /// The device that all panels are about: the selected row, else the hub's selected device, else the first.
    func device(in hub: HubState) -> DeviceState? {
        if case .device(let id) = selected, let device = hub.device(id) { return device }
        if case .server(let id) = selected, let first = hub.devices(of: id).first { return first }
        return hub.selectedDevice ?? hub.devices.first
    }

    func selection(in context: ScreenContext) -> RowID? {
        let rows = rows(in: context)
        if let selected, rows.contains(selected) { return selected }
        return context.device.map { .device($0.id) }.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first
    }

    /// Selects the device that stands so many places after the present one, round in a ring.
    ///
    /// The order is that of the list: by server, those without a server last.
    mutating func showDevice(offset: Int, in hub: HubState) {
        let order = (hub.servers.flatMap { hub.devices(of: $0.server.id) } + hub.orphans).map(\.id)
        guard let current = device(in: hub), let index = order.firstIndex(of: current.id) else { return }
        let next = ((index + offset) % order.count + order.count) % order.count
        selected = .device(order[next])
    }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        var rows: [PanelRow] = []
        for item in hub.servers {
            let all = hub.devices(of: item.server.id)
            let isNamed = accepts([item.server.name, item.server.host])
            let own = isNamed ? all : all.filter { accepts([$0.device.name, $0.device.topic]) }
            guard isNamed || !own.isEmpty else { continue }
            if !rows.isEmpty { rows.append(.blank) }
            rows.append(row(of: item, look: look))
            rows += own.map { row(of: $0, columns: columns, in: context) }
            if own.isEmpty { rows.append(PanelRow(nil, [TextRun("   no device yet", look.faint)])) }
        }
        let orphans = hub.orphans.filter { accepts([$0.device.name, $0.device.topic]) }
        if !orphans.isEmpty {
            rows += [.blank, PanelRow(nil, [TextRun("WITHOUT SERVER", Style(look.theme.ink(.warning), .bold))])]
            rows += orphans.map { row(of: $0, columns: columns, in: context) }
        }
        if rows.isEmpty, filter?.isShown == true { rows = [.noMatch(look)] }
        if rows.isEmpty {
            rows = [
                PanelRow(nil, [TextRun("Nothing here yet.", look.quiet)]),
                PanelRow(nil, [TextRun("Add a server on the", look.faint)]),
                PanelRow(nil, [TextRun("page, or with", look.faint)]),
                PanelRow(nil, [TextRun("poolsensors server add", look.faint)]),
            ]
        }
        return PanelList(rows)
    }

    private func accepts(_ texts: [String]) -> Bool { filter?.accepts(texts) ?? true }

    private func row(of item: ServerState, look: ResolvedTheme) -> PanelRow {
        let server = item.server
        let name = server.name.sanitized.uppercased()
        let address = "\(server.usesTLS ? "tls://" : "")\(server.address.sanitized)"
        var lines = [
            PanelLine([TextRun("\(name) ", Style(look.theme.secondaryText, .bold)), TextRun(address, look.faint)])
        ]
        if item.status != .normal, !item.words.isEmpty {
            lines.append(
                PanelLine([
                    TextRun("\(look.glyph(item.status)) ", look.style(item.status)),
                    TextRun(item.words.sanitized, look.style(item.status, isBold: false)),
                ]))
        }
        return PanelRow(.server(server.id), lines)
    }

    private func row(of item: DeviceState, columns: Int, in context: ScreenContext) -> PanelRow {
        let look = context.look
        let glance = context.glance(of: item)
        let headline = Headline(glance)
        let isCurrent = item.device.id == context.device?.device.id
        let name = item.device.name.sanitized.nonEmpty ?? "unnamed"
        let age = glance.ageSeconds.map(FaceFormatter.age) ?? headline.word.lowercased()
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
        let values = glance.completeGauges.flatMap { gauge -> [TextRun] in
            let text = gauge.shownValue.map(gauge.quantity.text) ?? (gauge.isMeasured ? look.noValue : "")
            let padded = String(repeating: " ", count: max(0, 6 - text.displayWidth)) + text
            return [TextRun(padded, Style(look.valueInk(gauge.mark)))]
        }
        let paddedAge = String(repeating: " ", count: max(1, 8 - age.displayWidth)) + age
        return PanelRow(.device(item.device.id), leading, trailing: values + [TextRun(paddedAge, ageStyle)])
    }

    // MARK: Keys

    /// What a device publishes to, or where a server is.
    func copyText(in context: ScreenContext) -> String? {
        switch selection(in: context) {
        case .device(let id): context.hub.device(id)?.device.topic
        case .server(let id): context.hub.server(id).map(\.server.address)
        case .quantity, .calibration, .pool, .watch, .alert, .conflict, .event, .reading, .channel,
            .cooldown, nil:
            nil
        }
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let selected = selection(in: context)
        return [
            .filter,
            KeyCommand([.character(" ")], label: "space", "select", unless: selectObstacle(selected, context.hub)) {
                _, _ in
                if case .device(let id) = selected { [.order(.edit(.selectDevice(id)))] } else { [] }
            },
        ]
    }

    private func selectObstacle(_ selected: RowID?, _ hub: HubState) -> String? {
        guard case .device(let id) = selected else { return "choose a device, not a server" }
        return id == hub.selectedDevice?.id ? "it is the selected device already" : nil
    }
}
