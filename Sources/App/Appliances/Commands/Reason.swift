/// Why a command was not carried out (T41).
///
/// As text and in JSON it is its code, such as `busy`, and `lockedOut 1780315200250` with the end in milliseconds.
package enum Reason: Hashable, Sendable {
    case deviceOffline, hubOffline, brokerOffline
    /// The watch does not reach the phone.
    case phoneUnreachable
    case busy, lowBattery, wrongPIN
    /// Too many wrong PINs; the next is taken at this time.
    case lockedOut(until: Timestamp)
    case unsupported, notGranted, cancelled, timeout
    /// The device answered that it does not do it now, such as for want of a password or of a calibration.
    case denied
    /// Nobody knows whether the device is there, and the broker would give it the command whenever it comes.
    case presenceUnknown

    private struct Row {
        var reason: Reason
        var code: String
        var words: Phrase

        init(reason: Reason, code: String, english: String, french: String, korean: String) {
            (self.reason, self.code, words) = (reason, code, Phrase(english, french, korean))
        }
    }

    private static let rows = [
        Row(
            reason: .deviceOffline, code: "deviceOffline", english: "device offline", french: "appareil hors ligne",
            korean: "기기 오프라인"),
        Row(
            reason: .hubOffline, code: "hubOffline", english: "hub offline", french: "passerelle hors ligne",
            korean: "허브 오프라인"),
        Row(
            reason: .brokerOffline, code: "brokerOffline", english: "MQTT broker offline",
            french: "serveur MQTT hors ligne", korean: "MQTT 서버 오프라인"),
        Row(
            reason: .phoneUnreachable, code: "phoneUnreachable", english: "phone out of reach",
            french: "téléphone hors de portée", korean: "휴대폰에 연결할 수 없음"),
        Row(
            reason: .busy, code: "busy", english: "busy, try again", french: "occupé, réessayez",
            korean: "사용 중, 다시 시도하세요"),
        Row(
            reason: .lowBattery, code: "lowBattery", english: "battery too low", french: "pile trop faible",
            korean: "배터리 부족"),
        Row(reason: .wrongPIN, code: "wrongPIN", english: "wrong PIN", french: "code PIN erroné", korean: "잘못된 PIN"),
        Row(
            reason: .unsupported, code: "unsupported", english: "it cannot do that", french: "il ne sait pas le faire",
            korean: "지원하지 않는 동작"),
        Row(
            reason: .notGranted, code: "notGranted", english: "this watch may not do that",
            french: "cette montre n'en a pas le droit", korean: "이 시계에 권한이 없음"),
        Row(reason: .cancelled, code: "cancelled", english: "cancelled", french: "annulé", korean: "취소됨"),
        Row(
            reason: .timeout, code: "timeout", english: "no answer in time", french: "pas de réponse à temps",
            korean: "응답 시간 초과"),
        Row(
            reason: .denied, code: "denied", english: "the device refuses", french: "l'appareil refuse",
            korean: "기기가 거부함"),
        Row(
            reason: .presenceUnknown, code: "presenceUnknown",
            english: "not known to be there, and MQTT 3.1.1 could deliver it late",
            french: "présence inconnue, et MQTT 3.1.1 pourrait livrer trop tard",
            korean: "기기의 연결 여부를 알 수 없고 MQTT 3.1.1은 늦게 전달할 수 있음"),
    ]

    /// Every reason but the lock-out.
    package static var plain: [Reason] { rows.map(\.reason) }

    private static let lockCode = "lockedOut"

    /// The reason for people.
    ///
    /// - Parameters:
    ///   - language: Their language.
    ///   - now: The time, from which a lock-out counts.
    /// - Returns: Some words without a full stop.
    package func words(in language: HomeLanguage, now: Timestamp) -> String {
        guard case .lockedOut(let until) = self else {
            let row = Self.rows.first { $0.reason == self }
            return row?.words.text(in: language) ?? ""
        }
        let seconds = max(1, (until.milliseconds(since: now) + 999) / 1000)
        let wait = DurationText.text(.seconds(seconds))
        return language.pick("locked for \(wait)", "bloqué pendant \(wait)", "\(wait) 동안 잠김")
    }
}

extension Reason: TextCodable {
    /// Reads a code.
    package init(_ text: String) throws(ModelProblem) {
        if let row = Self.rows.first(where: { $0.code == text }) {
            self = row.reason
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0] == Self.lockCode, let milliseconds = Int64(words[1]) else {
            throw ModelProblem("\(Excerpt(text)) is no reason of a refusal")
        }
        self = .lockedOut(until: Timestamp(milliseconds: milliseconds))
    }

    /// The code.
    package var text: String {
        if case .lockedOut(let until) = self { return "\(Self.lockCode) \(until.milliseconds)" }
        return Self.rows.first { $0.reason == self }?.code ?? ""
    }
}
