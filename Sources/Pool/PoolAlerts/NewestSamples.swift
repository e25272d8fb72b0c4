import PoolModel

/// The newest sample of each quantity.
struct NewestSamples: Sendable {
    private struct Subject: Hashable, Comparable, Sendable {
        var deviceID: DeviceID
        var quantity: Quantity

        static func < (one: Subject, other: Subject) -> Bool {
            (one.deviceID, one.quantity.rawValue) < (other.deviceID, other.quantity.rawValue)
        }
    }

    private var samples: [Subject: AlertSample] = [:]

    /// All samples, in the order of their devices and quantities.
    var all: [AlertSample] { samples.sorted { $0.key < $1.key }.map(\.value) }

    /// The sample of a key's quantity; nil for none.
    func sample(of key: AlertKey) -> AlertSample? {
        guard case .value(let device, let quantity, _) = key else { return nil }
        return samples[Subject(deviceID: device, quantity: quantity)]
    }

    /// Keeps a sample, and returns the one before it.
    mutating func replace(with sample: AlertSample) -> AlertSample? {
        let subject = Subject(deviceID: sample.deviceID, quantity: sample.quantity)
        let previous = samples[subject]
        if previous != nil || samples.count < AlertRecord.countMax { samples[subject] = sample }
        return previous
    }

    /// Changes the limits of a sample, and returns it; nil if there is none.
    mutating func change(_ limits: Limits, _ device: DeviceID, _ quantity: Quantity) -> AlertSample? {
        let subject = Subject(deviceID: device, quantity: quantity)
        samples[subject]?.limits = limits
        return samples[subject]
    }

    /// Gives the samples of a device its present name.
    mutating func rename(_ device: DeviceID, _ name: String) {
        for subject in samples.keys where subject.deviceID == device { samples[subject]?.deviceName = name }
    }

    /// Removes the samples of a device.
    mutating func remove(_ device: DeviceID) {
        samples = samples.filter { $0.key.deviceID != device }
    }
}
