import CPage
import Crypto
import PoolModel

/// A file of the page; it is in the program itself, so that an installed one needs no folder beside it.
struct PageResource: Sendable {
    let type: String
    let bytes: [UInt8]
    /// The entity tag: a hash of the bytes.
    let tag: String

    private init(_ name: String, _ bytes: [UInt8]) {
        type = Self.types.first { name.hasSuffix($0.ending) }?.type ?? "application/octet-stream"
        self.bytes = bytes
        tag = "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))\""
    }

    private static let types: [(ending: String, type: String)] = [
        (".html", "text/html; charset=utf-8"), (".css", "text/css; charset=utf-8"),
        (".js", "text/javascript; charset=utf-8"), (".json", "application/json"), (".svg", "image/svg+xml"),
        (".webmanifest", "application/manifest+json"),
    ]

    /// The files by their names.
    static let all: [String: PageResource] = {
        var found: [String: PageResource] = [:]
        for number in 0..<page_file_count() {
            let file = unsafe page_file(number)
            // Both are constants of the program, with the given length.
            let name = unsafe String(cString: file.name)
            let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.byte_count)))
            found[name] = PageResource(name, bytes)
        }
        return found
    }()

    /// The document of the API.
    static let openapi = named("openapi.json")
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

    /// The answer: the file, or that the client has it.
    func response(to request: WebRequest) -> WebResponse {
        let isKnown = request.headers["if-none-match"]?.contains(tag) == true
        return (isKnown ? WebResponse(304) : WebResponse(200, .bytes(bytes), type: type))
            .with("etag", tag).with("cache-control", "no-cache")
    }
}
