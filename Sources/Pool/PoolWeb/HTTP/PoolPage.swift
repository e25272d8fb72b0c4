import CPage
import WebServer

/// The files of the page.
enum PoolPage {
    /// What only owners open is a script of its own; the worker runs apart from the page.
    private static let page = unsafe PageFiles(
        page_file_count(), { unsafe page_file($0) },
        shared: PageKit.modules.merging([
            QuantityModule.name: QuantityModule.text, FieldModule.name: FieldModule.text,
        ]) { $1 }, hasLinks: true, apart: ["worker.js"],
        scripts: { PageScript.pair(PageFiles.script, "owner.js", $0) })

    /// The texts of the modules of the script.
    static var modules: [String: String] { page.modules }
    /// The files that are served, by their names.
    static var files: [String: PageResource] { page.served }
    /// The document of the API without its paths.
    static let openapiFrame = FieldSchemas.filled(page.sources[OpenAPIDocument.fileName] ?? [])

    /// The file that a request asks for; nil for another request.
    static func find(_ request: WebRequest) -> PageResource? { page.find(request) }
}

/// The document of the API.
enum PoolDocument {
    static let resource = OpenAPIDocument.resource(
        frame: PoolPage.openapiFrame, routes: PoolRoutes.all.map(\.route), of: .poolsensors)
}
