import Appliances
import Platform
import TarsApp
import Text
import WebServer

/// A home as an account sees it: the things in its rooms, and, with the right for everything, shortcuts and scenes.
struct HomeShown: Encodable, Equatable {
    struct Thing: Encodable, Equatable {
        var id: Appliance.ID
        var name: String
        var room: String?
        var kind: Appliance.Kind
        var state: String?
        /// How old the state is.
        var ageSeconds: Int64?
        var isOld: Bool
        var presence: String
        var battery: Int?
        var rssi: Int?
        var confirm: Bool
        var abilities: [AbilityShown]
        var mayAct: Bool
    }

    struct Shortcut: Encodable, Equatable {
        var id: Appliances.Shortcut.ID
        var name: String
        var icon: String?
        var runs: String
        var confirm: Bool
    }

    struct Scene: Encodable, Equatable {
        var id: Appliances.Scene.ID
        var name: String
        var steps: [String]
    }

    var isPhoneRunning: Bool
    var things: [Thing]
    var shortcuts: [Shortcut]
    var scenes: [Scene]

    init(_ known: HomeWatcher.Known, for account: Account, at now: Timestamp) {
        isPhoneRunning = known.isRunning
        let view = known.view ?? HomeView(madeAt: now)
        things = view.things.compactMap { thing in
            account.level(of: thing.appliance.room).map { Thing(thing, mayAct: $0 == .edit, at: now) }
        }
        let seesAll = account.levelOfAll != nil
        shortcuts = seesAll ? view.shortcuts.map { Shortcut($0, in: view) } : []
        scenes = seesAll ? view.scenes.map { Scene($0, in: view) } : []
    }

    /// The same without ages, which alone are no news.
    var timeless: HomeShown {
        var home = self
        for index in home.things.indices { home.things[index].ageSeconds = nil }
        return home
    }
}

/// An ability as the page draws it: what it is, and the range of its value.
struct AbilityShown: Encodable, Equatable {
    /// The words with which its actions begin.
    var actions: [String]
    var minimum: Double?
    var maximum: Double?
    var step: Double?
    var options: [String]?

    init(_ ability: Ability) {
        actions = ability.words.split(separator: ", ").map(String.init)
        switch ability {
        case .press(let holdMax): maximum = holdMax / .seconds(1)
        case .level, .position: (minimum, maximum, step) = (0, 100, 1)
        case .choose(let options): self.options = options
        case .number(let low, let high, let step): (minimum, maximum, self.step) = (low, high, step)
        case .onOff, .toggle, .stop, .lock, .open, .program: break
        }
    }
}

extension HomeShown.Thing {
    init(_ thing: HomeView.Thing, mayAct: Bool, at now: Timestamp) {
        let appliance = thing.appliance
        self.init(
            id: appliance.id, name: appliance.name, room: appliance.room, kind: appliance.kind, state: thing.state,
            ageSeconds: thing.stateAt.map { max(0, now.milliseconds(since: $0) / 1000) }, isOld: thing.isOld(at: now),
            presence: "\(thing.presence)", battery: thing.battery, rssi: thing.rssi, confirm: appliance.confirm,
            abilities: appliance.abilities.map(AbilityShown.init), mayAct: mayAct)
    }
}

extension HomeShown.Shortcut {
    init(_ shortcut: Shortcut, in view: HomeView) {
        let words = view.words(shortcut)
        let runs = words.firstRange(of: ": ").map { String(words[$0.upperBound...]) } ?? words
        self.init(
            id: shortcut.id, name: shortcut.name, icon: shortcut.icon, runs: runs, confirm: shortcut.confirm)
    }
}

extension HomeShown.Scene {
    init(_ scene: Scene, in view: HomeView) {
        self.init(
            id: scene.id, name: scene.name,
            steps: scene.steps.map { step in
                let name = view.things.first { $0.appliance.id == step.appliance }?.appliance.name ?? "✗"
                let delay = step.after > .zero ? "\(DurationText.text(step.after)) " : ""
                return "\(delay)\(name) \(step.action.text)"
            })
    }
}

/// What a home shows to one client.
struct HomeFeed: EventFeed {
    private struct Sign: Encodable {
        var isPhoneRunning: Bool
    }

    let home: HomeWatcher
    private var shown: HomeShown?

    init(_ home: HomeWatcher) { self.home = home }

    mutating func events(for account: Account) throws -> String {
        let known = home.now
        let now = HomeShown(known, for: account, at: .now)
        guard now.timeless != shown?.timeless else { return "" }
        shown = now
        return try EventSource.event("home", now, id: home.changeCount)
    }

    func ping(for account: Account) throws -> String {
        let known = home.now
        return try EventSource.event("ping", Sign(isPhoneRunning: known.isRunning), id: home.changeCount)
    }
}
