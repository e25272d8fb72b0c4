package import SyncCore

/// The planned events, in the order of virtual time; of events that are due at the same time, the one with the lower
/// rank comes first, and then the one that was planned first.
package struct EventQueue<Event> {
    /// A place in the heap; the event itself stays in its slot while the heap moves.
    private struct Entry {
        var time: Int64
        var rank: Int
        var number: UInt64
        var slot: Int

        func comes(before other: Entry) -> Bool {
            (time, rank, number) < (other.time, other.rank, other.number)
        }
    }

    /// A binary heap: no entry comes before its parent at half its position.
    private var heap: [Entry] = []
    private var slots: [Event?] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    /// Creates an empty queue.
    package init() {}

    /// When the next event is due.
    package var nextTime: Instant? { heap.first.map { Instant(nanoseconds: $0.time) } }

    /// When the next event is due of which something holds.
    func nextTime(where holds: (Event) -> Bool) -> Instant? {
        var first: Int64?
        for entry in heap where first.map({ entry.time < $0 }) ?? true {
            if let event = slots[entry.slot], holds(event) { first = entry.time }
        }
        return first.map { Instant(nanoseconds: $0) }
    }

    /// Plans an event; what has a lower rank comes before it at the same time.
    package mutating func push(_ event: Event, at time: Instant, rank: Int = 0) {
        lastNumber += 1
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = event
        } else {
            slot = slots.count
            slots.append(event)
        }
        let entry = Entry(time: time.nanoseconds, rank: rank, number: lastNumber, slot: slot)
        heap.append(entry)
        var position = heap.count - 1
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.comes(before: heap[parent]) else { break }
            heap[position] = heap[parent]
            position = parent
        }
        heap[position] = entry
    }

    /// Removes and returns the next event.
    package mutating func pop() -> (event: Event, time: Instant)? {
        guard let last = heap.popLast() else { return nil }
        let first = heap.first ?? last
        if !heap.isEmpty { sink(last) }
        let event = slots[first.slot].take()
        freeSlots.append(first.slot)
        return event.map { ($0, Instant(nanoseconds: first.time)) }
    }

    /// Puts an entry in the place of the first and moves it down to its place.
    private mutating func sink(_ entry: Entry) {
        var position = 0
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].comes(before: heap[child]) { child += 1 }
            guard heap[child].comes(before: entry) else { break }
            heap[position] = heap[child]
            position = child
        }
        heap[position] = entry
    }
}
