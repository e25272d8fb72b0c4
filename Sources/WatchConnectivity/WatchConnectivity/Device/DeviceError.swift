#if Processes
    /// Why a device cannot be started, or cannot carry out a request.
    enum DeviceError: Error, Equatable, Sendable {
        /// A file of the device has unexpected contents.
        case unreadable(path: String)
        /// The folder belongs to the other kind of device.
        case otherRole(path: String, isPhone: Bool)
        /// Only a device of this kind can do that.
        case onlyFor(isPhone: Bool)
        /// The device has ended.
        case ended
        /// An endpoint does not have the required form.
        case endpoint(String, reason: String)
    }

    extension DeviceError: CustomStringConvertible {
        /// The error, what it concerns, and what to do about it.
        var description: String {
            switch self {
            case .unreadable(let path):
                "\(path) does not hold what was written there: put a copy of its folder back, or remove the folder to pair "
                    + "anew"
            case .otherRole(let path, let isPhone):
                "\(path) is the state folder of a \(isPhone ? "phone" : "watch"): choose another folder or the other role"
            case .onlyFor(let isPhone):
                "only a \(isPhone ? "phone" : "watch") can do this: call it on the other device"
            case .ended: "the device has ended: start it again"
            case .endpoint(let text, let reason): "\(text) is not an endpoint for a phone to listen at: \(reason)"
            }
        }
    }
#endif
