/// The modules of the page as two scripts.
///
/// A browser asks for one file instead of a file for each module, and what is alike in them is compressed once. In one
/// script all share one scope, so no two modules have a name of their own in common; `PageScriptTests` checks it. What only
/// owners open is a script of its own, for which the page asks when it is opened.
package enum PageScript {
    /// A module as it stands in a script.
    private struct Module {
        /// The modules that it imports, with the names.
        var imports: [(module: String, names: [String])] = []
        var text = ""
    }

    /// Joins a module and all that it imports, in the order in which a browser runs them.
    ///
    /// - Parameters:
    ///   - first: The name of the module.
    ///   - modules: The texts of all modules by their names.
    /// - Returns: The script, without imports, exports, indentation and lines of comments.
    package static func joined(from first: String, _ modules: [String: String]) -> String {
        var seen: Set<String> = []
        return collect(first, modules, &seen).map(\.text).joined()
    }

    /// Joins the modules of a script, and those of a second one that is loaded later and uses the names of the first.
    ///
    /// - Parameters:
    ///   - first: The name of the first script, and of its module.
    ///   - second: The name of the second script, and of its module, whose exports stay.
    ///   - modules: The texts of all modules by their names.
    /// - Returns: Both scripts by their names; the first one exports what the second one imports.
    package static func pair(_ first: String, _ second: String, _ modules: [String: String]) -> [String: String] {
        var seen: Set<String> = []
        let early = collect(first, modules, &seen).map(\.text).joined()
        let ofFirst = seen
        let late = collect(second, modules, &seen, keepsExports: true)
        let used = late.flatMap(\.imports).filter { ofFirst.contains($0.module) }.flatMap(\.names)
        let names = Set(used).sorted().joined(separator: ", ")
        return [
            first: early + "export { \(names) }\n",
            second: "import { \(names) } from './\(first)'\n" + late.map(\.text).joined(),
        ]
    }

    /// A module behind all that it imports, without those that were seen.
    private static func collect(
        _ name: String, _ modules: [String: String], _ seen: inout Set<String>, keepsExports: Bool = false
    ) -> [Module] {
        guard seen.insert(name).inserted, let module = modules[name].map({ read($0, keepsExports: keepsExports) })
        else { return [] }
        var all: [Module] = []
        for imported in module.imports { all += collect(imported.module, modules, &seen) }
        return all + [module]
    }

    private static func read(_ text: String, keepsExports: Bool) -> Module {
        var module = Module()
        var names = ""
        var isImport = false
        for line in text.split(separator: "\n") {
            isImport = isImport || line.hasPrefix("import ") || line.hasPrefix("export * ")
            if isImport {
                names += line
                guard let from = names.firstRange(of: " from './") else { continue }
                let list = names[..<from.lowerBound].drop { $0 != "{" }.filter { !"{}\n".contains($0) }
                module.imports.append(
                    (
                        String(names[from.upperBound...].prefix { $0 != "'" }),
                        list.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
                    ))
                isImport = false
                names = ""
                continue
            }
            let line = line.drop { $0 == " " }
            guard !line.hasPrefix("//") else { continue }
            module.text += !keepsExports && line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
            // The end of a line may end a statement.
            module.text += "\n"
        }
        return module
    }
}
