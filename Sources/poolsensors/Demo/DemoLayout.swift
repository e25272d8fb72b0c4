import Foundation
import TerminalUI

/// How a terminal is divided: the watches above, side by side, the hub's log below.
struct DemoLayout: Equatable, Sendable {
    /// The fewest rows of the log.
    private static let logRowsMin = 3
    /// The line of tmux itself.
    private static let statusRows = 1
    /// The columns that a face can do without.
    private static let bezelColumns = 2
    /// The rows of what is drawn where a whole face has no room.
    private static let summaryRows = 9

    let columns: Int
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = max(20, columns)
        self.rows = max(8, rows)
    }

    /// The layout of this process's terminal, nil if it has none.
    static func ofTerminal() -> DemoLayout? {
        var size = winsize()
        // The call fills the structure that it is given.
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return DemoLayout(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The rows of the faces: what they need if the log keeps enough, else what is left.
    var faceRows: Int {
        let available = rows - Self.statusRows - 1
        let isWide = columnsOfOne >= WatchScreen.preferredSize.columns - Self.bezelColumns
        let wanted = isWide ? WatchScreen.preferredSize.rows : Self.summaryRows
        return min(wanted, max(available - Self.logRowsMin, available / 2))
    }

    private var columnsOfOne: Int { (columns - (DemoPlan.watches.count - 1)) / DemoPlan.watches.count }

    /// The columns of a face and all that are right of it, one column between two.
    func restColumns(from index: Int) -> Int {
        let rest = DemoPlan.watches.count - index
        return rest * columnsOfOne + rest - 1
    }

    /// The options of tmux.
    var options: [[String]] {
        [
            ["default-terminal", "tmux-256color"], ["terminal-features", "*:RGB"], ["escape-time", "10"],
            ["focus-events", "on"], ["remain-on-exit", "on"], ["mouse", "off"], ["history-limit", "2000"],
            ["status-left", " poolsensors demo "], ["status-left-length", "30"], ["status-right", " q or ^C ends it "],
            ["window-status-format", ""], ["window-status-current-format", ""],
        ]
    }
}
