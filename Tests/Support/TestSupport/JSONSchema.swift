package import Foundation

/// A JSON Schema with the keywords that the schemas of this repository use: `type`, `enum`, `const`, `pattern`,
/// `properties`, `required`, `additionalProperties`, `items`, `anyOf`, `$defs` and `$ref` within the file or to another
/// one.
package struct JSONSchema {
    /// Why a schema cannot be used.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    private static let keywords: Set = [
        "$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "const", "pattern", "properties",
        "required", "additionalProperties", "items", "anyOf",
    ]

    private let file: URL
    private let root: [String: Any]

    /// Reads a schema.
    ///
    /// - Throws: ``Fault`` if the file is no schema.
    package init(_ file: URL) throws {
        guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] else {
            throw Fault(description: "\(file.path) is no object")
        }
        (self.file, self.root) = (file, root)
    }

    /// What is wrong with a text of one JSON value; empty if it is valid.
    ///
    /// - Throws: ``Fault`` for a schema with unknown keywords or references, and errors of JSON.
    package func faults(of text: String) throws -> [String] {
        try faults(
            JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed]), root, at: "$")
    }

    private func faults(_ value: Any, _ schema: [String: Any], at place: String) throws -> [String] {
        if let unknown = schema.keys.first(where: { !Self.keywords.contains($0) }) {
            throw Fault(description: "\(file.lastPathComponent): unknown keyword \(unknown)")
        }
        if let reference = schema["$ref"] as? String {
            let (other, target) = try resolved(reference)
            return try other.faults(value, target, at: place)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = try choices.map { try faults(value, $0, at: place) }
            return all.contains { $0.isEmpty } ? [] : all.min { $0.count < $1.count } ?? []
        }
        var found: [String] = []
        let type = Self.type(of: value)
        let types = (schema["type"] as? String).map { [$0] } ?? schema["type"] as? [String] ?? []
        if !types.isEmpty, !types.contains(type), !(type == "integer" && types.contains("number")) {
            return ["\(place) is of type \(type), not \(types.joined(separator: " or "))"]
        }
        if let texts = schema["enum"] as? [String], !texts.contains(value as? String ?? "") {
            found.append("\(place) is \(value), none of \(texts)")
        }
        if let text = schema["const"] as? String, text != value as? String { found.append("\(place) is not \(text)") }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            try text.firstMatch(of: Regex(pattern)) == nil
        {
            found.append("\(place) is \(text), which does not match \(pattern)")
        }
        if let members = value as? [String: Any] { found += try faults(ofMembers: members, schema, at: place) }
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, item) in list.enumerated() { found += try faults(item, items, at: "\(place)[\(index)]") }
        }
        return found
    }

    private func faults(ofMembers members: [String: Any], _ schema: [String: Any], at place: String) throws -> [String]
    {
        let known = schema["properties"] as? [String: [String: Any]] ?? [:]
        var found = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }.map {
            "\(place).\($0) is missing"
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let own = known[name] {
                found += try faults(value, own, at: "\(place).\(name)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                found += try faults(value, others, at: "\(place).\(name)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(place).\(name) is not in the schema")
            }
        }
        return found
    }

    /// The schema that a reference means, with the file that it is in.
    private func resolved(_ reference: String) throws -> (JSONSchema, [String: Any]) {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let schema =
            name.isEmpty ? self : try JSONSchema(file.deletingLastPathComponent().appending(path: name))
        var target: Any? = schema.root
        for step in parts.count > 1 ? parts[1].split(separator: "/") : [] {
            target = (target as? [String: Any])?[String(step)]
        }
        guard let target = target as? [String: Any] else {
            throw Fault(description: "\(file.lastPathComponent): \(reference) means nothing")
        }
        return (schema, target)
    }

    private static func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case is [Any]: "array"
        case is [String: Any]: "object"
        case let number as NSNumber:
            // The type of a truth value is that of a C character, as no number's of JSON is.
            unsafe String(cString: number.objCType) == "c"
                ? "boolean" : number.doubleValue.rounded() == number.doubleValue ? "integer" : "number"
        default: "unknown"
        }
    }
}
