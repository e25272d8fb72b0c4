package import CPageKit

/// The files of a page; they are in the program itself, so that an installed one needs no folder beside it.
package struct PageFiles: Sendable {
    /// The start of the scripts, and the page itself.
    package static let script = "page.js"
    private static let page = "page.html"

    /// The files as they are in the program, by their names.
    package let sources: [String: [UInt8]]
    /// The texts of the modules of the scripts, with those that others share with this page.
    package let modules: [String: String]
    /// The files that are served, by their names; the modules of a script are one.
    package let served: [String: PageResource]
    private let hasLinks: Bool

    /// Reads the files that a target in C has, and joins the scripts.
    ///
    /// - Parameters:
    ///   - count: How many files there are.
    ///   - file: The file of a number.
    ///   - shared: Further modules by their names.
    ///   - hasLinks: Whether the page is also at the links for guests, `/s/…`.
    ///   - apart: The scripts that run apart from the page, and are served as they are.
    ///   - isServed: Whether a file is one of the page, by its name.
    ///   - scripts: The scripts by their names, made of the modules.
    package init(
        _ count: UInt32, _ file: (UInt32) -> page_file, shared: [String: String] = [:], hasLinks: Bool = false,
        apart: Set<String> = [], isServed: (String) -> Bool = { _ in true },
        scripts: ([String: String]) -> [String: String] = { [script: PageScript.joined(from: script, $0)] }
    ) {
        sources = (0..<count).reduce(into: [:]) { files, number in
            let (name, bytes) = unsafe PageKit.contents(of: file(number))
            files[name] = bytes
        }
        let scriptNames = Set(sources.keys.filter { $0.hasSuffix(".js") }).subtracting(apart)
        modules = sources.filter { scriptNames.contains($0.key) }.mapValues { String(decoding: $0, as: UTF8.self) }
            .merging(shared) { own, _ in own }
        var files = sources.filter {
            !scriptNames.contains($0.key) && $0.key != OpenAPIDocument.fileName && isServed($0.key)
        }
        for (name, text) in scripts(modules) { files[name] = Array(text.utf8) }
        served = files.reduce(into: [:]) { $0[$1.key] = PageResource($1.key, $1.value) }
        self.hasLinks = hasLinks
    }

    /// The file that a request asks for: the page at `/`, and at links if it has them, the others by their names; nil for
    /// another request.
    package func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        let isLink = hasLinks && request.path.hasPrefix("/s/") && !request.path.dropFirst(3).contains("/")
        return served[request.path == "/" || isLink ? Self.page : String(request.path.dropFirst())]
    }
}
