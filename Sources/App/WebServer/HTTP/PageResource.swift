import CCompression
import Crypto
import Text

/// A file of the page; it is in the program itself, so that an installed one needs no folder beside it.
package struct PageResource: Sendable {
    package let type: String
    package let bytes: [UInt8]
    /// The bytes as gzip; nil if that is not shorter.
    package let compressed: [UInt8]?
    /// The entity tag: a hash of the bytes.
    package let tag: String
    /// The entity tag of the compressed bytes, which are another representation.
    private var compressedTag: String { "\(tag.dropLast())-gzip\"" }

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - name: A name whose ending says the type.
    ///   - bytes: The contents.
    package init(_ name: String, _ bytes: [UInt8]) {
        type = Self.types.first { name.hasSuffix($0.ending) }?.type ?? "application/octet-stream"
        self.bytes = bytes
        compressed = Self.compressed(bytes)
        tag = "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))\""
    }

    /// Compresses a file, once at the start.
    ///
    /// Answers of the API are never compressed: their length would tell of secrets
    /// that stand beside what a client has sent.
    private static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        let room = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            unsafe bytes.withUnsafeBufferPointer { given in
                // Both are as long as the lengths say.
                count = Int(unsafe gzip_bytes(given.baseAddress, UInt(given.count), room.baseAddress, UInt(room.count)))
            }
        }
        return room.isEmpty ? nil : room
    }

    private static let types: [(ending: String, type: String)] = [
        (".html", "text/html; charset=utf-8"), (".css", "text/css; charset=utf-8"),
        (".js", "text/javascript; charset=utf-8"), (".json", "application/json"), (".svg", "image/svg+xml"),
        (".webmanifest", "application/manifest+json"),
    ]

    /// The answer: the file, compressed if the client takes that, or that the client has it.
    package func response(to request: WebRequest) -> WebResponse {
        let isCompressed = compressed != nil && request.accepts(encoding: "gzip")
        let tag = isCompressed ? compressedTag : tag
        var response =
            request.hasTag(tag)
            ? WebResponse(304) : WebResponse(200, .bytes(isCompressed ? compressed ?? bytes : bytes), type: type)
        if isCompressed, response.status == 200 { response = response.with("content-encoding", "gzip") }
        return response.with("etag", tag).with("cache-control", "no-cache").with("vary", "Accept-Encoding")
    }
}

extension WebRequest {
    /// Whether the client takes an encoding.
    ///
    /// Source: RFC 9110, section 12.5.3.
    fileprivate func accepts(encoding: String) -> Bool {
        var weights: [String: Double] = [:]
        for part in (headers["accept-encoding"] ?? "").lowercased().split(separator: ",") {
            let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let name = words.first else { continue }
            weights[name] = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
        return weights[encoding] ?? weights["*"] ?? 0 > 0
    }

    /// Whether the client has a representation, by `If-None-Match`.
    ///
    /// Source: RFC 9110, section 13.1.2.
    fileprivate func hasTag(_ tag: String) -> Bool {
        (headers["if-none-match"] ?? "").split(separator: ",").contains { part in
            let given = part.filter { !$0.isWhitespace }
            return given == "*" || given == tag || given == "W/" + tag
        }
    }
}
