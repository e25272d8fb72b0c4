import PoolModel
import SyncStore
import Vault

/// The secrets of the hub: the servers' passwords, the secrets that sign webhooks, and those of services for phones.
struct Secrets: Sendable {
    private let sealed: SealedSecrets

    /// Creates the secrets of a hub's folder.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - keys: The folder of the key.
    init(_ folder: StateFolder, keys: StateFolder) {
        sealed = SealedSecrets(
            folder, keys: keys, purpose: "poolsensors secrets 1",
            replacement: "enter each password again with `poolsensors server edit NAME --password-stdin`")
    }

    /// The name of a secret.
    enum Name: Hashable, Sendable {
        /// The password of a server.
        case password(ServerID)
        /// The secret that signs webhooks under a name.
        case signing(String)
        /// A field of a service for phones.
        ///
        /// It belongs to the address of a server: a secret never goes to another one, even if somebody changes the settings.
        case phone(AlertChannel, field: String, address: String)

        /// The name in the sealed file.
        var text: String {
            switch self {
            case .password(let server): "server/\(server)"
            case .signing(let name): "webhook/\(name)"
            case .phone(let channel, let field, let address): "phone/\(channel.rawValue)/\(field)/\(address)"
            }
        }
    }

    /// The secrets with these names; missing ones are left out.
    ///
    /// - Throws: As ``password(of:)``.
    func secrets(named names: some Sequence<Name>) throws -> [Name: String] {
        let all = try sealed.all()
        return Dictionary(names.compactMap { name in all[name.text].map { (name, $0) } }) { first, _ in first }
    }

    /// Stores secrets, and removes those that are nil, all at once.
    ///
    /// - Throws: As ``password(of:)``; then nothing is changed.
    func keep(_ secrets: [Name: String?]) throws {
        try sealed.keep(Dictionary(secrets.map { ($0.key.text, $0.value) }) { first, _ in first })
    }

    /// The password of a server; nil if there is none.
    ///
    /// - Throws: `FolderError` and ``SecretsError``.
    func password(of server: ServerID) throws -> String? {
        try sealed.all()[Name.password(server).text]
    }

    /// Stores the password of a server; nil removes it.
    ///
    /// - Throws: As ``password(of:)``.
    func setPassword(_ password: String?, of server: ServerID) throws {
        try keep([.password(server): password])
    }

    /// The secret that signs webhooks under a name; nil if there is none.
    ///
    /// - Throws: As ``password(of:)``.
    func signingSecret(named name: String) throws -> String? {
        try sealed.all()[Name.signing(name).text]
    }

    /// Stores a secret that signs webhooks; nil removes it.
    ///
    /// - Throws: As ``password(of:)``.
    func setSigningSecret(_ secret: String?, named name: String) throws {
        try keep([.signing(name): secret])
    }

    /// The secrets of a service at an address, by their fields.
    ///
    /// - Throws: As ``password(of:)``.
    func secrets(of service: PhoneService, at address: String) throws -> [String: String] {
        let all = try sealed.all()
        return service.secretFields.reduce(into: [:]) { secrets, field in
            secrets[field.name] = all[Name.phone(service.channel, field: field.name, address: address).text]
        }
    }
}
