import Crypto
import PoolModel

/// A file of the page; it is in the program itself.
struct PageResource: Sendable {
    let type: String
    let bytes: [UInt8]
    /// The entity tag: a hash of the bytes.
    let tag: String

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
        tag = "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))\""
    }

    static let openapi = PageResource("application/json", PackageResources.openapi_json)
    private static let page = PageResource("text/html; charset=utf-8", PackageResources.page_html)

    /// The files by their paths; the page itself is at `/` and at each link.
    static let all: [String: PageResource] = ["/": page]

    /// The file that a request asks for; nil for another request.
    static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        if request.path.hasPrefix("/s/"), !request.path.dropFirst(3).contains("/") { return page }
        return all[request.path]
    }

    /// The answer: the file, or that the client has it.
    func response(to request: WebRequest) -> WebResponse {
        let isKnown = request.headers["if-none-match"]?.contains(tag) == true
        return (isKnown ? WebResponse(304) : WebResponse(200, .bytes(bytes), type: type))
            .with("etag", tag).with("cache-control", "no-cache")
    }
}
