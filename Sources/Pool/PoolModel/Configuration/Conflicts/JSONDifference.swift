/// The difference between two JSON values in words: the members that differ, each with its path.
struct JSONDifference {
    /// The most members that are described; the number of the others is added.
    private static let memberCountMax = 4
    /// The depth to which values are compared.
    private static let depthMax = 16

    /// The first value's members.
    let first: String
    /// The second value's members.
    let second: String

    /// Compares two values; nil if one of them is not JSON.
    init?(_ first: [UInt8], _ second: [UInt8]) {
        do throws(JSONParsingError) {
            let sides = (
                Self.leaves(of: try JSONScanner.scan(first, depthMax: Self.depthMax)),
                Self.leaves(of: try JSONScanner.scan(second, depthMax: Self.depthMax))
            )
            self.first = Self.words(sides.0, where: { sides.1[$0] != $1 })
            self.second = Self.words(sides.1, where: { sides.0[$0] != $1 })
        } catch {
            return nil
        }
    }

    /// A value in words: its members, each with its path; nil if it is not JSON, or contains only defaults.
    static func words(of bytes: [UInt8]) -> String? {
        // Text that is not JSON is shown unchanged.
        guard let value = try? JSONScanner.scan(bytes, depthMax: depthMax) else { return nil }
        let leaves = leaves(of: value).sorted { $0.key < $1.key }.map { path, value in
            [displayPath(path), ["true": "on", "false": "off", "null": "none"][value] ?? value]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        guard !leaves.isEmpty else { return "as usual" }
        let rest = leaves.count - memberCountMax
        return leaves.prefix(memberCountMax).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// A path such as `channels.mqtt[0].topicPrefix` as `channels mqtt 1 topic prefix`.
    private static func displayPath(_ path: String) -> String {
        var words = ""
        var number: Int?
        for character in path {
            switch character {
            case "[": number = 0
            case "]":
                words += " \((number ?? 0) + 1)"
                number = nil
            case ".": words += " "
            case _ where number != nil: number = (number ?? 0) * 10 + (character.wholeNumberValue ?? 0)
            case _ where character.isUppercase: words += " \(character.lowercased())"
            default: words.append(character)
            }
        }
        return words
    }

    private static func words(_ leaves: [String: String], where isOther: (String, String) -> Bool) -> String {
        let others = leaves.filter { isOther($0.key, $0.value) }.sorted { $0.key < $1.key }
        let shown = others.prefix(memberCountMax).map { $0.key.isEmpty ? $0.value : "\($0.key) \($0.value)" }
        let rest = others.count - shown.count
        return (shown.isEmpty ? ["without it"] : shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The scalar values in a value, by path.
    private static func leaves(of value: JSONValue, at path: String = "") -> [String: String] {
        switch value {
        case .null: [path: "null"]
        case .bool(let flag): [path: "\(flag)"]
        case .number(let text): [path: text]
        case .nonFinite: [path: "no number"]
        case .string(let text): [path: "\(Excerpt(text))"]
        case .array(let elements):
            elements.enumerated().reduce(into: [:]) { all, element in
                all.merge(leaves(of: element.element, at: "\(path)[\(element.offset)]")) { first, _ in first }
            }
        case .object(let members):
            members.reduce(into: [:]) { all, member in
                let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
                all.merge(leaves(of: member.value, at: inner)) { first, _ in first }
            }
        }
    }
}
