package import WebServer

/// The files of the page.
package enum RidesPage {
    private static let files = ["page.css", "page.html", "page.js"].reduce(into: [String: PageResource]()) {
        $0[$1] = PageResource($1, Files.named($1))
    }

    /// The file that a request asks for; nil for another request.
    package static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        return files[request.path == "/" ? "page.html" : String(request.path.dropFirst())]
    }
}
