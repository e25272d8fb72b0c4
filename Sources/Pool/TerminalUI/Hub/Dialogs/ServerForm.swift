import PoolControl
import PoolModel

/// The form of a server.
struct ServerForm: HubForm {
    /// The server; nil for a new one.
    let id: ServerID?

    func form(in context: ScreenContext) -> Form {
        let item = id.flatMap(context.hub.server)
        let server = item?.server
        func text(_ text: String?) -> FormField.Value { .text(TextField(text ?? "")) }
        let fields = [
            FormField("name", "Name", text(server?.name), hint: "What you call it, such as Home broker"),
            FormField("host", "Host", text(server?.host), hint: "A host name or an IP address, such as mqtt.lan"),
            FormField("port", "Port", text("\(server?.port ?? 1883)"), hint: "1883, or 8883 with TLS"),
            FormField(
                "tls", "TLS", .toggle(server?.usesTLS ?? false),
                hint: "Encrypts the connection; the certificate is always verified"),
            FormField("user", "User", text(server?.username), hint: "Empty to connect without one"),
            FormField(
                "password", "Password", .secret(TextField(), isKept: item?.hasPassword ?? false),
                hint: "Sealed at the hub, and never shown"),
            FormField("ca", "Authorities", text(server?.caFile), hint: "A PEM file to trust; empty for the system's"),
            FormField(
                "cert", "Certificate", text(server?.clientCertificate?.certificateFile),
                hint: "The hub's own, if the broker asks for one"),
            FormField("key", "Key", text(server?.clientCertificate?.keyFile), hint: "The key of that certificate"),
            FormField(
                "version", "MQTT",
                .choice(Server.ProtocolVersion.allCases.map(\.rawValue), index: server?.protocolVersion == .v5 ? 1 : 0),
                hint: "3.1.1 works everywhere"),
            FormField(
                "announce", "Announce", text(server?.announcementPrefix),
                hint: "Home Assistant's discovery prefix, such as homeassistant; empty not to announce"),
        ]
        return Form(
            title: server.map { "Server \($0.name.sanitized)" } ?? "New server",
            purpose: "The MQTT broker that your probes publish to.", action: id == nil ? "add" : "save",
            fields: fields)
    }

    /// The files belong to TLS, and the port follows it as long as it is the usual one.
    func adapt(_ form: inout Form) {
        let usesTLS = form["tls"].isOn
        for id in ["ca", "cert", "key"] { form.update(id) { $0.isShown = usesTLS } }
        if form.text("port") == "\(Server.defaultPort(usesTLS: !usesTLS))" {
            form.update("port") { $0.value = .text(TextField("\(Server.defaultPort(usesTLS: usesTLS))")) }
        }
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        var reading = FormReading()
        var port = 0
        do throws(ConfigurationError) {
            port = try Server.port(from: form.text("port"))
        } catch {
            reading.problems["port"] = "\(error)"
        }
        let usesTLS = form["tls"].isOn
        let (certificate, key) = (form.text("cert"), form.text("key"))
        let hasCertificate = usesTLS && !(certificate.isEmpty && key.isEmpty)
        let username = form["user"].text
        let announcement = form.text("announce")
        let caFile = form.text("ca")
        let server = Server(
            id: id ?? ServerID(high: 0, low: 0), name: form.text("name"), host: form.text("host"), port: max(1, port),
            username: username.isEmpty ? nil : username, usesTLS: usesTLS,
            caFile: usesTLS && !caFile.isEmpty ? caFile : nil,
            clientCertificate: hasCertificate ? .init(certificateFile: certificate, keyFile: key) : nil,
            protocolVersion: form["version"].index == 1 ? .v5 : .v3,
            announcementPrefix: announcement.isEmpty ? nil : announcement)
        do throws(ConfigurationError) {
            try server.validate()
        } catch {
            reading.problems[error.formField] = "\(error)"
        }
        if context.hub.servers.contains(where: { $0.server.name == server.name && $0.server.id != id }) {
            reading.problems["name"] = "Another server has this name: choose a different one."
        }
        var patch = ServerPatch(of: server)
        if case .secret(let text, let isKept) = form["password"].value {
            patch.password = !text.text.isEmpty ? text.text : isKept || id == nil ? nil : ""
        }
        if reading.problems.isEmpty {
            reading.command = id.map { .edit(.editServer($0, patch)) } ?? .edit(.addServer(patch))
        }
        return reading
    }
}
