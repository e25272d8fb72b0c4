/// The encoded bodies of the registers' newest values: each is the same for all watches, and is encoded once.
struct RegisterBodies: Sendable {
    private struct Entry: Sendable {
        var order: UInt64
        var epoch: Epoch
        var body: [UInt8]
    }

    /// Only looked up by key, never walked through.
    private var entries: [String: Entry] = [:]

    /// The body of a register's value.
    mutating func body(of register: Register, epoch: Epoch) -> [UInt8] {
        if let entry = entries[register.key], entry.order == register.order, entry.epoch == epoch { return entry.body }
        let body = register.body(epoch: epoch)
        entries[register.key] = Entry(order: register.order, epoch: epoch, body: body)
        return body
    }
}
