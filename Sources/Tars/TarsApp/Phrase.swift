package import Appliances

/// The words of the faces.
extension Phrase {
    package static let phoneNear = Phrase("phone near", "téléphone à portée", "휴대폰 연결됨")
    package static let phoneAway = Phrase("phone out of reach", "téléphone hors de portée", "휴대폰에 연결할 수 없음")
    package static let waiting = Phrase("waiting for the phone …", "en attente du téléphone …", "휴대폰을 기다리는 중 …")
    package static let noRoom = Phrase("No room", "Sans pièce", "방 없음")
    package static let old = Phrase("old", "d'âge", "전")
    package static let near = Phrase("near", "à portée", "가까움")
    package static let offline = Phrase("offline", "hors ligne", "오프라인")
    package static let gone = Phrase("is gone", "n'existe plus", "없어짐")
    package static let keys = Phrase(
        "↑↓ choose  Enter act  h hold  r rename  1-9 shortcut  q end",
        "↑↓ choisir  Entrée agir  h maintenir  r renommer  1-9 raccourci  q finir",
        "↑↓ 선택  Enter 실행  h 길게  r 이름  1-9 단축키  q 끝")
    package static let confirm = Phrase(
        "c confirms, any other key does not", "c confirme, toute autre touche annule", "c 확인, 다른 키는 취소")
    package static let newName = Phrase("New name: ", "Nouveau nom : ", "새 이름: ")
    package static let holdTime = Phrase("Hold for: ", "Maintenir pendant : ", "누르는 시간: ")
}
