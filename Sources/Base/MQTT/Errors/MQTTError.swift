public import SystemPackage

/// Why a call to this module failed.
///
/// The end of a connection is not an error but a value, see ``Client/EndReason``. No case contains a payload or a
/// password.
@nonexhaustive
public enum MQTTError: Error, Equatable, Sendable {
    /// The text is not a valid topic name.
    case invalidTopicName(String, TextProblem)
    /// The text is not a valid topic filter.
    case invalidTopicFilter(String, TextProblem)
    /// An option or argument is outside its range.
    ///
    /// `value` is the given value, or a placeholder for a secret; `expected` describes the valid values.
    case invalidOption(name: String, value: String, expected: String)
    /// A certificate or key file cannot be read.
    case unreadableFile(path: String, Errno)
    /// There is no connection: the broker has not accepted it yet, or it has ended.
    case notConnected
    /// The payload is longer than 268,435,455 bytes.
    case payloadTooLarge(byteCount: Int)
    /// The packet is larger than the broker accepts.
    case packetTooLarge(byteCount: Int)
    /// The number of unfinished publishes has reached ``Client/Options/maximumOutstandingPublishes``.
    case tooManyOutstanding(limit: Int)
    /// The broker does not accept this quality of service.
    case qualityOfServiceNotSupported(QualityOfService)
    /// This version of MQTT does not have the feature.
    case notSupported(feature: String, ProtocolVersion)
    /// A call to the operating system failed.
    case systemCall(function: String, Errno)
    /// A call to libmosquitto failed for another reason.
    case library(function: String, ResultCode)
}

extension MQTTError {
    /// A constant label of the cause, for logs and metrics.
    public var code: String {
        switch self {
        case .invalidTopicName: "invalid-topic-name"
        case .invalidTopicFilter: "invalid-topic-filter"
        case .invalidOption: "invalid-option"
        case .unreadableFile: "unreadable-file"
        case .notConnected: "not-connected"
        case .payloadTooLarge: "payload-too-large"
        case .packetTooLarge: "packet-too-large"
        case .tooManyOutstanding: "too-many-outstanding"
        case .qualityOfServiceNotSupported: "quality-of-service-not-supported"
        case .notSupported: "not-supported"
        case .systemCall: "system-call"
        case .library: "library"
        }
    }
}

extension MQTTError: CustomStringConvertible {
    /// What failed, on what, and what to do about it.
    public var description: String {
        switch self {
        case .invalidTopicName(let text, let fault): "\(text.asShown) is not a topic name: \(fault)"
        case .invalidTopicFilter(let text, let fault): "\(text.asShown) is not a topic filter: \(fault)"
        case .invalidOption(let name, let value, let expected): "\(name) is \(value), expected \(expected)"
        case .unreadableFile(let path, let error):
            "cannot read \(path): \(error); name an existing PEM file that this user may read"
        case .notConnected: "there is no connection to the broker; publish and subscribe between connected and ended"
        case .payloadTooLarge(let byteCount): "the payload has \(byteCount) bytes; MQTT allows 268435455"
        case .packetTooLarge(let byteCount):
            "the broker does not accept packets as large as this one with \(byteCount) bytes of payload"
        case .tooManyOutstanding(let limit):
            "\(limit) published messages are not acknowledged yet; wait for one of them, or raise the limit"
        case .qualityOfServiceNotSupported(let quality):
            "the broker does not accept QoS \(quality.rawValue); use a lower one"
        case .notSupported(let feature, let version):
            "\(version) has no \(feature); leave it out or use another version"
        case .systemCall(_, let error): "the system refused a connection: \(error)"
        case .library(_, let code): "the MQTT library refused a call: \(code)"
        }
    }
}

/// Turns a result of libmosquitto into success or an error; no other code reads these results.
///
/// ``ResultCode/invalidArgument`` can only mean a missing handle or a wrong pointer, a mistake of this module,
/// because all arguments are checked before. So it is reported with the function's name.
func check(_ function: StaticString, _ result: Int32) throws(MQTTError) {
    switch ResultCode(rawValue: result) {
    case .success: return
    case .notConnected: throw .notConnected
    case let code: throw .library(function: "\(function)", code)
    }
}
