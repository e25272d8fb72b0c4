import ArgumentParser
import Commands
import Platform
import Text
package import WebServer

/// Where a page listens, for whom, and with which certificate.
package struct PageListener: Sendable {
    private let product: WebProduct
    private let authority: LocalAuthority
    /// Where it listens.
    package let address: HTTPServer.Address
    /// Whether it speaks TLS with the certificate that `certificate` has made.
    package let tls: Bool
    private let isBehindProxy: Bool
    private let names: [String]

    /// Reads where a page listens.
    ///
    /// - Parameters:
    ///   - text: The address, HOST:PORT; the host `*` is all addresses.
    ///   - option: The option that has it, such as `--listen`.
    ///   - product: What is served.
    ///   - folder: The folder of the certificate.
    ///   - tls: Whether it speaks TLS.
    ///   - isBehindProxy: Whether a proxy on this machine does.
    ///   - names: Hosts that people type, beside those of the certificate.
    /// - Throws: `ValidationError` for what is no address, and for one that others reach without TLS.
    package init(
        _ text: String, option: String = "--listen", product: WebProduct, folder: String, tls: Bool,
        isBehindProxy: Bool = false, names: [String] = []
    ) throws {
        guard let parts = HostAndPort(text), let port = Int(parts.port) else {
            guard text.filter({ $0 == ":" }).count < 2 || text.contains("[") else {
                throw ValidationError(
                    "\(option) is \(text): write an address of IPv6 in brackets, such as [::1]:8080")
            }
            throw ValidationError("\(option) is \(text), expected \(HostAndPort.expected) such as 127.0.0.1:8080")
        }
        // As the hub, it listens at all addresses with *.
        address = HTTPServer.Address(host: parts.host == "*" ? "0.0.0.0" : parts.host, port: port)
        guard tls || LocalAddresses.isLoopback(address.host) else {
            throw ValidationError(
                "without TLS others in the network could read passwords, so \(address.host) is refused: make a "
                    + "certificate with `\(product.command) certificate --host \(product.scope.noun).local` and add --tls, or listen on "
                    + "127.0.0.1")
        }
        self.product = product
        self.tls = tls
        self.isBehindProxy = isBehindProxy
        self.names = names
        authority = LocalAuthority(stateFolder: folder, product: product)
    }

    /// The settings of the page.
    ///
    /// - Throws: What is wrong with the certificate.
    package func settings() throws -> WebSettings {
        var settings = WebSettings(
            product: product, hosts: try hosts, isSecure: tls || isBehindProxy, isBehindProxy: isBehindProxy)
        settings.certificate = tls ? try authority.served() : nil
        return settings
    }

    /// The server of an API.
    ///
    /// - Throws: What is wrong with the certificate.
    package func server(_ api: WebAPI) throws -> HTTPServer {
        guard tls else { return HTTPServer(api, at: address) }
        return try HTTPServer(api, at: address, certificate: authority.certificatePath, key: authority.keyPath)
    }

    /// The address to type, for a port.
    ///
    /// - Throws: What is wrong with the certificate.
    package func shownAddress() throws -> @Sendable (Int) -> String {
        let scheme = tls || isBehindProxy ? "https" : "http"
        let typed = try hosts.filter { !$0.hasPrefix("127.") && !$0.hasPrefix("localhost") && !$0.hasPrefix("[") }
        let name = scheme == "https" ? typed.min() : nil
        let isWildcard = ["0.0.0.0", "::"].contains(address.host)
        return { [address] port in
            if let name { return "\(scheme)://\(name)/" }
            return "\(scheme)://\(HostAndPort(host: isWildcard ? "127.0.0.1" : address.host, port: port))/"
        }
    }

    /// The hosts that a request may name.
    private var hosts: Set<String> {
        get throws {
            // A host may be given as it is in a certificate; requests name an address of IPv6 in brackets.
            var names = Set(names.map(LocalAuthority.hostText))
            if tls { names.formUnion(try authority.served().hosts) }
            names.formUnion(["127.0.0.1", "localhost", "[::1]"])
            let port = tls ? 443 : 80
            // A proxy is reached at its own port, which is not known here.
            if isBehindProxy { return names.union(names.map { "\($0):\(address.port)" }) }
            return address.port == port
                ? names.union(names.map { "\($0):\(port)" }) : Set(names.map { "\($0):\(address.port)" })
        }
    }
}
