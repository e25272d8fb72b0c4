import Foundation
import Platform
import PoolAlerts
import PoolModel

/// Sends notices to the services of `PhoneService.table`.
///
/// While a service asks to wait, nothing is sent to it. No secret is in any result.
final class PhoneClient: Sendable {
    private let poster: HTTPPoster
    private let secrets: Secrets
    /// Until when each address asks to wait, by the monotonic clock in milliseconds.
    private let pauses = Lock<[String: Int64]>([:])

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - secrets: Where the secrets of the services are.
    ///   - poster: Sends the requests.
    init(secrets: Secrets, poster: HTTPPoster) {
        self.secrets = secrets
        self.poster = poster
    }

    /// Sends a notice.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - service: The service.
    ///   - settings: The settings of the service.
    ///   - language: The language of the texts.
    ///   - moment: The time of sending.
    /// - Returns: The verdict, in words for a person.
    func send(
        _ notice: AlertNotice, to service: PhoneService, _ settings: PhoneSettings, in language: TextLanguage,
        at moment: AlertTime
    ) async -> PhoneVerdict {
        let address = service.address(in: settings)
        if let seconds = remainingSeconds(address, at: moment) {
            return .failed("\(service.name) at \(address) asked to wait \(seconds) s more", retryAfterSeconds: seconds)
        }
        let known: [String: String]
        do {
            known = try secrets.secrets(of: service, at: address)
        } catch {
            return .failed("\(error)", retryAfterSeconds: nil)
        }
        if let missing = service.secretFields.first(where: { $0.isRequired && known[$0.name] == nil }) {
            return .refused(
                "\(service.name) needs \(missing.meaning) for \(address): give it with `poolsensors alerts channel "
                    + "\(service.channel.rawValue) --secret-file \(missing.name)=FILE`")
        }
        let request = service.request(for: notice, in: language, to: PhoneAccount(settings, secrets: known))
        guard let url = URL(string: address + request.path) else {
            return .refused("\(service.name): \(Excerpt(address)) is not an address")
        }
        switch await poster.post(request.body, to: url, headers: request.headers) {
        case .none(let reason):
            return .failed("\(service.name) at \(address): \(reason.hiding(known.values))", retryAfterSeconds: nil)
        case .answer(let answer):
            let verdict = service.verdict(
                status: answer.status, retryAfter: answer.retryAfter?.hiding(known.values),
                body: Array(String(decoding: answer.body, as: UTF8.self).hiding(known.values).utf8), settings,
                at: moment.wall)
            if case .failed(_, let seconds?) = verdict, seconds > 0 {
                let longest = Int64(min(seconds, Self.longestPauseSeconds)) * 1000
                pauses.withLock { $0[address] = moment.uptimeMilliseconds + longest }
            }
            return verdict
        }
    }

    /// The longest pause that a service may ask for, in seconds.
    private static let longestPauseSeconds = 3600

    private func remainingSeconds(_ address: String, at moment: AlertTime) -> Int? {
        pauses.withLock { pauses in
            guard let until = pauses[address], until > moment.uptimeMilliseconds else {
                pauses[address] = nil
                return nil
            }
            return Int((until - moment.uptimeMilliseconds + 999) / 1000)
        }
    }
}

extension PhoneVerdict {
    /// The verdict for the alert engine.
    var outcome: AlertOutcome {
        switch self {
        case .accepted: .delivered
        case .failed(let reason, let seconds): .failed(reason, retryAfterSeconds: seconds ?? 0)
        case .refused(let reason): .refused(reason)
        }
    }
}

extension String {
    /// The text without secrets, which a service may repeat in its answer.
    fileprivate func hiding(_ secrets: some Sequence<String>) -> String {
        secrets.reduce(self) { $1.isEmpty ? $0 : $0.replacing($1, with: "…") }
    }
}
