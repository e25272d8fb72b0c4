/// The limits of a mapping, so that it fits into the configuration and messages are cheap to decode.
package enum MappingLimits {
    static let valueCountRange = 1...64
    static let availabilityCountMax = 8
    static let heartbeatCountMax = 8
    static let sentinelCountMax = 16
    static let conditionCountMax = 8
    package static let wordCountMax = 32
    static let wordByteCountMax = 256
    static let pathStepCountMax = 16
    static let keyByteCountMax = 256
    static let topicByteCountMax = 1024
    static let profileByteCountMax = 64
    static let encodedByteCountMax = 16_384
}
