// The types of ZeroMQ are exported that stand in the interface of this module, so that a program imports this one alone.

import Logging

@_exported public import enum ZeroMQ.CurveKeyError
@_exported public import struct ZeroMQ.CurveKeyPair
@_exported public import struct ZeroMQ.CurvePublicKey
@_exported public import struct ZeroMQ.CurveSecretKey
@_exported public import struct ZeroMQ.Endpoint
@_exported public import enum ZeroMQ.EndpointError
@_exported public import enum ZeroMQ.ZeroMQError

extension Logger {
    /// A logger that discards everything.
    static var discarding: Logger { Logger(label: "discarding") { _ in SwiftLogNoOpLogHandler() } }
}
