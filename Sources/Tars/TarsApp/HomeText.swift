package import Appliances
import Foundation
import Text

/// A home in lines, as commands and watches without a screen print it.
package enum HomeText {
    /// The home: the things by room, then shortcuts with their keys, then scenes.
    package static func lines(_ view: HomeView, at now: Timestamp) -> [String] {
        var lines: [String] = []
        for room in view.rooms {
            lines.append(room ?? Phrase.noRoom.text(in: .english))
            for thing in view.things where thing.appliance.room == room { lines.append("  " + line(thing, at: now)) }
        }
        if view.things.isEmpty { lines.append("Nothing is in the home yet: `tars scan`, then `tars add`.") }
        if !view.shortcuts.isEmpty { lines.append("Shortcuts") }
        for (number, shortcut) in view.shortcuts.enumerated() {
            lines.append("  \(number + 1) \(view.words(shortcut))")
        }
        if !view.scenes.isEmpty { lines.append("Scenes") }
        for scene in view.scenes { lines.append("  \(scene.name): \(scene.steps.count) steps") }
        return lines
    }

    /// One thing, with what it can do or, in that place, where its last command stands.
    package static func line(
        _ thing: HomeView.Thing, _ status: CommandStatus? = nil, in language: HomeLanguage = .english, at now: Timestamp
    ) -> String {
        var parts = [thing.appliance.name, thing.state ?? "–"]
        if let at = thing.stateAt, thing.isOld(at: now) {
            let age = DurationText.text(.seconds(max(0, now.milliseconds(since: at) / 1000)))
            parts.append("\(age) \(Phrase.old.text(in: language))")
        }
        if let rssi = thing.rssi { parts.append("\(Phrase.near.text(in: language)) (\(rssi) dBm)") }
        if thing.presence == .offline { parts.append(Phrase.offline.text(in: language)) }
        if let battery = thing.battery { parts.append("\(battery) %") }
        parts.append(
            status.map { $0.words(in: language, at: now) }
                ?? thing.appliance.abilities.map(\.words).joined(separator: ", "))
        return parts.joined(separator: "  ")
    }
}

extension HomeView {
    /// The rooms in the order of their first thing; nil for none.
    package var rooms: [String?] {
        var rooms: [String?] = []
        for thing in things where !rooms.contains(thing.appliance.room) { rooms.append(thing.appliance.room) }
        return rooms
    }

    /// A shortcut with what it runs; what is gone is said.
    package func words(_ shortcut: Shortcut, in language: HomeLanguage = .english) -> String {
        let gone = "✗ \(Phrase.gone.text(in: language))"
        let icon = shortcut.icon.map { "\($0) " } ?? ""
        switch shortcut.run {
        case .action(let id, let action):
            let thing = things.first { $0.appliance.id == id }?.appliance.name
            return "\(icon)\(shortcut.name): " + (thing.map { "\($0) \(action.text)" } ?? gone)
        case .scene(let id):
            let scene = scenes.first { $0.id == id }?.name
            return "\(icon)\(shortcut.name): " + (scene.map { "scene \($0)" } ?? gone)
        }
    }

    /// What words mean: a thing and its action, or `scene` and its name.
    ///
    /// - Throws: ``NameProblem`` with the nearest name.
    package func target(of words: [String]) throws(NameProblem) -> Shortcut.Run {
        if words.first == "scene", words.count > 1 {
            let name = words.dropFirst().joined(separator: " ")
            guard let scene = scenes.first(where: { $0.name == name }) else {
                throw NameProblem("scene", name, scenes.map(\.name))
            }
            return .scene(scene.id)
        }
        let text = words.joined(separator: " ")
        let names = things.map(\.appliance.name).filter { text == $0 || text.hasPrefix("\($0) ") }
        guard let name = names.max(by: { $0.count < $1.count }),
            let thing = things.first(where: { $0.appliance.name == name })
        else { throw NameProblem("thing", words.first ?? "", things.map(\.appliance.name)) }
        do throws(ModelProblem) {
            let action = try Action(String(text.dropFirst(name.count).drop { $0 == " " }))
            try thing.appliance.check(action)
            return .action(thing.appliance.id, action)
        } catch {
            throw NameProblem(error)
        }
    }

    /// The thing of a name or an identity.
    ///
    /// - Throws: ``NameProblem`` with the nearest name.
    package func thing(named name: String) throws(NameProblem) -> Thing {
        if let found = things.first(where: { $0.appliance.name == name || $0.appliance.id.description == name }) {
            return found
        }
        throw NameProblem("thing", name, things.map(\.appliance.name))
    }

    /// The shortcut of a name or an identity.
    ///
    /// - Throws: ``NameProblem`` with the nearest name.
    package func shortcut(named name: String) throws(NameProblem) -> Shortcut.ID {
        if let found = shortcuts.first(where: { $0.name == name || $0.id.description == name }) { return found.id }
        throw NameProblem("shortcut", name, shortcuts.map(\.name))
    }
}

/// Why words mean nothing in a home.
package struct NameProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, with the way out.
    package let description: String

    init(_ problem: ModelProblem) { description = problem.description }

    /// A refusal, with its reason.
    package init(reason: String) { description = reason }

    init(_ kind: String, _ name: String, _ known: [String]) {
        let advice =
            NearMiss.nearest(to: name, in: known).map { "did you mean `\($0)`?" }
            ?? (known.isEmpty ? "there is none yet" : "there are \(known.joined(separator: ", "))")
        description = "there is no \(kind) \(Excerpt(name)): \(advice)"
    }
}

/// A link that runs a shortcut, or shows the home; there are no other verbs.
package enum DeepLink: Hashable, Sendable {
    /// Run the shortcut of this identity or name, within a time if the link says one.
    case run(String, within: Duration?)
    /// Show the home.
    case show

    /// Reads a link such as `tars://run/Good%20night` or `tars://run/Morning?in=5s`; nil for anything else.
    package init?(_ text: String) {
        if text == "tars://show" {
            self = .show
            return
        }
        let beginning = "tars://run/"
        guard text.utf8.count <= 512, text.hasPrefix(beginning) else { return nil }
        let parts = text.dropFirst(beginning.count).split(separator: "?", omittingEmptySubsequences: false)
        var life: Duration?
        if parts.count == 2 {
            guard parts[1].hasPrefix("in="), let read = DurationText.duration(String(parts[1].dropFirst(3))),
                (try? Limit.timeToLive.check(read)) != nil
            else { return nil }
            life = read
        }
        guard (1...2).contains(parts.count), !parts[0].contains("/"), let name = parts[0].removingPercentEncoding,
            !name.isEmpty
        else { return nil }
        self = .run(name, within: life)
    }
}
