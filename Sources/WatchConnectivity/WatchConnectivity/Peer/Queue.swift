/// A first-in, first-out queue; removing the first element costs O(1).
struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    init() {}

    var isEmpty: Bool { start == elements.count }

    var count: Int { elements.count - start }

    var first: Element? { start < elements.count ? elements[start] : nil }

    /// The elements in order.
    var all: ArraySlice<Element> { elements[start...] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func prepend(_ element: Element) {
        if start > 0 {
            start -= 1
            elements[start] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Inserts an element before the first one that has to come after it.
    mutating func insert(_ element: Element, before comesAfter: (Element) -> Bool) {
        elements.insert(element, at: all.firstIndex(where: comesAfter) ?? elements.endIndex)
    }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        start += 1
        // Removed elements are freed when they take half of the room.
        if start > 32, start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes the matching element; O(1) if it is the first.
    mutating func remove(where isMeant: (Element) -> Bool) {
        if let first, isMeant(first) { popFirst() } else { removeAll(where: isMeant) }
    }

    mutating func removeAll(where shouldRemove: (Element) -> Bool) {
        elements = all.filter { !shouldRemove($0) }
        start = 0
    }

    /// Removes all elements except the last.
    mutating func keepLast() {
        elements = elements.last.map { isEmpty ? [] : [$0] } ?? []
        start = 0
    }

    /// Changes each element in place.
    mutating func modifyAll(_ change: (inout Element) -> Void) {
        for position in start..<elements.count { change(&elements[position]) }
    }
}
