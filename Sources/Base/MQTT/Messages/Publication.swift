/// An outgoing message, as the caller gave it.
struct Publication: Sendable {
    let payload: [UInt8]
    let topic: TopicName
    let qualityOfService: QualityOfService
    let isRetained: Bool
    let properties: MessageProperties
}
