/// The encoded bodies of the registers' newest values.
///
/// Each is the same for all watches, and is encoded once.
struct RegisterBodies: Sendable {
    private struct Entry: Sendable {
        var order: UInt64
        var epoch: Epoch
        var body: [UInt8]
    }

    /// The entries by place in the table.
    private var entries: [Entry?] = []

    /// The body for a register with this place in the table.
    mutating func body(of register: Register, at place: Int, epoch: Epoch) -> [UInt8] {
        while entries.count <= place { entries.append(nil) }
        if let entry = entries[place], entry.order == register.order, entry.epoch == epoch { return entry.body }
        let body = register.body(epoch: epoch)
        entries[place] = Entry(order: register.order, epoch: epoch, body: body)
        return body
    }
}
