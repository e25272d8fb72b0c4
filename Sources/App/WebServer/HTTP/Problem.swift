package import SyncCore
package import Text

/// Why a request is refused, by RFC 9457: what is wrong with which member and value, and the way out.
package struct Problem: Error, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    package enum Kind: String, CaseIterable, Sendable {
        case badRequest = "bad-request"
        case noSession = "no-session"
        case wrongPassword = "wrong-password"
        case forbidden
        case confirmPassword = "confirm-password"
        case wrongOrigin = "wrong-origin"
        case missing
        case wrongMethod = "wrong-method"
        case refused
        case changed
        case tooLarge = "too-large"
        case wrongType = "wrong-type"
        case wrongHost = "wrong-host"
        case wrongMember = "wrong-member"
        case noPrecondition = "no-precondition"
        case tooMany = "too-many"
        case failed
        case hubAbsent = "hub-absent"
        case accountsAbsent = "accounts-absent"
        case storeAbsent = "store-absent"

        package var status: Int {
            switch self {
            case .badRequest: 400
            case .noSession, .wrongPassword: 401
            case .forbidden, .confirmPassword, .wrongOrigin: 403
            case .missing: 404
            case .wrongMethod: 405
            case .refused: 409
            case .changed: 412
            case .tooLarge: 413
            case .wrongType: 415
            case .wrongHost: 421
            case .wrongMember: 422
            case .noPrecondition: 428
            case .tooMany: 429
            case .failed: 500
            case .hubAbsent, .accountsAbsent, .storeAbsent: 503
            }
        }

        package var title: String {
            switch self {
            case .badRequest: "The request is wrong"
            case .noSession: "No session"
            case .wrongPassword: "Wrong name or password"
            case .forbidden: "Not allowed"
            case .confirmPassword: "The password is needed"
            case .wrongOrigin: "The request comes from another site"
            case .missing: "It does not exist"
            case .wrongMethod: "The method is wrong"
            case .refused: "Refused"
            case .changed: "It has changed"
            case .tooLarge: "Too large"
            case .wrongType: "The type of the body is wrong"
            case .wrongHost: "The host is not this server"
            case .wrongMember: "A member is wrong"
            case .noPrecondition: "If-Match is missing"
            case .tooMany: "Too many requests"
            case .failed: "The server failed"
            case .hubAbsent: "The hub does not run"
            case .accountsAbsent: "The accounts cannot be used"
            case .storeAbsent: "The database cannot be reached"
            }
        }
    }

    /// The kind.
    package var kind: Kind
    /// One sentence with the thing, the value and the way out.
    package var detail: String
    /// The sentence in French, for those that people see on the page; nil for others.
    package var french: String?
    /// The member, parameter or header that is wrong.
    package var member: String?
    /// Its value.
    package var value: String?
    /// In how many seconds it may work.
    package var retryAfter: Int?
    /// The methods of the path.
    package var allowed: [String] = []
    /// The resource as it is now, in JSON.
    package var present: String?

    package init(_ kind: Kind, _ detail: String, french: String? = nil, member: String? = nil, value: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.french = french
        self.member = member
        self.value = value.map { ControlCharacter.replaced(in: $0.shortened) }
    }

    package var description: String { detail }

    /// The answer, in a language if the problem has a sentence in it; its type is named after the app.
    package func response(of app: AppName, in language: TextLanguage = .english) -> WebResponse {
        let translated = french.flatMap { language == .french ? $0 : nil }
        let body = Body(
            type: "urn:\(app.text):problem:\(kind.rawValue)", title: kind.title, status: kind.status,
            detail: translated ?? detail,
            member: member, value: value)
        var text = String(decoding: CanonicalJSON.bytes(ofEncodable: body), as: UTF8.self)
        if let present { text = "{\"present\":\(present)," + text.dropFirst() }
        var response = WebResponse(kind.status, .bytes(Array(text.utf8)), type: "application/problem+json")
        if translated != nil { response = response.with("content-language", language.code) }
        if let retryAfter { response = response.with("retry-after", "\(retryAfter)") }
        if !allowed.isEmpty { response = response.with("allow", allowed.joined(separator: ", ")) }
        if kind == .noSession { response = response.with("www-authenticate", "Bearer") }
        return response
    }

    private struct Body: Encodable {
        var type: String
        var title: String
        var status: Int
        var detail: String
        var member: String?
        var value: String?
    }
}
