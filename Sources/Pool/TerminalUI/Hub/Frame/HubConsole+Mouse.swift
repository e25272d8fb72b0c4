import PoolControl
import PoolModel

extension HubConsole {
    mutating func click(x: Int, y: Int) {
        state.toast = nil
        let targets = picture().targets(x: x, y: y)
        if !state.dialogs.isEmpty {
            clickInDialog(targets)
            return
        }
        for target in targets.reversed() {
            switch target {
            case .zone(let zone): focus(zone)
            case .row(let zone, let row): clickRow(row, in: zone)
            case .tab(let tab): open(tab)
            case .range(let range): state.navigator.show(range, now: hub.now)
            case .plot: pick(x: x)
            case .device(let offset): showDevice(offset: offset)
            case .banner:
                if acknowledgeObstacle == nil { acknowledge() }
            case .field, .dialog: break
            }
        }
    }

    /// The first click selects, the second opens.
    private mutating func clickRow(_ row: RowID, in zone: ConsolePanel) {
        let wasSelected = state.selected[zone] == row
        select(row, in: zone)
        guard wasSelected, let command = commands(of: zone).first(where: { $0.keys.contains(.enter) }) else { return }
        perform(command)
    }

    private mutating func pick(x: Int) {
        guard let panel = ConsoleLayout(size: size, state: state).panels.first(where: { $0.zone == .history }) else {
            return
        }
        let plot = Chart.plot(in: chartRect(in: panel))
        guard plot.size.columns > 1 else { return }
        let fraction = Double(x - plot.x) / Double(plot.size.columns - 1)
        state.navigator.pick(fraction, now: hub.now)
    }

    mutating func wheel(x: Int, y: Int, notches: Int) {
        let notches = min(20, max(-20, notches))
        guard state.dialogs.isEmpty else {
            for _ in 0..<abs(notches) { pressInDialog(notches < 0 ? .up : .down) }
            return
        }
        for target in picture().targets(x: x, y: y) {
            guard case .zone(let zone) = target else { continue }
            if zone == .history {
                for _ in 0..<abs(notches) {
                    state.navigator.press(.character(notches < 0 ? "+" : "-"), now: hub.now)
                }
            } else {
                moveSelection(in: zone, by: notches)
            }
            return
        }
    }
}
