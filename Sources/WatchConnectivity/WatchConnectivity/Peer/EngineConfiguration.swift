package import SyncCore

extension SessionBehaviour {
    /// The engine's configuration for this behaviour: with room for the envelopes, and without its own budget,
    /// because the peer counts the complication transfers.
    package var engineConfiguration: TransferConfiguration {
        var exchange = Exchange.Configuration()
        exchange.itemByteCountMax = 262_144
        exchange.messageByteCountMax = 524_288
        exchange.urgentPerDay = .max
        return TransferConfiguration(
            exchange: exchange, files: FileExchange.Configuration(fileByteCountMax: min(fileByteCountMax, 1 << 60)))
    }
}
