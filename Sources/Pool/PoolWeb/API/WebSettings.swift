/// How the server is reached, and what it shows.
package struct WebSettings: Sendable {
    /// The hosts that a request may name, in lower case, with the port unless it is the usual one.
    package var hosts: Set<String>
    /// Whether browsers reach it with TLS, by itself or through a proxy.
    package var isSecure: Bool
    /// Whether a proxy on this machine stands before it, which names the client's address.
    package var isBehindProxy: Bool
    /// Whether the measurements are shown without a token.
    package var showsMetrics: Bool
    /// The certificate with which it is served; nil without TLS, and behind a proxy.
    package var certificate: ServedCertificate?
    /// How often one account, and one address without an account, may ask in a minute.
    package var requestsPerMinute = 600
    /// How often all who use one link may ask in a minute.
    package var requestsPerMinuteOfLink = 60
    /// How long a client may take to send a request, and to read what is sent.
    package var patience = Duration.seconds(30)
    /// The pause between two signs of life of a stream.
    package var pingInterval = Duration.seconds(15)
    /// The streams of one session, and of all.
    package var streamsPerSession = 8
    package var streams = 256

    /// Creates settings.
    package init(
        hosts: Set<String>, isSecure: Bool = false, isBehindProxy: Bool = false, showsMetrics: Bool = false
    ) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.isSecure = isSecure
        self.isBehindProxy = isBehindProxy
        self.showsMetrics = showsMetrics
    }

    /// The name of the cookie.
    var cookie: String { isSecure ? "__Host-poolsensors" : "poolsensors" }

    /// The scheme of its addresses.
    var scheme: String { isSecure ? "https" : "http" }
}
