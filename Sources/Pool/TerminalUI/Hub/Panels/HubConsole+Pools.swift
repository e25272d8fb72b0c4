import PoolControl
import PoolModel

extension HubConsole {
    func poolRows(columns: Int) -> [PanelRow] {
        guard !hub.pools.isEmpty else {
            return [
                PanelRow(nil, [TextRun("No pool yet: n adds one.", look.quiet)]),
                PanelRow(nil, [TextRun("Its limits hold for all of its devices.", look.faint)]),
            ]
        }
        return hub.pools.map { pool in
            let devices = hub.devices(of: pool.id).map(\.name.sanitized)
            let volume = pool.volume.map { "\(FaceFormatter.number($0, decimals: $0 < 100 ? 1 : 0)) m³" } ?? ""
            let limits = pool.limits.pairs.map {
                "\($0.quantity.listName) \($0.quantity.text($0.value.low))\(look.rangeDash)\($0.quantity.text($0.value.high))"
            }
            let lines = [
                PanelLine([TextRun(pool.name.sanitized, look.strong)], trailing: [TextRun(volume, look.quiet)]),
                PanelLine("  " + (devices.isEmpty ? "no device" : devices.joined(separator: ", ")), look.faint),
                PanelLine("  " + (limits.isEmpty ? "standard limits" : limits.joined(separator: "  ")), look.faint),
            ]
            return PanelRow(.pool(pool.id), lines)
        }
    }

    private var selectedPool: Pool? {
        guard case .pool(let id) = selection(of: .pools) else { return nil }
        return hub.pool(id)
    }

    var poolCommands: [Command] {
        let none = hub.pools.isEmpty ? "there is no pool yet" : nil
        let pool = selectedPool
        return [
            Command("n", "new") { $0.openPoolForm(nil) },
            Command([.character("e"), .enter], label: "e", "edit", unless: none) { $0.openPoolForm(pool?.id) },
            Command("l", "limits", unless: none) { console in
                if let pool { console.openQuantityChoice(.pool(pool.id)) }
            },
            Command("P", "preset", unless: none) { console in
                if let pool { console.openPresets(.pool(pool.id)) }
            },
            Command([.character("D"), .delete], label: "D", "remove", unless: none) { console in
                guard let pool else { return }
                console.ask(
                    "Remove the pool \(pool.name.sanitized)? Its devices stay, without its limits.",
                    deed: "remove",
                    then: .removePool(pool.id))
            },
        ]
    }
}
