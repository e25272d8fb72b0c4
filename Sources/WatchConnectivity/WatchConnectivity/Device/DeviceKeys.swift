#if Processes
    import SyncStore
    import ZeroMQ

    /// The keys of a device, created when its folder is used for the first time.
    enum DeviceKeys {
        private static let name = "device.key"

        static func keys(in folder: StateFolder) throws -> CurveKeyPair {
            guard let bytes = try folder.readSecret(name) else {
                let keys = try CurveKeyPair()
                try folder.writeSecret(name, keys.secretKey.bytes)
                return keys
            }
            do {
                return try CurveKeyPair(secretKey: try CurveSecretKey(bytes: bytes))
            } catch is CurveKeyError {
                throw DeviceError.unreadable(path: folder.path(of: name + ".secret"))
            }
        }
    }
#endif
