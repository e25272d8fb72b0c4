import SyncCore
package import Text

/// How the server is reached, and what it shows.
package struct WebSettings: Sendable {
    /// What the page is called.
    package let product: WebProduct
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
    /// How often a guest of a link may ask in a minute.
    package var requestsPerMinuteOfLink = 60
    /// How many connections there are at most; then the oldest idle one makes room.
    package var connections = 512
    /// The connections of one address, so that one client cannot keep out the others; a browser has six.
    package var connectionsPerAddress = 64
    /// How long a client may take to send a request, and to read what is sent.
    package var patience = Duration.seconds(30)
    /// How long a new connection may take to send the header of its first request.
    package var headerPatience = Duration.seconds(10)
    /// How much longer than a request an upload may take.
    package var uploadPatienceFactor = 4
    /// The uploads of one session, and of all, that may be in memory.
    package var uploadsPerSession = 1
    package var uploads = 2
    /// The pause between two signs of life of a stream.
    package var pingInterval = Duration.seconds(15)
    /// The streams of one session, and of all; a browser needs one for all its tabs, others need one for each.
    package var streamsPerSession = 16
    package var streams = 256
    /// Of these, the streams of the guests of one link, and of all guests of links.
    package var streamsPerLink = 32
    package var streamsOfLinks = 128

    /// Creates settings.
    package init(
        product: WebProduct, hosts: Set<String>, isSecure: Bool = false, isBehindProxy: Bool = false,
        showsMetrics: Bool = false
    ) {
        self.product = product
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.isSecure = isSecure
        self.isBehindProxy = isBehindProxy
        self.showsMetrics = showsMetrics
    }

    /// The name of the cookie of a session.
    package var cookie: String { (isSecure ? "__Host-" : "") + product.app.text }

    /// The name of the cookie of a browser on which somebody has logged in.
    package var deviceCookie: String { cookie + "-device" }

    /// The value of `Set-Cookie`; with 0 seconds the browser forgets the cookie.
    package func cookie(_ name: String, _ value: String, seconds: Int) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` for a session.
    package func cookie(of account: Account, _ session: String, at now: Timestamp) -> String {
        let milliseconds = account.expires?.milliseconds(since: now) ?? AccountSessions.milliseconds
        return cookie(cookie, session, seconds: Int(milliseconds / 1000))
    }

    /// The scheme of its addresses.
    package var scheme: String { isSecure ? "https" : "http" }
}
