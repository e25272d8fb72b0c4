package import CPageKit
import SyncCore
import Text

/// What the scripts of all pages have in common: elements and how they are brought up to date (`dom.js`), requests and their
/// problems (`api.js`), forms (`form.js`), and what comes before a page: the first account, the login, a link (`login.js`).
///
/// A page adds `words.js` with its languages, `store.js` with what it knows, and `kit.js`, which exports all of them.
package enum PageKit {
    private static let texts = read().mapValues { String(decoding: $0, as: UTF8.self) }

    private static func read() -> [String: [UInt8]] {
        (0..<page_kit_file_count()).reduce(into: [:]) { files, number in
            let (name, bytes) = unsafe contents(of: page_kit_file(number))
            files[name] = bytes
        }
    }

    /// The texts of the modules by their names.
    package static let modules = texts.filter { $0.key.hasSuffix(".js") }

    /// The members of an object in the document of the API that all pages have: `components` or `schemas`.
    static func members(_ name: String, of product: WebProduct) -> String {
        let words = [
            "app": product.app.text, "noun": product.scope.noun, "plural": product.scope.plural,
            "member": product.scope.member,
        ]
        let object = texts["\(name).json"]?.trimmedOfBlanks.dropFirst().dropLast() ?? ""
        return words.reduce(String(object)) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The name and the bytes of a file that is in the program.
    package static func contents(of file: page_file) -> (name: String, bytes: [UInt8]) {
        // Both are constants of the program, with the given length.
        let name = unsafe String(cString: file.name)
        return unsafe (name, Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.byte_count))))
    }
}
