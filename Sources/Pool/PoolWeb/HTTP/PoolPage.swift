import CPage
import WebServer

/// The files of the page; they are in the program itself, so that an installed one needs no folder beside it.
enum PoolPage {
    /// The files by their names, as they stand in `Page`.
    private static let sources: [String: [UInt8]] = (0..<page_file_count()).reduce(into: [:]) { files, number in
        let (name, bytes) = unsafe PageKit.contents(of: page_file(number))
        files[name] = bytes
    }

    /// The texts of the modules of the script; the worker runs apart from the page.
    static let modules = sources.filter { $0.key.hasSuffix(".js") && $0.key != "worker.js" }
        .mapValues { String(decoding: $0, as: UTF8.self) }
        .merging(PageKit.modules) { $1 }
        .merging([QuantityModule.name: QuantityModule.text, FieldModule.name: FieldModule.text]) { $1 }

    /// The files that are served, by their names.
    static let files: [String: PageResource] = {
        var files = sources.filter { modules[$0.key] == nil && $0.key != openapi }
        for (name, text) in PageScript.pair(script, ownersScript, modules) { files[name] = Array(text.utf8) }
        return files.reduce(into: [:]) { $0[$1.key] = PageResource($1.key, $1.value) }
    }()

    private static let script = "page.js"
    /// What only owners open.
    private static let ownersScript = "owner.js"

    /// The document of the API without its paths.
    static let openapiFrame = FieldSchemas.filled(sources[openapi] ?? [])
    private static let openapi = "openapi.json"
    private static let page = named("page.html")

    private static func named(_ name: String) -> PageResource {
        guard let file = files[name] else { preconditionFailure("the program has no file \(name)") }
        return file
    }

    /// The file that a request asks for: the page at `/` and at each link, the other files by their names; nil for
    /// another request.
    static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        if request.path == "/" { return page }
        if request.path.hasPrefix("/s/"), !request.path.dropFirst(3).contains("/") { return page }
        return files[String(request.path.dropFirst())]
    }
}

/// The document of the API.
enum PoolDocument {
    static let resource = OpenAPIDocument.resource(
        frame: PoolPage.openapiFrame, routes: PoolRoutes.all.map(\.route), of: .poolsensors)
}
