import CommandSupport
import Foundation
import TerminalUI

/// How a terminal is divided: the hub's screens at the left, watches at the right, from the largest to a single line.
///
///     ┌───────────┬──────────┐     at 97 columns the hub is upright, from 168 on it shows all panels;
///     │           │  large   │     where there is no room for watches the hub has the terminal
///     │    hub    ├────┬─────┤
///     │           │compact ×2│
///     │           ├────┴─────┤
///     └───────────┴─ inline ─┘
struct DemoLayout: Equatable, Sendable {
    /// A row of panes at the right: one watch, or two side by side.
    struct Tile: Equatable, Sendable {
        /// The watches, by their indices in ``DemoPlan/watches``.
        var watches: [Int]
        /// The rows of the panes.
        var rows: Int
    }

    /// The line of tmux itself.
    private static let statusRows = 1
    /// The columns of the upright hub.
    private static let phoneColumns = HubConsole.phoneSize.columns
    /// The columns of two compact faces side by side.
    private static let pairColumns = 49
    /// The rows and columns of a compact face, and the fewest rows of a large one.
    private static let compact = Size(columns: 24, rows: 10)
    private static let largeRowsMin = 20
    private static let largeColumnsMin = 44

    let columns: Int
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = max(20, columns)
        self.rows = max(8, rows)
    }

    /// The layout of this process's terminal; nil if it has none.
    static func ofTerminal() -> DemoLayout? {
        var size = winsize()
        // The call fills the structure that it is given.
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return DemoLayout(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The rows that are divided among the panes.
    var paneRows: Int { rows - Self.statusRows }

    /// The columns of the watches; 0 if none fits.
    var watchColumns: Int {
        let besideDashboard = columns - HubConsole.dashboardSize.columns - 1
        if besideDashboard >= Self.pairColumns { return Self.pairColumns }
        let besidePhone = columns - Self.phoneColumns - 1
        return besidePhone >= Self.compact.columns ? besidePhone : 0
    }

    /// The panes at the right, from top to bottom; together with the lines between them as high as ``paneRows``.
    var tiles: [Tile] {
        guard watchColumns > 0 else { return [] }
        var tiles: [Tile] = []
        var rest = paneRows
        var next = 0
        func add(_ count: Int, rows: Int) {
            tiles.append(Tile(watches: Array(next..<next + count), rows: min(rows, rest)))
            next += count
            rest -= rows + 1
        }
        if watchColumns >= Self.largeColumnsMin, rest >= Self.largeRowsMin {
            add(1, rows: WatchScreen.preferredSize.rows)
        } else {
            // This watch gets a compact face, since a large one does not fit.
            add(1, rows: Self.compact.rows)
        }
        if rest >= Self.compact.rows { add(watchColumns >= Self.pairColumns ? 2 : 1, rows: Self.compact.rows) }
        if rest >= 1, next < DemoPlan.watches.count { add(1, rows: 1) }
        // The first face gets the remaining rows: an inline face needs only one row.
        if rest >= 0 { tiles[0].rows += rest + 1 }
        return tiles
    }

    /// The watches that have a pane, by their indices in ``DemoPlan/watches``.
    var shownWatches: [Int] { tiles.flatMap(\.watches) }

    /// The key that shows the alerts on the hub's screens with all panels.
    static let dashboardAlertsKey: Character = "6"

    /// The key that shows the alerts on the hub's screens: the panel, or the tab.
    var alertsKey: Character {
        let hub = Size(columns: columns - (watchColumns > 0 ? watchColumns + 1 : 0), rows: paneRows)
        return hub.contains(HubConsole.dashboardSize) ? Self.dashboardAlertsKey : "3"
    }

    /// What stands at the right end of the line of tmux: more where there is room beside a sentence of the tour.
    private var statusRight: String {
        columns >= 150 ? " alt + arrows or click: another pane · ^C ends it " : columns >= 110 ? " ^C ends it " : ""
    }

    /// The options of tmux.
    var options: [[String]] {
        [
            ["default-terminal", "tmux-256color"], ["terminal-features", "*:RGB"], ["escape-time", "10"],
            ["focus-events", "on"], ["remain-on-exit", "on"], ["mouse", "on"], ["history-limit", "2000"],
            ["set-clipboard", "on"], ["status-style", "bg=colour24,fg=colour231"],
            ["status-left", " poolsensors demo "], ["status-left-length", "\(columns)"],
            ["status-right-length", "\(statusRight.count)"], ["status-right", statusRight],
            ["window-status-format", ""], ["window-status-current-format", ""],
        ]
    }

    /// The keys of tmux that work without a prefix: ^C leaves; Alt with an arrow key goes to the next pane.
    var bindings: [[String]] {
        [["C-c", "detach-client"]]
            + [("Left", "-L"), ("Right", "-R"), ("Up", "-U"), ("Down", "-D")].map { ["M-\($0)", "select-pane", $1] }
    }
}
