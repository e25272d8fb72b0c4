import Foundation
import SyncCore

/// Between the dictionaries of an app and the bytes that travel.
///
/// What may be in a dictionary: text, numbers, truth values, dates, data, arrays, and dictionaries with texts as keys,
/// to any depth up to 128 (rules R143–R145). Int64, UInt64 and Double keep their bits, but for the payload of a NaN;
/// `Float` and `CGFloat` become doubles. What arrives holds `NSNumber`, as on Apple's systems, so that a number or a
/// truth value can be read as any type of number that holds it (rule R146).
enum SessionPayload {
    /// The bytes of a dictionary, or what keeps it from being sent.
    static func payload(_ dictionary: [String: Any]) -> PeerState.Payload {
        do throws(UnsupportedValue) {
            return .bytes(try PropertyList(app: dictionary).encodedWithinDepth())
        } catch {
            return .unsupported(keyPath: error.keyPath, type: error.type)
        }
    }

    /// The dictionary of such bytes; nil for bytes that are not a dictionary.
    static func dictionary(_ bytes: [UInt8]) -> [String: Any]? {
        // A counterpart of another version may send what this one cannot read: it has no dictionary then.
        guard let list = try? PropertyList(decoding: bytes), case .dictionary(let pairs) = list else { return nil }
        return pairs.appDictionary
    }
}

/// A value that a property list cannot hold, and where it is.
struct UnsupportedValue: Error, Equatable, CustomStringConvertible {
    /// The way from the top, such as `a.b[2]`.
    var keyPath: String
    /// The type of the value, or what else is wrong with it.
    var type: String

    init(keyPath: String = "", type: String) {
        self.keyPath = keyPath
        self.type = type
    }

    var description: String { "\(keyPath.isEmpty ? "the value" : keyPath) cannot be sent: \(type)" }

    /// The same, one level further up.
    func below(_ step: String) -> UnsupportedValue {
        let isNested = keyPath.isEmpty || keyPath.hasPrefix("[")
        return UnsupportedValue(keyPath: isNested ? step + keyPath : step + "." + keyPath, type: type)
    }
}

extension PropertyList {
    /// The canonical bytes; the depth was checked when the value was made.
    fileprivate func encodedWithinDepth() throws(UnsupportedValue) -> [UInt8] {
        do throws(PropertyListFault) {
            return try encoded()
        } catch {
            throw UnsupportedValue(type: "\(error)")
        }
    }
}
