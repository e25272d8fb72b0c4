package import PoolControl

/// The connection of the screens to their hub.
package protocol HubConnection: HubAsking {
    /// Whether the hub belongs to this process, and ends with the screens.
    var isOwn: Bool { get }
    /// Yields when the state of the hub may have changed.
    var changes: AsyncStream<Void> { get }
    /// Completes the code of an invitation with the address at which a watch reaches the hub.
    ///
    /// - Returns: The code, and what the person should know about the address.
    func complete(invitation code: String, validForSeconds seconds: Int64) -> (code: String, notes: [String])
}
