import Testing

@testable import ZeroMQ

@Suite struct MessageTests {
    @Test(arguments: [0, 1, 33, 34, 5000])
    func `the bytes stay where they are when the owner moves`(byteCount: Int) {
        let bytes = [UInt8](repeating: 5, count: byteCount)
        let message = Message(bytes)
        let moved = message

        #expect(moved.byteCount == byteCount)
        #expect(moved.bytes == bytes)
        let sum = moved.withBytes { bytes in bytes.indices.reduce(0) { $0 + Int(bytes[$1]) } }
        #expect(sum == 5 * byteCount)
        #expect(moved.hasMore == false)
        #expect(moved.userID == nil)
    }

    @Test func `a shared message outlives the original`() {
        var copy = Message()
        do {
            let original = Message([UInt8](repeating: 3, count: 100))
            copy = original.share()
        }
        #expect(copy.bytes == [UInt8](repeating: 3, count: 100))
    }

    @Test func `frames can be received one by one without a copy`() throws {
        let context = try Context()
        let left = try Socket(context, .pair)
        let right = try Socket(context, .pair)
        try right.connect(to: left.bind(endpoint("inproc://pair")))
        var message = Message()
        #expect(try right.receiveFrame(into: &message) == false)

        #expect(try left.send([[1], [UInt8](repeating: 2, count: 1000)]) == .sent)

        #expect(try right.receiveFrame(into: &message))
        #expect(message.bytes == [1])
        #expect(message.hasMore == true)
        #expect(try right.receiveFrame(into: &message))
        #expect(message.byteCount == 1000)
        #expect(message.hasMore == false)
        #expect(try right.receiveFrame(into: &message) == false)
    }

    @Test func `a body that throws says so`() {
        struct Refused: Error, Equatable {}
        let message = Message([1])
        var thrown: Refused?
        do throws(Refused) {
            try message.withBytes { (_) throws(Refused) in throw Refused() }
        } catch {
            thrown = error
        }
        #expect(thrown == Refused())
    }

    @Test func `a routing id has 1 to 255 bytes, and prints as hexadecimal`() {
        #expect(RoutingID([]) == nil)
        #expect(RoutingID([UInt8](repeating: 1, count: 255)) != nil)
        #expect(RoutingID([UInt8](repeating: 1, count: 256)) == nil)
        #expect(RoutingID([0, 0x2A, 0xFF])?.description == "002aff")
    }
}
