import PoolDecoding
import PoolModel

extension BrokerConnections {
    /// Publishes a message to a server's broker and waits for the broker's acknowledgement.
    ///
    /// It is not tried again on another connection; that is the caller's.
    /// - Returns: Why it did not arrive; nil if the broker has it.
    func publish(_ message: PublishedMessage, to server: ServerID) async -> String? {
        guard let connection = connection(to: server) else { return "the server is not connected" }
        return await connection.publish(message)
    }
}
