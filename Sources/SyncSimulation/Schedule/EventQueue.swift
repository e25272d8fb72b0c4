import SyncCore

/// What is to happen, in the order of virtual time; what is due at the same time happens in the order of its entry.
struct EventQueue<Event> {
    private struct Entry {
        var time: Instant
        var number: UInt64
        var event: Event

        func comes(before other: Entry) -> Bool {
            time == other.time ? number < other.number : time < other.time
        }
    }

    /// A binary heap: no entry comes before its parent at half its position.
    private var heap: [Entry] = []
    private var lastNumber: UInt64 = 0

    var count: Int { heap.count }

    mutating func push(_ event: Event, at time: Instant) {
        lastNumber += 1
        heap.append(Entry(time: time, number: lastNumber, event: event))
        var position = heap.count - 1
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[position].comes(before: heap[parent]) else { return }
            heap.swapAt(position, parent)
            position = parent
        }
    }

    /// Takes the next event out.
    mutating func pop() -> (event: Event, time: Instant)? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return (last.event, last.time) }
        heap[0] = last
        var position = 0
        while true {
            var earliest = position
            for child in [2 * position + 1, 2 * position + 2] where child < heap.count {
                if heap[child].comes(before: heap[earliest]) { earliest = child }
            }
            guard earliest != position else { return (first.event, first.time) }
            heap.swapAt(position, earliest)
            position = earliest
        }
    }
}
