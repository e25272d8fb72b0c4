package import PoolControl

/// A numbered command of a person; its number comes back in ``HubAnswer/number``.
///
/// Each is answered by one ``HubAnswer``; what a chart, a page of readings and the faults of a link came to, the
/// snapshot itself shows, too.
package struct HubOrder: Equatable, Sendable {
    /// The number, from 1 on, no two alike in one console.
    package let number: Int
    /// What is wanted.
    package let command: HubCommand

    /// Creates an order.
    package init(number: Int, command: HubCommand) {
        self.number = number
        self.command = command
    }
}
