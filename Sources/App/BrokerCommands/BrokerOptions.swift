package import ArgumentParser
package import Brokers
import Commands
import Foundation
package import MQTT
import Text

/// The options of a command that uses one MQTT broker.
package struct BrokerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The MQTT broker.", valueName: "host:port"))
    package var broker: String?

    @Option(help: ArgumentHelp("The user name at the broker.", valueName: "name"))
    private var username: String?

    @Option(help: ArgumentHelp("The file with the password for it.", valueName: "file"))
    private var passwordFile: String?

    @Flag(help: "Encrypt the connection to it.") private var tls = false

    @Option(
        help: ArgumentHelp("The certificate of the authority to trust; implies --tls.", valueName: "file"))
    private var ca: String?

    @Flag(
        help:
            "Use MQTT 3.1.1, whose messages do not expire, from the beginning; a broker that refuses MQTT 5.0 gets it anyway."
    )
    private var mqtt3 = false

    package init() {}

    /// How to reach it; nil if none is given.
    ///
    /// - Throws: `ValidationError` if the address is none.
    package func settings() throws -> BrokerSettings? {
        guard let broker else { return nil }
        guard let place = HostAndPort(broker), let port = Int(place.port) else {
            throw ValidationError("--broker is \"\(broker)\", expected \(HostAndPort.expected)")
        }
        var settings = BrokerSettings(name: broker, host: place.host, port: port)
        settings.userName = username
        settings.usesTLS = tls || ca != nil
        settings.authorityFile = ca
        if mqtt3 { settings.protocolVersion = .v311 }
        return settings
    }

    /// The password in the file; nil without one.
    ///
    /// - Throws: `CommandFailure` if it cannot be read.
    package func password() throws -> String? {
        guard let passwordFile else { return nil }
        // A password may begin or end with a blank.
        return try InputFile.text(of: passwordFile, "the password file", without: .newlines)
    }
}

extension SessionStatus {
    /// The phase as a line.
    package var words: String {
        switch phase {
        case .connecting: "connecting" + (hasSteppedDown ? " by MQTT 3.1.1: the broker refuses MQTT 5.0" : "")
        case .connected:
            "connected"
                + (hasSteppedDown ? " by MQTT 3.1.1: only what is known to be there gets commands of other makers" : "")
        case .waiting(let problem): "not connected: \(problem)"
        }
    }
}
