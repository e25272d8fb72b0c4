/// An archive that every system opens.
///
/// Source: POSIX.1-1988, ustar: a header of 512 bytes, then the contents, filled up to 512 bytes.
package enum TarArchive {
    /// The end of an archive.
    package static let end = [UInt8](repeating: 0, count: 1024)

    /// A file with its header, filled up.
    /// - Precondition: The name has at most 100 bytes.
    package static func entry(_ name: String, _ bytes: [UInt8], at seconds: Int64) -> [UInt8] {
        precondition(name.utf8.count <= 100, "\(name) is too long for an archive")
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ place: Int) {
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        func octal(_ number: Int64, _ digits: Int) -> String {
            let text = String(max(0, number), radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, 0)
        put(octal(0o600, 7), 100)
        put(octal(0, 7), 108)
        put(octal(0, 7), 116)
        put(octal(Int64(bytes.count), 11), 124)
        put(octal(seconds, 11), 136)
        put("        ", 148)
        put("0", 156)
        put("ustar\u{0}00", 257)
        put(octal(header.reduce(0) { $0 + Int64($1) }, 6) + "\u{0} ", 148)
        let rest = (512 - bytes.count % 512) % 512
        return header + bytes + [UInt8](repeating: 0, count: rest)
    }
}
