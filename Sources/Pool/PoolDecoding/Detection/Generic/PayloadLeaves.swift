import PoolModel

/// A scalar in a payload and the path to it.
struct PayloadLeaf {
    var path: ValuePath
    var value: JSONValue
    /// The objects and lists on the path, from the outermost.
    var parents: [JSONValue]
}

/// The scalars of a payload, in its order.
///
/// Only the first elements of a list and the first 512 scalars of a payload are read. Of a list of samples the last
/// elements are read, each under the path of all of them, `samples[*].ph`.
struct PayloadLeaves {
    static let leafCountMax = 512
    static let elementCountMax = 16

    private(set) var leaves: [PayloadLeaf] = []

    init(_ value: JSONValue) {
        walk(value, steps: [], parents: [])
    }

    private mutating func walk(_ value: JSONValue, steps: [ValuePath.Step], parents: [JSONValue]) {
        guard leaves.count < Self.leafCountMax, steps.count <= 12 else { return }
        switch value {
        case .object(let members):
            var seen: Set<String> = []
            let columnCount = SampleLists.columnCount(of: members)
            for member in members where seen.insert(member.key).inserted {
                let steps = steps + [.key(member.key)]
                if let columnCount, case .array(let column) = member.value, column.count == columnCount,
                    let last = column.last, last.isScalar
                {
                    walk(last, steps: steps + [.each], parents: parents + [value])
                } else {
                    walk(member.value, steps: steps, parents: parents + [value])
                }
            }
        case .array(let elements) where SampleLists.isOne(elements, named: steps.last) && !steps.contains(.each):
            for element in elements.suffix(Self.elementCountMax) {
                walk(element, steps: steps + [.each], parents: parents + [value])
            }
        case .array(let elements) where SampleLists.areUndated(elements, named: steps.last):
            let (newest, index) = SampleLists.countDown(elements) ? (elements.first, 0) : (elements.last, -1)
            if let newest { walk(newest, steps: steps + [.index(index)], parents: parents + [value]) }
        case .array(let elements):
            for (index, element) in elements.prefix(Self.elementCountMax).enumerated() {
                walk(element, steps: steps + [.index(index)], parents: parents + [value])
            }
        case .string(let text) where text.first == "{" && text.utf8.count <= 4096:
            // JSON inside JSON, as some bridges send it; a text that only starts like JSON is one scalar.
            if let embedded = try? JSONScanner.scan(Array(text.utf8), depthMax: 8) {
                walk(embedded, steps: steps, parents: parents)
            } else {
                leaves.append(PayloadLeaf(path: ValuePath(steps), value: value, parents: parents))
            }
        case .null, .bool, .number, .nonFinite, .string:
            leaves.append(PayloadLeaf(path: ValuePath(steps), value: value, parents: parents))
        }
    }
}
