import SyncCore
import ZeroMQ

/// The keys of a run.
///
/// Both processes compute the same ones; they protect nothing.
enum BenchKeys {
    static func hub() throws -> CurveKeyPair { try pair(0) }

    static func watch(_ number: Int) throws -> CurveKeyPair { try pair(UInt64(number) + 1) }

    private static func pair(_ number: UInt64) throws -> CurveKeyPair {
        var generator = SplitMix64(seed: 0x62_656E_6368).stream(number)
        let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        return try CurveKeyPair(secretKey: try CurveSecretKey(bytes: bytes))
    }
}

/// The socket options of both sides: the same as those of the transports.
///
/// The bare side uses libzmq's heartbeats to notice within seconds that the other end is gone. The engine uses its own
/// pings for that, as its transports do.
enum BenchSockets {
    static func hub() throws -> SocketOptions {
        var options = SocketOptions()
        options.maxMessageSize = 1_048_576
        options.handshakeInterval = .seconds(5)
        options.heartbeat = heartbeat
        options.backlog = 4096
        options.security = .curveServer(secretKey: try BenchKeys.hub().secretKey, zapDomain: "")
        return options
    }

    static func watch(_ number: Int, isRaw: Bool = true) throws -> SocketOptions {
        var options = SocketOptions()
        options.maxMessageSize = 1_048_576
        options.handshakeInterval = .seconds(5)
        if isRaw { options.heartbeat = heartbeat }
        options.security = .curveClient(
            keyPair: try BenchKeys.watch(number), serverKey: try BenchKeys.hub().publicKey)
        return options
    }

    private static let heartbeat = SocketOptions.Heartbeat(
        interval: .seconds(2), timeout: .seconds(6), timeToLive: .seconds(6))
}
