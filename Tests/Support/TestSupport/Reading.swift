public import Foundation

extension FileHandle {
    /// Hands over what comes, until the end.
    ///
    /// A signal that interrupts the wait ends the whole process in Foundation's `availableData` and `readDataToEndOfFile`;
    /// here reading goes on.
    public func readPieces(_ take: (Data) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // The buffer has the given length.
            let count = unsafe Foundation.read(fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            take(Data(buffer.prefix(count)))
        }
    }

    /// All that comes, until the end.
    public func readEverything() -> Data {
        var all = Data()
        readPieces { all += $0 }
        return all
    }
}
