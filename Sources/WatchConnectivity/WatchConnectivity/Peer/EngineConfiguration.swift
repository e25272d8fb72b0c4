package import SyncCore

extension SessionBehaviour {
    /// What the engine below a companion of this behaviour is told: room for the envelopes, and no budget of its own,
    /// since the companion keeps the one of rule R112.
    package var engineConfiguration: TransferConfiguration {
        var exchange = Exchange.Configuration()
        exchange.itemByteCountMax = 262_144
        exchange.messageByteCountMax = 524_288
        exchange.urgentPerDay = .max
        return TransferConfiguration(
            exchange: exchange, files: FileExchange.Configuration(fileByteCountMax: min(fileByteCountMax, 1 << 60)))
    }
}
