import Foundation
import WatchConnectivity

/// The words in which commands and events are written.
enum Words {
    /// A dictionary as JSON with sorted keys; what JSON cannot say is said by its description.
    static func text(_ dictionary: [String: Any]) -> String {
        let plain = dictionary.mapValues(plain)
        guard let bytes = try? JSONSerialization.data(withJSONObject: plain, options: [.sortedKeys]) else {
            // Only a number that JSON lacks comes here.
            return "\(plain)"
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func plain(_ value: Any) -> Any {
        switch value {
        case let bytes as Data: "bytes:" + bytes.base64EncodedString()
        case let date as Date: "date:\(date.timeIntervalSince1970)"
        case let array as [Any]: array.map(plain)
        case let dictionary as [String: Any]: dictionary.mapValues(plain)
        default: value
        }
    }

    /// A dictionary from JSON; the key `null` gets a value that no property list has, `long` so many characters.
    static func dictionary(_ text: String) -> [String: Any] {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
            var dictionary = object as? [String: Any]
        else { fatalError("no dictionary: \(text)") }
        if let count = dictionary["long"] as? Int { dictionary["long"] = String(repeating: "x", count: count) }
        return dictionary
    }

    /// An error's code, `none` without one.
    static func text(_ error: (any Error)?) -> String {
        guard let error else { return "none" }
        return (error as? WCError).map { "\($0.code.rawValue)" } ?? "foreign:\(error)"
    }
}
