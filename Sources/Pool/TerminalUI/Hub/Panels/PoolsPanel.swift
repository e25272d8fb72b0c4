import PoolControl
import PoolModel

/// The pools.
struct PoolsPanel: HubPanel {
    let id = PanelID.pools
    private(set) var selected: RowID?

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle {
        PanelTitle(text: "Pools", badge: [TextRun("\(context.hub.pools.count)", context.look.faint)])
    }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        guard !hub.pools.isEmpty else {
            return PanelList([
                PanelRow(nil, [TextRun("No pool yet: n adds one.", look.quiet)]),
                PanelRow(nil, [TextRun("Its limits hold for all of its devices.", look.faint)]),
            ])
        }
        let rows = hub.pools.map { pool in
            let devices = hub.devices(of: pool.id).map(\.name.sanitized)
            let volume = pool.volume.map { DisplayUnits.current.text(volume: $0, decimals: $0 < 100 ? 1 : 0) } ?? ""
            let limits = pool.limits.ranges(dash: look.rangeDash)
            let lines = [
                PanelLine([TextRun(pool.name.sanitized, look.strong)], trailing: [TextRun(volume, look.quiet)]),
                PanelLine("  " + (devices.isEmpty ? "no device" : devices.joined(separator: ", ")), look.faint),
                PanelLine("  " + (limits.isEmpty ? "standard limits" : limits), look.faint),
            ]
            return PanelRow(.pool(pool.id), lines)
        }
        return PanelList(rows)
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let none = context.hub.pools.isEmpty ? "there is no pool yet" : nil
        var pool: Pool?
        if case .pool(let id) = selection(in: context) { pool = context.hub.pool(id) }
        return [
            KeyCommand("n", "new") { _, context in [.open(FormDialog(PoolForm(id: nil), in: context))] },
            KeyCommand([.character("e"), .enter], label: "e", "edit", unless: none) { _, context in
                [.open(FormDialog(PoolForm(id: pool?.id), in: context))]
            },
            KeyCommand("L", "limits", unless: none) { _, context in
                pool.map { [ChoiceDialog.limits(of: .pool($0.id), in: context)] } ?? []
            },
            KeyCommand("P", "preset", unless: none) { _, context in
                pool.map { [ChoiceDialog.presets(for: .pool($0.id), in: context)] } ?? []
            },
            KeyCommand([.character("D"), .delete], label: "D", "remove", unless: none) { _, _ in
                guard let pool else { return [] }
                return [
                    .open(
                        ConfirmationDialog(
                            "Remove the pool \(pool.name.sanitized)? Its devices stay, without its limits.",
                            action: "remove", then: .edit(.removePool(pool.id))))
                ]
            },
        ]
    }
}
