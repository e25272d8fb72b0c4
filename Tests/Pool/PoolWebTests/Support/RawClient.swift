import Foundation
import Platform
import TestSupport

/// A TCP connection of a hostile or honest client: bytes out, bytes in, nothing of HTTP.
final class RawClient: Sendable {
    struct Failed: Error {}

    private let descriptor: Int32

    /// A send on a closed connection is an error, not a signal.
    private static var noSignal: Int32 {
        #if canImport(Glibc)
            Int32(MSG_NOSIGNAL)
        #else
            0
        #endif
    }

    /// Connects to a port of this machine; `receiveByteCount` makes the window small.
    init(port: Int, receiveByteCount: Int32? = nil) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        if var size = receiveByteCount {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failed()
        }
    }

    deinit { close(descriptor) }

    /// Sends a text; false if the server has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool {
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Reads until a condition is met, or the server closes the connection.
    func read(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) async throws -> String {
        try await runOnThread(stop: {}) { [self] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Sends a request and reads the answer to the end of the connection.
    static func ask(
        _ port: Int, _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> (status: Int, headers: [String: String], body: String) {
        let client = try RawClient(port: port)
        var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n" }
        client.send(text + "\r\n" + body)
        let answer = try await client.read()
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].lowercased()
            let value = pair[1].drop(while: { $0 == " " }).description
            // A response may set several cookies, one a line.
            fields[name] = fields[name].map { "\($0)\n\(value)" } ?? value
        }
        return (status, fields, parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
}
