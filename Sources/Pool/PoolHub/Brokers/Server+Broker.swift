import Brokers
import MQTT
import PoolModel

extension Server {
    /// How the hub reaches the server's broker.
    var brokerSettings: BrokerSettings {
        var settings = BrokerSettings(name: name, host: host, port: port)
        settings.protocolVersion =
            switch protocolVersion {
            case .v3: .v311
            case .v5: .v5
            }
        settings.userName = username
        settings.usesTLS = usesTLS
        settings.authorityFile = caFile
        settings.identity = clientCertificate.map {
            BrokerSettings.Identity(certificateFile: $0.certificateFile, keyFile: $0.keyFile)
        }
        return settings
    }

    /// The commands for the server.
    var brokerAdvice: BrokerAdvice {
        BrokerAdvice(
            noun: "hub", editCommand: "poolsensors server edit \"\(name)\"",
            testCommand: "poolsensors server test \"\(name)\"")
    }
}
