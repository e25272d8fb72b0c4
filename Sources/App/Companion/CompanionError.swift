/// Why something could not be sent; nothing was queued.
@nonexhaustive
public enum CompanionError: Error, Hashable, Sendable {
    /// The JSON of a value is larger than its way allows.
    case tooLarge(what: String, byteCount: Int, limit: Int)
    /// The value holds what JSON cannot, such as a number that is not finite.
    case notEncodable(what: String, reason: String)
    /// The phone has no watch with this id; `known` has the ids of those that it has.
    case unknownWatch(String, known: [String])
    /// The host does not run yet, or its session is not active.
    case notRunning(app: String)
    /// The file cannot be read.
    case noFile(path: String)
    /// The version of the app's types is not at least 1.
    case badVersion(app: String, version: Int)
}

extension CompanionError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .tooLarge(let what, let byteCount, let limit):
            "\(what): \(Self.grouped(byteCount)) bytes, at most \(Self.grouped(limit))"
        case .notEncodable(let what, let reason): "\(what) cannot be sent: \(reason)"
        case .unknownWatch(let id, let known):
            known.isEmpty
                ? "there is no watch \"\(id)\", and no other: pair one first"
                : "there is no watch \"\(id)\": choose one of \(known.joined(separator: ", "))"
        case .notRunning(let app):
            "\(app) is not connected to its devices yet: call run() first, and wait for its start"
        case .noFile(let path): "\(path) cannot be read: name a file that exists"
        case .badVersion(let app, let version): "\(app) has version \(version): begin with 1"
        }
    }
}

extension CompanionError {
    /// A count with a comma after each three digits.
    static func grouped(_ count: Int) -> String {
        var groups: [String] = []
        var rest = count
        while rest >= 1000 {
            let last = String(rest % 1000)
            groups.append(String(repeating: "0", count: 3 - last.count) + last)
            rest /= 1000
        }
        return ([String(rest)] + groups.reversed()).joined(separator: ",")
    }
}
