/// The modules of the page as one script.
///
/// A browser asks for one file instead of a file for each module, and what is alike in them is compressed once. In one
/// script all share one scope, so no two modules have a name of their own in common; `PageScriptTests` checks it.
enum PageScript {
    /// Joins a module and all that it imports, in the order in which a browser runs them.
    ///
    /// - Parameters:
    ///   - first: The name of the module.
    ///   - modules: The texts of all modules by their names.
    /// - Returns: The script, without imports, exports, indentation and lines of comments.
    static func joined(from first: String, _ modules: [String: String]) -> String {
        var script = ""
        var seen: Set<String> = []
        func append(_ name: String) {
            guard seen.insert(name).inserted, let module = modules[name].map(read) else { return }
            for imported in module.imports { append(imported) }
            script += module.text
        }
        append(first)
        return script
    }

    /// The names of the modules that a module imports, and the rest of it.
    private static func read(_ text: String) -> (imports: [String], text: String) {
        var imports: [String] = []
        var rest = ""
        var isImport = false
        for line in text.split(separator: "\n") {
            isImport = isImport || line.hasPrefix("import ") || line.hasPrefix("export * ")
            if isImport {
                guard let from = line.firstRange(of: " from './") else { continue }
                imports.append(String(line[from.upperBound...].prefix { $0 != "'" }))
                isImport = false
                continue
            }
            let line = line.drop { $0 == " " }
            guard !line.hasPrefix("//") else { continue }
            rest += line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
            // The end of a line may end a statement.
            rest += "\n"
        }
        return (imports, rest)
    }
}
