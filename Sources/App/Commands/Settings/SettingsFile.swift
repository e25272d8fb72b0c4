package import Foundation
package import SyncCore
import Text

/// The configuration file, checked: every key is a setting and every value can be read.
package struct SettingsFile: Sendable {
    /// Where it is.
    package let path: String
    /// The values as texts, by key.
    package let values: [String: String]

    /// The path of the file, and what determines it.
    package struct Location: Equatable, Sendable {
        package var path: String
        package var origin: Origin

        /// Determines the path: the flag, then the variable, then the user's configuration folder.
        package init(flag: String?, environment: Environment, app: AppName) {
            if let flag {
                self.init(path: flag, origin: .flag("--config"))
            } else if let path = environment[app.configurationVariable], !path.isEmpty {
                self.init(path: path, origin: .environment(app.configurationVariable))
            } else {
                let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                let home = environment["HOME"] ?? "/"
                self.init(path: (folder ?? "\(home)/.config") + "/\(app.text)/config.json", origin: .fallback)
            }
        }

        private init(path: String, origin: Origin) {
            self.path = path
            self.origin = origin
        }
    }

    /// Reads the file at a location; nil if it does not exist and neither flag nor variable names it.
    ///
    /// - Throws: ``CommandFailure`` with the file, the key, the value, and the allowed values.
    package init?(at location: Location, catalog: [SettingEntry], app: AppName) throws {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: location.path))
        } catch {
            if location.origin == .fallback, !FileManager.default.fileExists(atPath: location.path) { return nil }
            throw CommandFailure.unreadable("the configuration file", location.path, error)
        }
        try self.init(path: location.path, bytes: bytes, catalog: catalog, app: app)
    }

    /// Reads the bytes of a file.
    package init(path: String, bytes: Data, catalog: [SettingEntry], app: AppName) throws {
        self.path = path
        let tree: JSONTree
        do {
            tree = try JSONDecoder().decode(JSONTree.self, from: bytes)
        } catch {
            throw CommandFailure(
                "\(path): not a JSON file: \(SystemErrorText.of(error)) Correct it, or name another one with --config")
        }
        guard case .object(let object) = tree else {
            throw CommandFailure("\(path): expected a JSON object such as {\"hub\": {\"listen\": \"tcp://…\"}}")
        }
        var found: [String: String] = [:]
        let entries = Dictionary(catalog.map { ($0.key, $0) }) { $1 }
        try Self.walk(object, under: "", path: path, entries: entries, app: app, into: &found)
        values = found
    }

    /// Writes the text of a setting into the file; the other settings stay.
    ///
    /// - Throws: An error of the file system, or of a file that holds no JSON object.
    package static func remember(_ text: String, of key: String, at path: String) throws {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        var object: [String: Any] = [:]
        var mode: Any?
        if FileManager.default.fileExists(atPath: url.path) {
            mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
            let tree = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
            guard let known = tree as? [String: Any] else { throw CommandFailure("\(path): expected a JSON object") }
            object = known
        } else {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        var parts = key.split(separator: ".").map(String.init)
        let name = parts.removeLast()
        let group = parts.joined(separator: ".")
        var inner = object[group] as? [String: Any] ?? [:]
        inner[name] = text
        object[group] = inner
        // It may stand under its whole key, too.
        object[key] = nil
        let bytes = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        // The file may hold a password, so nobody else may read the new one before it has the mode of the old one.
        let next = url.path + ".new"
        try PrivateFile.write(String(decoding: bytes, as: UTF8.self) + "\n", to: next)
        if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: next) }
        guard unsafe rename(next, url.path) == 0 else { throw CommandFailure("cannot replace \(url.path)") }
    }

    private static func walk(
        _ object: [String: JSONTree], under prefix: String, path: String, entries: [String: SettingEntry],
        app: AppName, into found: inout [String: String]
    ) throws {
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            let key = prefix.isEmpty ? name : "\(prefix).\(name)"
            if let entry = entries[key] {
                found[key] = try text(of: value, entry, path: path)
            } else if case .object(let inner) = value, entries.keys.contains(where: { $0.hasPrefix(key + ".") }) {
                try walk(inner, under: key, path: path, entries: entries, app: app, into: &found)
            } else {
                let advice =
                    NearMiss.nearest(to: key, in: entries.keys.sorted()).map { "did you mean \"\($0)\"?" }
                    ?? "`\(app.text) config show` lists them all"
                throw CommandFailure("\(path): \"\(key)\" is not a setting; \(advice)")
            }
        }
    }

    private static func text(of value: JSONTree, _ entry: SettingEntry, path: String) throws -> String {
        let text: String?
        switch value {
        case .text(let value): text = value
        case .number(let digits): text = digits
        case .boolean(let value): text = "\(value)"
        case .nothing, .array, .object: text = nil
        }
        guard let text, entry.isReadable(text) else {
            let shown = entry.isSecret ? "hidden" : text.map { "\"\($0)\"" } ?? "no text, number or truth value"
            throw CommandFailure("\(path): \(entry.key) is \(shown), expected \(entry.expected)")
        }
        return text
    }
}

/// JSON values, as far as settings need them.
private enum JSONTree: Decodable {
    case nothing
    case boolean(Bool)
    case number(String)
    case text(String)
    case array
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        // Each failure here only means that the value has another type.
        if let object = try? decoder.container(keyedBy: AnyKey.self) {
            let members = try object.allKeys.map { ($0.stringValue, try object.decode(JSONTree.self, forKey: $0)) }
            self = .object(Dictionary(members) { $1 })
            return
        }
        if (try? decoder.unkeyedContainer()) != nil {
            self = .array
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .nothing
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let whole = try? value.decode(Int64.self) {
            self = .number("\(whole)")
        } else if let whole = try? value.decode(UInt64.self) {
            self = .number("\(whole)")
        } else if let number = try? value.decode(Double.self) {
            self = .number("\(number)")
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
