import CPage
import Crypto
import PoolModel

/// A file of the page; it is in the program itself, so that an installed one needs no folder beside it.
struct PageResource: Sendable {
    let type: String
    let bytes: [UInt8]
    /// The bytes as gzip; nil if that is not shorter.
    let compressed: [UInt8]?
    /// The entity tag: a hash of the bytes.
    let tag: String
    /// The entity tag of the compressed bytes, which are another representation.
    private var compressedTag: String { "\(tag.dropLast())-gzip\"" }

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - name: A name whose ending says the type.
    ///   - bytes: The contents.
    init(_ name: String, _ bytes: [UInt8]) {
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
                count = Int(unsafe page_gzip(given.baseAddress, UInt(given.count), room.baseAddress, UInt(room.count)))
            }
        }
        return room.isEmpty ? nil : room
    }

    private static let types: [(ending: String, type: String)] = [
        (".html", "text/html; charset=utf-8"), (".css", "text/css; charset=utf-8"),
        (".js", "text/javascript; charset=utf-8"), (".json", "application/json"), (".svg", "image/svg+xml"),
        (".webmanifest", "application/manifest+json"),
    ]

    /// The files by their names, as they stand in `Page`.
    private static let sources: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        for number in 0..<page_file_count() {
            let file = unsafe page_file(number)
            // Both are constants of the program, with the given length.
            let name = unsafe String(cString: file.name)
            files[name] = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.byte_count)))
        }
        return files
    }()

    /// The texts of the modules of the script; the worker runs apart from the page.
    static let modules = sources.filter { $0.key.hasSuffix(".js") && $0.key != "worker.js" }
        .mapValues { String(decoding: $0, as: UTF8.self) }
        .merging([QuantityModule.name: QuantityModule.text]) { $1 }

    /// The files that are served, by their names.
    static let all: [String: PageResource] = {
        var files = sources.filter { modules[$0.key] == nil && $0.key != openapi }
        for (name, text) in PageScript.pair(script, ownersScript, modules) { files[name] = Array(text.utf8) }
        return files.reduce(into: [:]) { $0[$1.key] = PageResource($1.key, $1.value) }
    }()

    private static let script = "page.js"
    /// What only owners open.
    private static let ownersScript = "owner.js"

    /// The document of the API without its paths.
    static let openapiFrame = sources[openapi] ?? []
    private static let openapi = "openapi.json"
    private static let page = named("page.html")

    private static func named(_ name: String) -> PageResource {
        guard let file = all[name] else { preconditionFailure("the program has no file \(name)") }
        return file
    }

    /// The file that a request asks for: the page at `/` and at each link, the other files by their names; nil for
    /// another request.
    static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        if request.path == "/" { return page }
        if request.path.hasPrefix("/s/"), !request.path.dropFirst(3).contains("/") { return page }
        return all[String(request.path.dropFirst())]
    }

    /// The answer: the file, compressed if the client takes that, or that the client has it.
    func response(to request: WebRequest) -> WebResponse {
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
