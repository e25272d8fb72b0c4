import Foundation
import ImtModel
import ImtPage
import ImtPhone
import Platform
import TestSupport
import Testing
import Text
import WebServer

/// What the rights of an account open on the page's API.
@Suite struct RightTests {
    @Test(arguments: [[Right.edit], [.photo], [.edit, .photo], []])
    func `IMT36 no right opens anything that names a patient without that of the list`(rights: [Right]) async throws {
        let surgery = try Surgery()
        let (patient, one) = try await surgery.pair(named: "Zebedee")
        let accounts = try AccountStore(folder: surgery.folder.path, product: .imt)
        let administration = AccountAdministration(accounts)
        try await administration.add(name: "boss", password: "sesame-71-sesame", role: .owner, grants: [])
        func token(_ name: String, _ rights: [Right]) async throws -> String {
            try await administration.add(
                name: name, password: "sesame-72-sesame", role: .member,
                grants: rights.map { Grant(scope: $0.rawValue, level: .edit) })
            return try await administration.addToken(of: name, name: "test", scopes: [.read, .write])
        }
        let api = WebAPI(
            settings: WebSettings(product: .imt, hosts: ["imt.test"]), clinic: surgery.clinic, accounts: accounts,
            setupCode: SetupCode { _ in })
        func ask(_ method: String, _ path: String, _ body: String?, _ token: String) async -> (Int, String) {
            var headers = ["host": "imt.test", "authorization": "Bearer \(token)"]
            if body != nil { headers["content-type"] = "application/json" }
            let response = await api.respond(
                to: WebRequest(
                    method: method, target: "/api/v1\(path)", headers: headers, body: Array((body ?? "").utf8)))
            guard case .bytes(let bytes) = response.body else { return (response.status, "stream") }
            return (response.status, String(decoding: bytes, as: UTF8.self))
        }
        let (few, all) = (try await token("few", rights), try await token("all", Right.allCases))
        let requests: [(String, String, String?)] = [
            ("GET", "/patients", nil), ("GET", "/patients?find=Z", nil), ("GET", "/patients/\(patient.id)", nil),
            ("PATCH", "/patients/\(patient.id)", "{}"), ("POST", "/patients", #"{"given":"Eva"}"#),
            ("PATCH", "/transformations/\(one.id)", "{}"),
            ("GET", "/patients/\(patient.id)/export?purpose=clinical", nil),
            ("PUT", "/patients/\(patient.id)/consent", #"{"purpose":"clinical","isGiven":true}"#),
        ]
        for (method, path, body) in requests {
            let (status, text) = await ask(method, path, body, few)
            #expect(status == 403 && !text.contains("Zebedee"), "\(method) \(path): \(status) \(text)")
            let allowed = await ask(method, path, body, all)
            #expect((200...299).contains(allowed.0), "\(method) \(path): \(allowed)")
        }
    }
}
