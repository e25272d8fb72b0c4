/// The delivery guarantee of a message.
///
/// Source: MQTT 5.0, section 4.3 "Quality of Service levels and protocol flows".
public enum QualityOfService: UInt8, CaseIterable, Sendable {
    /// QoS 0: sent once; lost if the connection breaks.
    case atMostOnce = 0
    /// QoS 1: sent again until it is acknowledged; may arrive more than once.
    case atLeastOnce = 1
    /// QoS 2: arrives exactly once, as long as neither end loses its state.
    ///
    /// A client of libmosquitto loses it when its process ends.
    case exactlyOnce = 2
}

extension QualityOfService: Comparable {
    /// Whether the left level guarantees less.
    public static func < (left: QualityOfService, right: QualityOfService) -> Bool { left.rawValue < right.rawValue }
}
