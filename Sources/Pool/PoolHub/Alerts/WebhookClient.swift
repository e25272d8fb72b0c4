import Crypto
import Foundation
import PoolModel

/// Sends notices to web addresses by HTTP POST, signed.
///
/// Only the status of the answer counts.
struct WebhookClient: Sendable {
    /// The header with the time of sending, in whole seconds since 1970.
    static let timeHeader = "X-PoolSensors-Timestamp"
    /// The header with `sha256=` and the signature in hexadecimal digits.
    static let signatureHeader = "X-PoolSensors-Signature"
    /// The header with the id of the notice.
    static let noticeHeader = "X-PoolSensors-Notice"

    /// Sends the requests.
    let poster: HTTPPoster

    /// Posts a notice.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - address: The address; `http` or `https`.
    ///   - secret: The secret that signs it; nil for unsigned.
    ///   - moment: The time of sending.
    /// - Returns: The result; a status of 200…299 is a success.
    func post(_ notice: AlertNotice, to address: String, secret: String?, sentAt moment: Timestamp) async
        -> AlertOutcome
    {
        guard let url = URL(string: address) else { return .failed("\(address) is not an address") }
        let body = notice.body
        let seconds = moment.milliseconds.flooredSeconds
        var headers = [
            "Content-Type": "application/json", Self.noticeHeader: notice.id, Self.timeHeader: "\(seconds)",
        ]
        if let secret { headers[Self.signatureHeader] = Self.signature(of: body, secret: secret, sentAt: moment) }
        switch await poster.post(body, to: url, headers: headers) {
        case .answer(let answer):
            return (200...299).contains(answer.status)
                ? .delivered : .failed("the receiver answered with status \(answer.status)")
        case .none(let reason): return .failed(reason)
        }
    }

    /// The value of the signature's header.
    static func signature(of body: [UInt8], secret: String, sentAt moment: Timestamp) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: WebhookBody.signatureInput(sentAt: moment, body: body),
            using: SymmetricKey(data: Array(secret.utf8)))
        return "sha256=" + Hexadecimal.text(code)
    }
}

extension Int64 {
    /// The whole seconds of milliseconds, rounded down.
    fileprivate var flooredSeconds: Int64 { self / 1000 - (self % 1000 < 0 ? 1 : 0) }
}
