internal import Foundation
internal import TestSupport

/// The files that a broker is started with.
struct BrokerFiles {
    let folder: TemporaryFolder
    let port: Int

    var configurationPath: String { folder.path("mosquitto.conf") }

    func write(_ configuration: Broker.Configuration) async throws {
        var lines = ["listener \(port) 127.0.0.1", "log_dest stderr", "log_type all", "log_timestamp true"]
        // A broker that is started by root changes to another user, who may not read these files.
        if geteuid() == 0 { lines.append("user root") }
        lines += try await passwordLines(configuration)
        lines += certificateLines(configuration)
        if configuration.isPersistent {
            lines += [
                "persistence true", "persistence_location \(folder.url.path)/", "autosave_on_changes true",
                "autosave_interval 1",
            ]
        }
        if !configuration.accessControlList.isEmpty {
            let list = folder.path("access")
            try write(configuration.accessControlList, to: list)
            lines.append("acl_file \(list)")
        }
        if let topics = configuration.subscribableTopics { lines += try subscriptionLines(topics) }
        try write(lines + configuration.furtherLines, to: configurationPath)
    }

    private func passwordLines(_ configuration: Broker.Configuration) async throws -> [String] {
        guard !configuration.passwords.isEmpty else { return ["allow_anonymous true"] }
        let file = folder.path("passwords")
        try write([], to: file)
        for (user, password) in configuration.passwords {
            try await Tool.mosquittoPassword.run(["-b", file, user, password])
        }
        return ["allow_anonymous false", "password_file \(file)"]
    }

    private func certificateLines(_ configuration: Broker.Configuration) -> [String] {
        guard let certificates = configuration.certificates else { return [] }
        let server =
            configuration.isCertificateExpired
            ? certificates.expired : configuration.shownCertificate ?? certificates.server
        return [
            "cafile \(certificates.authority)", "certfile \(server.certificate)",
            "keyfile \(server.key)", "require_certificate \(configuration.requiresClientCertificate)",
        ]
    }

    /// The configuration of the plugin, with one role for all who come without a name.
    private func subscriptionLines(_ topics: [String]) throws -> [String] {
        let rules = topics.map { topic in
            DynamicSecurity.Rule(acltype: "subscribePattern", topic: topic, priority: 0, allow: true)
        }
        let security = DynamicSecurity(
            defaultACLAccess: [
                "publishClientSend": true, "publishClientReceive": true, "subscribe": false, "unsubscribe": true,
            ],
            roles: [.init(rolename: "anyone", acls: rules)],
            groups: [.init(groupname: "nameless", roles: [["rolename": "anyone"]])], anonymousGroup: "nameless")
        let file = folder.path("security.json")
        try JSONEncoder().encode(security).write(to: URL(filePath: file))
        return ["plugin \(try Tool.dynamicSecurityPath())", "plugin_opt_config_file \(file)"]
    }

    private func write(_ lines: [String], to path: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}

/// The file of mosquitto's plugin for dynamic security, in the plugin's own words.
private struct DynamicSecurity: Encodable {
    struct Rule: Encodable {
        let acltype: String
        let topic: String
        let priority: Int
        let allow: Bool
    }

    struct Role: Encodable {
        let rolename: String
        let acls: [Rule]
    }

    struct Group: Encodable {
        let groupname: String
        let roles: [[String: String]]
    }

    let defaultACLAccess: [String: Bool]
    let roles: [Role]
    let groups: [Group]
    let anonymousGroup: String
}
