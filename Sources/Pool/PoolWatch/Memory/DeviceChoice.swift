public import PoolModel

/// The device that a watch shows, or why it shows none.
public enum DeviceChoice: Hashable, Sendable {
    /// This device: it is selected on the hub, or was requested here.
    case shown(WatchDevice)
    /// No device is selected on the hub; the names of those that could be selected.
    case noneSelected(known: [String])
    /// The device requested here does not exist, or several match.
    case notFound(ConfigurationError)
    /// The hub's configuration has not arrived yet.
    case noConfiguration

    /// The device; nil if none is shown.
    public var device: WatchDevice? {
        switch self {
        case .shown(let device): device
        case .noneSelected, .notFound, .noConfiguration: nil
        }
    }
}

extension DeviceChoice: CustomStringConvertible {
    /// The name, or one sentence that says why there is none, and what to do about it.
    public var description: String {
        switch self {
        case .shown(let device): device.name
        case .noneSelected(known: []): "The hub has no device yet: add one with `poolsensors device add`."
        case .noneSelected:
            "No device is selected on the hub: select one with `poolsensors device select`, or show one here with "
                + "`--device`."
        case .notFound(let error): "\(error)"
        case .noConfiguration: "The hub's configuration has not arrived yet."
        }
    }
}

extension WatchConfiguration {
    /// The device to show: the requested one, otherwise the selected one.
    func choice(asked text: String?) -> DeviceChoice {
        guard let text else {
            return selectedDevice.map { .shown($0) } ?? .noneSelected(known: devices.map(\.name))
        }
        do throws(ConfigurationError) {
            return .shown(try device(matching: text))
        } catch {
            return .notFound(error)
        }
    }
}
