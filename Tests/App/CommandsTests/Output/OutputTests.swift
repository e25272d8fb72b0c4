import Foundation
import Testing

@testable import Commands

@Suite struct OutputTests {
    @Test func `what a slow reader cannot take at once is written when it can`() async throws {
        let pipe = Pipe()
        let writingEnd = pipe.fileHandleForWriting.fileDescriptor
        // So each write takes only what there is room for.
        try #require(fcntl(writingEnd, F_SETFL, O_NONBLOCK) == 0)
        let text = (0..<40_000).map { "line \($0)\n" }.joined()
        let reading = Task.detached { try pipe.fileHandleForReading.readToEnd() }

        Output(descriptor: writingEnd).write(text)
        try pipe.fileHandleForWriting.close()

        #expect(try await reading.value == Data(text.utf8))
    }
}
