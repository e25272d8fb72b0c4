import PoolControl
package import PoolModel

/// The hub's screens: what they show, and what a person's keys and clicks mean.
///
/// It is a value and knows no clock, no terminal and no hub. The code that runs it gives it a snapshot whenever
/// something changed, and once a second at least (``update(_:size:)``), passes on what the person does
/// (``handle(_:)``), carries out the orders that come back from both, and shows what ``draw()`` returns after either.
/// Nothing traps, whatever the size, the snapshot and the keys are.
package struct HubConsole: Sendable {
    /// The colours; the key `t` changes between light and dark.
    package var theme: Theme
    /// What the terminal can show.
    package let capabilities: Capabilities
    /// The language of calibrations.
    package let language: GuideLanguage
    /// Who makes calibrations, for people.
    package let author: String
    /// The folder that is suggested for exports, an absolute path.
    package let exportFolder: String

    /// Whether the person has left the screens.
    package internal(set) var isLeft = false

    var snapshot: HubSnapshot
    var size = Size(columns: 80, rows: 24)
    var state = ConsoleState()
    var outbox: [HubOrder] = []

    /// Creates a console that shows nothing yet.
    package init(
        theme: Theme = Theme(), capabilities: Capabilities, language: GuideLanguage = .english,
        author: String = "hub", exportFolder: String = "/tmp"
    ) {
        self.theme = theme
        self.capabilities = capabilities
        self.language = language
        self.author = author
        self.exportFolder = exportFolder
        snapshot = HubSnapshot(HubState(now: Timestamp(milliseconds: 0)))
    }

    /// The size from which on all panels are shown side by side; below ``phoneSize`` one panel at a time is.
    package static let dashboardSize = Size(columns: 118, rows: 34)
    /// The size of the upright layout.
    package static let phoneSize = Size(columns: 48, rows: 36)

    /// Takes what is known now, and the terminal's size.
    ///
    /// - Returns: Orders that follow from it, such as for a chart that has become too old.
    package mutating func update(_ snapshot: HubSnapshot, size: Size) -> [HubOrder] {
        let isFirst = !state.hasSnapshot
        self.snapshot = snapshot
        self.size = size
        state.hasSnapshot = true
        if isFirst { begin() }
        takeAnswers()
        follow()
        return takeOrders()
    }

    /// Obeys what a person did.
    ///
    /// - Returns: What is to be done at the hub, in this order.
    package mutating func handle(_ event: HubEvent) -> [HubOrder] {
        switch event {
        case .key(let key): press(key)
        case .paste(let text): paste(text)
        case .click(let x, let y): click(x: x, y: y)
        case .wheel(let x, let y, let notches): wheel(x: x, y: y, notches: notches)
        }
        follow()
        return takeOrders()
    }

    /// The screen as it is now.
    package func draw() -> CellBuffer { look.finished(picture().buffer) }

    /// The hub as it is.
    var hub: HubState { snapshot.hub }

    /// What is known of a device's values.
    func glance(of device: DeviceState) -> Glance {
        snapshot.glances[device.id] ?? device.glance(alerts: hub.alerts.state, at: hub.now, revision: hub.revision)
    }

    var look: ResolvedTheme { ResolvedTheme(theme: theme, capabilities: capabilities) }

    /// Puts a wish into the outbox.
    ///
    /// - Returns: Its number.
    @discardableResult
    mutating func order(_ command: HubCommand) -> Int {
        state.lastOrder += 1
        outbox.append(HubOrder(number: state.lastOrder, command: command))
        return state.lastOrder
    }

    private mutating func takeOrders() -> [HubOrder] {
        defer { outbox = [] }
        return outbox
    }
}
