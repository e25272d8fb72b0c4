import SyncCore

extension SessionSetup {
    /// Finds out whether a session can be set up like this.
    ///
    /// - Throws: ``SessionSetupError`` for the first value that cannot be used.
    public func check() throws(SessionSetupError) {
        try Self.require(!stateFolder.isEmpty, .stateFolder, stateFolder, "name a folder of this device's own")
        try Self.require((1...64).contains(name.utf8.count), .name, name, "use 1 to 64 bytes")
        try Self.require(AppName(app) != nil, .app, app, "use 1 to 64 of a to z, 0 to 9 and full stops")
        try Self.require(meetingFolder != "", .meetingFolder, "", "name a folder that both devices share")
        try Self.require(
            meetingFolder == nil || meetingFolder != stateFolder, .meetingFolder, stateFolder,
            "choose another folder than the device's own")
        if let endpoint {
            try Self.require(
                side == .phone, .endpoint, endpoint, "only a phone listens; a watch learns the place by the code")
            try Self.require(
                endpoint.contains("://") && !endpoint.hasSuffix("://"), .endpoint, endpoint,
                "write it as tcp://127.0.0.1:7100 or ipc:///path/of/a/socket")
        }
        if let invitation {
            // A code is a secret: it is not repeated in an error.
            try Self.require(side == .watch, .invitation, "…", "only a watch pairs by a code")
            try Self.require(!invitation.isEmpty, .invitation, "", "give the code that the phone wrote")
        }
        if let invitationFile {
            try Self.require(side == .phone, .invitationFile, invitationFile, "only a phone writes codes")
        }
        try Self.require(
            (.milliseconds(10)...(.seconds(60))).contains(heartbeat), .heartbeat, "\(heartbeat)",
            "choose 10 ms to 1 min")
        try Self.require(
            (.zero...(.seconds(3_600))).contains(patience), .patience, "\(patience)", "choose 0 ms to 1 h")
        try behaviour.check()
    }

    static func require(
        _ isFit: Bool, _ key: SessionSetupError.Key, _ value: String, _ wayOut: String
    ) throws(SessionSetupError) {
        guard !isFit else { return }
        throw .unusable(key, value: value, wayOut: wayOut)
    }
}

extension SessionBehaviour {
    /// Finds out whether the limits are within their ranges.
    func check() throws(SessionSetupError) {
        func require(_ isFit: Bool, _ name: String, _ value: Any, _ range: String) throws(SessionSetupError) {
            try SessionSetup.require(isFit, .behaviour, "\(name)=\(value)", "choose \(range)")
        }
        try require(messageByteCountMax > 0, "messageByteCountMax", messageByteCountMax, "at least 1 byte")
        try require(userInfoByteCountMax > 0, "userInfoByteCountMax", userInfoByteCountMax, "at least 1 byte")
        try require(contextByteCountMax > 0, "contextByteCountMax", contextByteCountMax, "at least 1 byte")
        try require(
            (.milliseconds(1)...(.seconds(3_600))).contains(replyTimeout), "replyTimeout", replyTimeout, "1 ms to 1 h")
        try require(
            complicationTransfersPerDay >= 0, "complicationTransfersPerDay", complicationTransfersPerDay, "0 or more")
        try require((-50_400...50_400).contains(secondsFromUTC), "secondsFromUTC", secondsFromUTC, "-50400 to 50400")
        try require(messageDelay >= .zero, "messageDelay", messageDelay, "zero or more")
    }
}
