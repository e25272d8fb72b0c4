import Foundation
import SyncCore

/// Converts between the dictionaries of an app and the bytes that are sent.
///
/// A dictionary may contain text, numbers, Booleans, dates, data, arrays, and dictionaries with texts as keys, to a
/// depth of 128. Int64, UInt64 and Double keep their bits, except for the payload of a NaN; `Float` and `CGFloat`
/// become doubles. A received dictionary contains `NSNumber`, as on Apple's systems, so that a number or a Boolean
/// can be read as any numeric type that can represent it.
enum SessionPayload {
    /// The bytes of a dictionary, or the value that prevents it from being sent.
    static func payload(_ dictionary: [String: Any]) -> PeerState.Payload {
        do throws(UnsupportedValue) {
            let list = try PropertyList(app: dictionary)
            return .bytes(try list.encodedWithinDepth(), counted: BinaryListSize.byteCount(of: list))
        } catch {
            return .unsupported(keyPath: error.keyPath, type: error.type)
        }
    }

    /// The dictionary encoded by some bytes; nil if they do not encode a dictionary.
    static func dictionary(_ bytes: [UInt8]) -> [String: Any]? {
        // A counterpart of another version may send bytes that this version cannot read.
        guard let list = try? PropertyList(decoding: bytes), case .dictionary(let pairs) = list else { return nil }
        return pairs.appDictionary
    }
}

/// A value that a property list cannot hold, and where it is.
struct UnsupportedValue: Error, Equatable, CustomStringConvertible {
    /// The path from the top, such as `a.b[2]`.
    var keyPath: String
    /// The type of the value, or another description of what is wrong with it.
    var type: String

    init(keyPath: String = "", type: String) {
        self.keyPath = keyPath
        self.type = type
    }

    var description: String { "\(keyPath.isEmpty ? "the value" : keyPath) cannot be sent: \(type)" }

    /// The same error, with the path from one level further up.
    func below(_ step: String) -> UnsupportedValue {
        let isNested = keyPath.isEmpty || keyPath.hasPrefix("[")
        return UnsupportedValue(keyPath: isNested ? step + keyPath : step + "." + keyPath, type: type)
    }
}

extension PropertyList {
    /// The canonical bytes; the depth was checked when the value was created.
    fileprivate func encodedWithinDepth() throws(UnsupportedValue) -> [UInt8] {
        do throws(PropertyListError) {
            return try encoded()
        } catch {
            throw UnsupportedValue(type: "\(error)")
        }
    }
}
