import PoolControl

/// The commands for the hub, with their numbers.
struct OrderQueue: Sendable {
    /// The most orders that are waited for.
    private static let waitingMax = 64

    private var last = 0
    /// The numbers of the orders whose answers a person wants to see.
    private var waiting: Set<Int> = []
    private var new: [HubOrder] = []

    /// Appends an order with the next number.
    mutating func append(_ command: HubCommand, isAnswerShown: Bool) {
        last += 1
        if isAnswerShown { waiting.insert(last) }
        new.append(HubOrder(number: last, command: command))
    }

    /// Takes out the orders that were not taken yet.
    mutating func take() -> [HubOrder] {
        defer { new = [] }
        return new
    }

    /// Whether an answer is to be shown; of each only once.
    mutating func shows(_ answer: HubAnswer) -> Bool { waiting.remove(answer.number) != nil }

    /// Stops waiting for old orders: an answer that never came is not waited for indefinitely.
    mutating func forgetOld() {
        guard waiting.count > Self.waitingMax else { return }
        waiting = waiting.filter { $0 > last - Self.waitingMax }
    }
}
