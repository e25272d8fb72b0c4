/// Why a device cannot be started, or cannot do what was asked of it.
enum DeviceError: Error, Equatable, Sendable {
    /// A file of the device does not hold what it wrote there.
    case unreadable(path: String)
    /// The folder belongs to the other kind of device.
    case otherRole(path: String, isPhone: Bool)
    /// Only a device of this kind can do that.
    case onlyFor(isPhone: Bool)
    /// The device has ended.
    case ended
    /// An endpoint has not the form that is needed.
    case endpoint(String, reason: String)
}

extension DeviceError: CustomStringConvertible {
    /// What is wrong, with which thing, and the way out.
    var description: String {
        switch self {
        case .unreadable(let path):
            "\(path) does not hold what was written there: put a copy of its folder back, or remove the folder to pair "
                + "anew"
        case .otherRole(let path, let isPhone):
            "\(path) is the state folder of a \(isPhone ? "phone" : "watch"): choose another folder or the other role"
        case .onlyFor(let isPhone):
            "only a \(isPhone ? "phone" : "watch") can do this: call it on the other device"
        case .ended: "the device has ended: start it anew"
        case .endpoint(let text, let reason): "\(text) is no endpoint for a phone to listen at: \(reason)"
        }
    }
}
