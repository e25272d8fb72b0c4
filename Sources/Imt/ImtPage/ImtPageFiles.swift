import CImtPage
import WebServer

/// The files of the page; they are in the program itself, so that an installed one needs no folder beside it.
enum ImtPageFiles {
    private static let sources: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        for number in 0..<imt_page_file_count() {
            let file = unsafe imt_page_file(number)
            // Both are constants of the program, with the given length.
            let name = unsafe String(cString: file.name)
            files[name] = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.byte_count)))
        }
        return files
    }()

    /// The files that are served, by their names; the modules of the script are one.
    private static let files: [String: PageResource] = {
        let modules = sources.filter { $0.key.hasSuffix(".js") }.mapValues { String(decoding: $0, as: UTF8.self) }
        var files = sources.filter { !$0.key.hasSuffix(".js") }
        files[script] = Array(PageScript.joined(from: script, modules).utf8)
        return files.reduce(into: [:]) { $0[$1.key] = PageResource($1.key, $1.value) }
    }()

    private static let script = "page.js"

    /// The file that a request asks for: the page at `/`, the others by their names; nil for another request.
    static func find(_ request: WebRequest) -> PageResource? {
        guard request.method == "GET" else { return nil }
        return files[request.path == "/" ? "page.html" : String(request.path.dropFirst())]
    }
}
