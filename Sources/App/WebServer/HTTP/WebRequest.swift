package import Text

/// A request, as it was read from a connection; nothing of it is trusted.
package struct WebRequest: Sendable {
    /// The method, such as `GET`.
    package var method: String
    /// The path before the `?`, as it was sent.
    package var path: String
    /// The parameters behind the `?`, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// The header fields by their name in lower case; the values of equal names are joined by `, `.
    package var headers: [String: String]
    /// The body.
    package var body: [UInt8]
    /// The address of the client.
    package var address: String

    /// Creates a request from its target, such as `/api/v1/doors?limit=5`.
    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = [],
        address: String = "127.0.0.1"
    ) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count < 2 ? [] : Self.parameters(parts[1])
        self.headers = headers
        self.body = body
        self.address = address
    }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for part in headers["cookie"]?.split(separator: ";") ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == name else { continue }
            return String(pair[1])
        }
        return nil
    }

    /// The language of texts for people that `Accept-Language` prefers; English if it says neither.
    package var language: TextLanguage {
        let ranges = (headers["accept-language"] ?? "").lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return (tag: parts.first ?? "", weight: weight)
        }
        func weight(of code: String) -> Double {
            ranges.filter { $0.tag == code || $0.tag.hasPrefix("\(code)-") }.map(\.weight).max() ?? 0
        }
        return weight(of: "fr") > weight(of: "en") ? .french : .english
    }

    /// The token in `Authorization: Bearer`.
    package var token: String? {
        let parts = headers["authorization"]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private static func parameters(_ text: Substring) -> [(name: String, value: String)] {
        text.split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(pair[0]), pair.count == 2 ? decoded(pair[1]) : "")
        }
    }

    /// The text of a part of a target; bytes that are not UTF-8 become U+FFFD, which no parameter takes.
    package static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(Hexadecimal.value(ofDigit:))
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The answer to a request.
package struct WebResponse: Sendable {
    /// What is sent after the header.
    package enum Body: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// What a function writes, piece by piece, until it returns; the connection ends if it throws.
        case stream(@Sendable (any WebStream) async throws -> Void)
    }

    /// The status.
    package var status: Int
    /// The header fields; their names in lower case.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: Body

    package init(_ status: Int, _ body: Body = .bytes([]), type: String? = nil) {
        self.status = status
        self.body = body
        headers = type.map { [("content-type", $0)] } ?? []
    }

    /// An answer in JSON; times are text.
    package static func json(_ value: some Encodable, status: Int = 200) throws -> WebResponse {
        WebResponse(status, .bytes(Array(try CanonicalJSON.output(value).utf8)), type: "application/json")
    }

    /// An answer that a function writes, piece by piece.
    package static func streaming(
        _ type: String, _ write: @escaping @Sendable (any WebStream) async throws -> Void
    ) -> WebResponse {
        WebResponse(200, .stream(write), type: type)
    }

    /// The answer with one more header field.
    package func with(_ name: String, _ value: String) -> WebResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }
}

/// Where a body is written to; a write returns when there is room for more.
package protocol WebStream: Sendable {
    /// Whether the client is still there.
    var isOpen: Bool { get }
    /// Writes bytes.
    ///
    /// - Throws: If the client is gone, or has not read for too long.
    func write(_ bytes: [UInt8]) async throws
}
