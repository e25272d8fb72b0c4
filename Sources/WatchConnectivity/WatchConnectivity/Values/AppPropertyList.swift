import Foundation
import SyncCore

extension PropertyList {
    /// Converts a dictionary of an app.
    init(app dictionary: [String: Any]) throws(UnsupportedValue) {
        self = .dictionary(try Self.pairs(dictionary, depth: 1))
    }

    private static func value(_ value: Any, depth: Int) throws(UnsupportedValue) -> PropertyList {
        guard depth < depthMax else { throw UnsupportedValue(type: "a value more than \(depthMax) levels deep") }
        switch value {
        case let text as String: return .string(text)
        case let number as NSNumber: return Self.number(number)
        // Only Apple's systems bridge CGFloat to NSNumber.
        case let number as CGFloat: return .real(Double(number))
        case let data as Data: return .data([UInt8](data))
        case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
        case let pairs as [String: Any]: return .dictionary(try Self.pairs(pairs, depth: depth + 1))
        case let elements as [Any]: return .array(try Self.elements(elements, depth: depth + 1))
        case let pairs as [AnyHashable: Any]:
            let key = pairs.keys.first { !($0.base is String) }
            throw UnsupportedValue(type: "\(Swift.type(of: value)), whose key \(key.map { "\($0)" } ?? "") is no text")
        default: throw UnsupportedValue(type: "\(Swift.type(of: value))")
        }
    }

    private static func pairs(_ pairs: [String: Any], depth: Int) throws(UnsupportedValue) -> [Key: PropertyList] {
        var result: [Key: PropertyList] = [:]
        result.reserveCapacity(pairs.count)
        // In the order of the keys, so that the error always names the same one of several bad values.
        for key in pairs.keys.sorted() {
            guard let value = pairs[key] else { continue }
            do throws(UnsupportedValue) {
                result[Key(key)] = try Self.value(value, depth: depth)
            } catch {
                throw error.below(key)
            }
        }
        return result
    }

    private static func elements(_ elements: [Any], depth: Int) throws(UnsupportedValue) -> [PropertyList] {
        var result: [PropertyList] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(UnsupportedValue) {
                result.append(try value(element, depth: depth))
            } catch {
                throw error.below("[\(index)]")
            }
        }
        return result
    }

    private static func number(_ number: NSNumber) -> PropertyList {
        // Its type alone does not distinguish a Boolean from a byte, but the two Booleans are single objects.
        if number === NSNumber(value: true) { return .boolean(true) }
        if number === NSNumber(value: false) { return .boolean(false) }
        // The pointer is to a constant of the number, and is read at once.
        switch unsafe String(cString: number.objCType) {
        case "d", "f": return .real(number.doubleValue)
        case "Q": return .unsigned(number.uint64Value)
        default: return .integer(number.int64Value)
        }
    }
}

extension PropertyList {
    /// The value as an app receives it.
    var appValue: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        // A Swift Bool could not be read as a number, as clients expect of Apple's.
        case .boolean(let value): NSNumber(value: value)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): Data(bytes)
        case .array(let elements): elements.map(\.appValue)
        case .dictionary(let pairs): pairs.appDictionary
        }
    }
}

extension [PropertyList.Key: PropertyList] {
    /// The dictionary as an app receives it.
    var appDictionary: [String: Any] {
        var result: [String: Any] = [:]
        result.reserveCapacity(count)
        // Different spellings of the same characters are one key in Swift; the last one in the order of the bytes
        // stays.
        for key in keys.sorted() {
            if let value = self[key] { result[key.text] = value.appValue }
        }
        return result
    }
}
