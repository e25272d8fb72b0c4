import PoolControl

/// What removing a server needs.
enum ServerRemoval: Equatable {
    /// The question for the person, before the server alone is removed.
    case server(question: String)
    /// The question for the person, before the server and its devices are removed.
    case cascade(question: String)
    /// It has devices, and their removal was not requested; the sentence says so.
    case blocked(String)

    /// Plans the removal of a server with these devices.
    init(server: String, devices: [String], withDevices: Bool) {
        let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
        let noun = devices.count == 1 ? "device" : "devices"
        if devices.isEmpty {
            self = .server(question: "Remove the server \"\(server)\"?")
        } else if withDevices {
            self = .cascade(question: "Remove the server \"\(server)\" and its \(noun) \(names)?")
        } else {
            self = .blocked("\(HubRequestError.serverHasDevices(server: server, devices: devices))")
        }
    }
}
