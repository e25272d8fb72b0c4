import CRides

/// The files inside the program: migrations and the page.
enum Files {
    /// Their names in order, with their bytes.
    static let all: [(name: String, bytes: [UInt8])] = (0..<rides_file_count()).map { number in
        let file = unsafe rides_file(number)
        // Both are constants of the program, with the given length.
        let name = unsafe String(cString: file.name)
        return (name, unsafe Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.byte_count))))
    }

    /// The bytes of a file of this program.
    static func named(_ name: String) -> [UInt8] {
        guard let file = all.first(where: { $0.name == name }) else {
            preconditionFailure("the program has no file \(name)")
        }
        return file.bytes
    }
}
