import Foundation
import Testing

/// Clients of the shapes that published ones have, as two processes.
@Suite(.timeLimit(.minutes(20)))
struct ClientProcessTests {
    private let world: AppWorld

    init() throws {
        world = try AppWorld()
    }

    // Demands 13, 14 and 20 of the clients: no completion is lost that is stored when the call has returned.
    @Test func `completions that are kept by their transfers are all called`() async throws {
        let (phone, watch) = try await world.clients("keyed", file: try world.file("sent", byteCount: 1000))
        for app in [phone, watch] {
            try await app.line("client received {}")
            for number in 0..<20 { try await app.line("client queued \(number) success()") }
            for number in 0..<20 { try await app.line("client info \(number)") }
            try await app.line("client sent success()")
            try await app.line("client message live")
            try await app.line("client file success()")
        }
    }

    // Demands 11 and 15: the main queue may be waited for, and properties are observed by their key paths.
    @Test func `a client may wait for the main queue while it receives a file, and observes progress`() async throws {
        let (phone, watch) = try await world.clients("notifying", file: try world.file("sent", byteCount: 200_000))
        for app in [phone, watch] {
            try await app.line("client activated")
            try await app.line("client state 2")
            try await app.line("client context true")
            try await app.line("client file true true {\"part\":1}")
            try await app.line("client complete")
            try await app.line("client finished none false")
        }
    }

    // Demands 2, 6, 7, 10 and 21: mocks that override, protocols over the session, Sendable handlers, errors by pattern.
    @Test func `requests are awaited on the main actor, and a session can be replaced by a subclass`() async throws {
        let (phone, watch) = try await world.clients("awaiting")
        for app in [phone, watch] {
            try await app.line("client deaf")
            for number in 0..<5 { try await app.line("client sum \(number + 10)") }
            try await app.line("client direct {\"direct\":true}")
        }
    }
}
