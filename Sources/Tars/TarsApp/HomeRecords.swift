package import Appliances
import Companion
import Foundation
import Text
package import WatchConnectivity

/// What people edit on the phone and on every watch, also without a link: names, rooms, shortcuts and scenes.
///
/// They travel as `SharedRecords`. What is in them and is no valid name, shortcut or scene is not shown: a watch of another
/// version, or a forged one, may write any text.
package struct HomeRecords: Hashable, Sendable {
    /// Who writes what: the phone and every watch write all of it.
    package static let rules: [SharedRecords.Name: SharedRecords.Rule] = Dictionary(
        uniqueKeysWithValues: Group.allCases.map { ($0.recordsName, SharedRecords.Rule(.anyone)) })

    /// The names that things were given after they came.
    package var names: [Appliance.ID: String] = [:]
    /// The rooms that things were put into after they came; empty for none.
    package var rooms: [Appliance.ID: String] = [:]
    /// What one key or one link runs, in the order of the keys.
    package var shortcuts: [Shortcut] = []
    /// The scenes, by name.
    package var scenes: [Scene] = []

    /// A group of values that change together.
    private enum Group: CaseIterable {
        case applianceName, applianceRoom, shortcutName, shortcutRun, sceneName, sceneSteps

        var recordsName: SharedRecords.Name {
            switch self {
            case .applianceName: SharedRecords.Name(kind: "appliance", group: "name")
            case .applianceRoom: SharedRecords.Name(kind: "appliance", group: "room")
            case .shortcutName: SharedRecords.Name(kind: "shortcut", group: "name")
            case .shortcutRun: SharedRecords.Name(kind: "shortcut", group: "run")
            case .sceneName: SharedRecords.Name(kind: "scene", group: "name")
            case .sceneSteps: SharedRecords.Name(kind: "scene", group: "steps")
            }
        }

        func key<Thing>(_ id: Identifier<Thing>) -> SharedRecords.Key {
            SharedRecords.Key(kind: recordsName.kind, record: UUID(id), group: recordsName.group)
        }
    }

    /// What a shortcut is beside its name.
    private struct RunText: Codable {
        /// Its place among the keys.
        var key: Int
        var run: Shortcut.Run
        var icon: String?
        var confirm: Bool
        var grant: String?
    }

    /// Nothing was edited.
    package init() {}

    /// Reads the records.
    package init(_ values: [SharedRecords.Key: SharedRecords.Value]) {
        func each<Thing>(_ group: Group, _ body: (Identifier<Thing>, String) -> Void) {
            let name = group.recordsName
            for (key, value) in values where key.kind == name.kind && key.group == name.group {
                body(Identifier(key.record), value.text)
            }
        }
        each(.applianceName) { id, name in if Self.isName(name) { names[id] = name } }
        each(.applianceRoom) { id, room in if room.isEmpty || Self.isName(room) { rooms[id] = room } }
        var keyed: [(key: Int, shortcut: Shortcut)] = []
        each(.shortcutRun) { (id: Shortcut.ID, text) in
            guard let name = values[Group.shortcutName.key(id)]?.text,
                let run = try? CanonicalJSON.decode(RunText.self, from: Array(text.utf8)),
                let shortcut = try? Shortcut(
                    id: id, name: name, icon: run.icon, run: run.run, confirm: run.confirm, grant: run.grant)
            else { return }
            keyed.append((run.key, shortcut))
        }
        shortcuts = keyed.sorted { ($0.key, $0.shortcut.id) < ($1.key, $1.shortcut.id) }.map(\.shortcut)
        each(.sceneSteps) { (id: Scene.ID, text) in
            guard let name = values[Group.sceneName.key(id)]?.text,
                let lines = try? CanonicalJSON.decode([String].self, from: Array(text.utf8)),
                let scene = try? Scene(id: id, name: name, steps: lines.map(Scene.Step.init))
            else { return }
            scenes.append(scene)
        }
        scenes.sort { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private static func isName(_ text: String) -> Bool { (try? Limit.check(name: text)) != nil }

    /// The values that differ from those of `before`; nil for what is gone.
    package func values(changing before: HomeRecords) -> [SharedRecords.Key: String?] {
        let (old, new) = (before.texts, texts)
        var wishes: [SharedRecords.Key: String?] = [:]
        for (key, text) in new where old[key] != text { wishes[key] = .some(text) }
        for key in old.keys where new[key] == nil { wishes[key] = .some(nil) }
        return wishes
    }

    private var texts: [SharedRecords.Key: String] {
        var texts: [SharedRecords.Key: String] = [:]
        for (id, name) in names { texts[Group.applianceName.key(id)] = name }
        for (id, room) in rooms { texts[Group.applianceRoom.key(id)] = room }
        for (key, shortcut) in shortcuts.enumerated() {
            texts[Group.shortcutName.key(shortcut.id)] = shortcut.name
            let run = RunText(
                key: key, run: shortcut.run, icon: shortcut.icon, confirm: shortcut.confirm, grant: shortcut.grant)
            texts[Group.shortcutRun.key(shortcut.id)] = String(
                decoding: CanonicalJSON.bytes(ofEncodable: run), as: UTF8.self)
        }
        for scene in scenes {
            texts[Group.sceneName.key(scene.id)] = scene.name
            let steps = CanonicalJSON.bytes(ofEncodable: scene.steps.map(\.line))
            texts[Group.sceneSteps.key(scene.id)] = String(decoding: steps, as: UTF8.self)
        }
        return texts
    }

    /// Checks how many of everything there are.
    ///
    /// - Throws: ``ModelProblem``, such as `the number of shortcuts is 65: give 0 to 64`.
    package func check() throws(ModelProblem) {
        try Limit.shortcuts.check(shortcuts.count)
        try Limit.scenes.check(scenes.count)
    }

    // MARK: - Edits

    /// Defines a shortcut; one of the same identity or name is replaced, and keeps its key.
    package mutating func define(_ shortcut: Shortcut) {
        shortcuts.replace(shortcut) { $0.id == shortcut.id || $0.name == shortcut.name }
    }

    /// Defines a scene; one of the same identity or name is replaced.
    package mutating func define(_ scene: Scene) {
        scenes.replace(scene) { $0.id == scene.id || $0.name == scene.name }
    }

    /// Removes shortcuts and scenes of a name; false if nothing has it.
    package mutating func forget(_ name: String) -> Bool {
        let count = shortcuts.count + scenes.count
        shortcuts.removeAll { $0.name == name }
        scenes.removeAll { $0.name == name }
        return shortcuts.count + scenes.count < count
    }

    /// Gives a thing a name, or a room; nil leaves it, and an empty room takes the thing out of its room.
    ///
    /// - Throws: ``ModelProblem`` for a name or room of a bad length, or not visible.
    package mutating func edit(_ id: Appliance.ID, name: String?, room: String?) throws(ModelProblem) {
        if let name { try Limit.check(name: name) }
        if let room, !room.isEmpty { try Limit.check(name: room) }
        if let name { names[id] = name }
        if let room { rooms[id] = room }
    }

    /// A thing with its name and room of now.
    package func edited(_ appliance: Appliance) -> Appliance {
        var appliance = appliance
        if let name = names[appliance.id] { appliance.name = name }
        if let room = rooms[appliance.id] { appliance.room = room.isEmpty ? nil : room }
        return appliance
    }

    /// A home with these names, rooms, shortcuts and scenes.
    package func edited(_ view: HomeView) -> HomeView {
        var view = view
        for index in view.things.indices { view.things[index].appliance = edited(view.things[index].appliance) }
        view.shortcuts = Array(shortcuts.prefix(Int(Limit.shortcuts.range.upperBound)))
        view.scenes = Array(scenes.prefix(Int(Limit.scenes.range.upperBound)))
        return view
    }
}

extension HomeView {
    /// An edit that lost against a newer one, for people.
    package func words(_ conflict: SharedRecords.Conflict) -> String {
        let id = conflict.key.record
        let name =
            things.first { UUID($0.appliance.id) == id }?.appliance.name
            ?? shortcuts.first { UUID($0.id) == id }?.name ?? scenes.first { UUID($0.id) == id }?.name ?? "what is gone"
        func value(_ text: String?) -> String {
            guard let text else { return "removed" }
            return ["name", "room"].contains(conflict.key.group) ? "\(Excerpt(text))" : "another \(conflict.key.group)"
        }
        return "\(conflict.key.kind) \(Excerpt(name)), \(conflict.key.group): \(value(conflict.lost)) of "
            + "\(conflict.author) lost; now \(value(conflict.stands))"
    }
}

extension Scene.Step {
    /// The step as records have it: the thing, the time in milliseconds, and the action.
    fileprivate var line: String { "\(appliance) \(after.wholeNanoseconds / 1_000_000) \(action.text)" }

    fileprivate init(_ line: String) throws(ModelProblem) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let appliance = Appliance.ID(parts[0]), let milliseconds = Int64(parts[1]) else {
            throw ModelProblem("\(Excerpt(line)) is no step")
        }
        self.init(appliance, try Action(String(parts[2])), after: .milliseconds(milliseconds))
    }
}

extension Array {
    /// Puts an element in the place of the first that is the same thing, or at the end.
    fileprivate mutating func replace(_ element: Element, where isSame: (Element) -> Bool) {
        if let index = firstIndex(where: isSame) { self[index] = element } else { append(element) }
    }
}
