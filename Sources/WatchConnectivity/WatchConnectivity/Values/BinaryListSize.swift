import SyncCore

/// Counts the bytes of a value as a binary property list, without encoding it.
///
/// The list has a header, an object for each value, a table with the offset of each object, and a trailer. Arrays and
/// dictionaries refer to their contents by the objects' numbers. Equal texts, numbers, dates and data are one object,
/// as CoreFoundation writes them; Booleans, arrays and dictionaries are not shared.
///
/// Source: the comment at the head of CoreFoundation's CFBinaryPList.c.
struct BinaryListSize {
    private static let headerByteCount = 8
    private static let trailerByteCount = 32

    private var shared: Set<PropertyList> = []
    private var objectCount = 0
    private var objectByteCount = 0
    private var referenceCount = 0

    /// The size of a value in bytes.
    static func byteCount(of value: PropertyList) -> Int {
        var size = BinaryListSize()
        size.add(value)
        let body = size.objectByteCount + size.referenceCount * width(of: size.objectCount)
        let offset = headerByteCount + body
        return offset + size.objectCount * width(of: offset) + trailerByteCount
    }

    private mutating func add(_ value: PropertyList) {
        switch value {
        case .boolean: addObject(1)
        case .integer(let number): share(value, 1 + Self.width(of: UInt64(bitPattern: number)))
        // Beyond the signed range it is written with 128 bits.
        case .unsigned: share(value, 17)
        case .real, .date: share(value, 9)
        case .data(let bytes): share(value, Self.marker(bytes.count) + bytes.count)
        case .string(let text): share(value, Self.byteCount(of: text))
        case .array(let elements):
            addObject(Self.marker(elements.count))
            referenceCount += elements.count
            for element in elements { add(element) }
        case .dictionary(let pairs):
            addObject(Self.marker(pairs.count))
            referenceCount += 2 * pairs.count
            for (key, value) in pairs {
                add(.string(key.text))
                add(value)
            }
        }
    }

    /// Adds an object, if no equal one is there.
    private mutating func share(_ value: PropertyList, _ byteCount: Int) {
        if shared.insert(value).inserted { addObject(byteCount) }
    }

    private mutating func addObject(_ byteCount: Int) {
        objectCount += 1
        objectByteCount += byteCount
    }

    private static func byteCount(of text: String) -> Int {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return marker(text.utf16.count) + text.utf16.count * (isASCII ? 1 : 2)
    }

    /// The bytes of the marker of an object with a count: from 15 on, the count follows as an integer.
    private static func marker(_ count: Int) -> Int {
        count < 15 ? 1 : 2 + width(of: UInt64(count))
    }

    private static func width(of count: Int) -> Int { width(of: UInt64(count)) }

    /// The bytes of a number: 1, 2, 4 or 8.
    private static func width(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
