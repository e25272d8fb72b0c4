// The languages of the page: English, French and Korean.

const languageKey = 'language'
export const languages = { en: 'English', fr: 'Français', ko: '한국어' }

function remembered() {
 try { return localStorage.getItem(languageKey) } catch { return null }
}

const preferred = navigator.language.slice(0, 2).toLowerCase()
export let language = languages[remembered()] ? remembered() : languages[preferred] ? preferred : 'en'
document.documentElement.lang = language

// Changes the language, and remembers it.
export function speak(code) {
 language = code
 document.documentElement.lang = code
 try { localStorage.setItem(languageKey, code) } catch { /* It is not remembered then. */ }
}

// A text in the language of the page, with values in the places of {0}, {1}…; the Korean one is found by the English one.
export function t(english, french, ...values) {
 const text = language === 'fr' ? french : language === 'ko' ? korean[english] ?? english : english
 return text.replace(/\{(\d)\}/g, (_, place) => values[place])
}

// A number for a field.
export const plain = (value) => (value == null ? '' : String(value))

// The number that was typed; undefined for nothing, NaN for something else.
export function typed(text) {
 const trimmed = text.trim().replace(',', '.')
 return trimmed === '' ? undefined : Number(trimmed)
}

// A span of time in its largest unit.
export function span(seconds) {
 const steps = [[86400, ['d', 'j', '일']], [3600, ['h', 'h', '시간']], [60, ['min', 'min', '분']], [1, ['s', 's', '초']]]
 for (const [size, units] of steps) {
  if (seconds >= size || size === 1) return `${Math.floor(seconds / size)} ${units[Object.keys(languages).indexOf(language)]}`
 }
}

// The words of actions and states.
const wordRows = {
 on: ['on', 'allumer', '켜기'], off: ['off', 'éteindre', '끄기'], toggle: ['switch', 'basculer', '전환'], stop: ['stop', 'arrêter', '정지'],
 lock: ['lock', 'verrouiller', '잠그기'], unlock: ['unlock', 'déverrouiller', '열림'], open: ['unlatch', 'ouvrir la porte', '문 열기'],
 press: ['press', 'appuyer', '누르기'], level: ['brightness', 'luminosité', '밝기'], position: ['position', 'position', '위치'],
 choose: ['choose', 'choisir', '선택'], number: ['number', 'valeur', '값'], program: ['program', 'programme', '프로그램'],
}
const stateRows = {
 on: ['on', 'allumé', '켜짐'], off: ['off', 'éteint', '꺼짐'], locked: ['locked', 'verrouillé', '잠김'], unlocked: ['unlocked', 'déverrouillé', '잠금 해제됨'],
}
const pick = (row, text) => row?.[Object.keys(languages).indexOf(language)] ?? text
export const actionWord = (action) => pick(wordRows[action], action)
export const stateWord = (text) => (text == null ? '–' : pick(stateRows[text], text))

// Why a command was not carried out, by the phone's code.
const reasonRows = {
 deviceOffline: ['device offline', 'appareil hors ligne', '기기 오프라인'], hubOffline: ['bridge offline', 'passerelle hors ligne', '허브 오프라인'],
 brokerOffline: ['MQTT broker offline', 'serveur MQTT hors ligne', 'MQTT 서버 오프라인'], busy: ['busy, try again', 'occupé, réessayez', '사용 중, 다시 시도하세요'],
 lowBattery: ['battery too low', 'pile trop faible', '배터리 부족'], unsupported: ['it cannot do that', 'il ne sait pas le faire', '지원하지 않는 동작'],
 notGranted: ['not allowed', 'non autorisé', '권한이 없음'], cancelled: ['it must be confirmed', 'à confirmer', '확인이 필요함'],
 timeout: ['no answer in time', 'pas de réponse à temps', '응답 시간 초과'], wrongPIN: ['wrong PIN', 'code PIN erroné', '잘못된 PIN'],
 denied: ['the device refuses', 'l’appareil refuse', '기기가 거부함'],
 presenceUnknown: ['not known to be there, and MQTT 3.1.1 could deliver it late', 'présence inconnue, et MQTT 3.1.1 pourrait livrer trop tard', '연결 여부를 알 수 없고 MQTT 3.1.1은 늦게 전달할 수 있음'],
}

// Where a command stands, by the phone's text.
export function statusWord(text) {
 const [word, more] = text.split(' ')
 switch (word) {
 case 'asked': return '…'
 case 'sent': return `→ ${t('sent', 'envoyé')}`
 case 'confirmed': return `✓ ${more} ms`
 case 'unconfirmed': return `? ${t('sent, and nothing said so', 'envoyé, sans confirmation')}`
 case 'refused': return `✗ ${pick(reasonRows[more], more)}`
 case 'expired': return `✗ ${t('too late, nothing was done', 'trop tard, rien n’est fait')}`
 default: return `? ${t('its end is not known', 'issue inconnue')}`
 }
}

const korean = {
 'Watches': '시계', 'No watch is paired.': '페어링된 시계가 없습니다.', 'acts': '동작 가능', 'looks': '보기만', 'Let it only look': '보기만 허용', 'Let it act': '동작 허용',
 'Add': '추가', 'Add a device': '기기 추가', 'All rooms': '모든 방', 'Another language': '다른 언어', 'Ask before each action': '동작 전에 확인',
 'Bring back': '되돌리기', 'Cancel': '취소', 'Code': '코드', 'Confirm': '확인', 'Confirm {0}?': '{0} — 실행할까요?', 'Connected.': '연결되었습니다.', 'Connecting…': '연결 중…',
 'Copied.': '복사했습니다.', 'Copy': '복사', 'Create the account': '계정 만들기', 'Define': '정하기', 'Done': '완료', 'Edit': '편집', 'Edits that lost': '밀려난 변경',
 'Forget': '잊기', 'Hold': '길게 누르기', 'Home': '집', 'Loading…': '불러오는 중…', 'Log in': '로그인', 'Log out': '로그아웃', 'Name': '이름', 'Nothing is in the home yet.': '아직 기기가 없습니다.',
 'Nothing new is near, and nothing announced itself.': '새 기기가 없습니다.', 'No edit has lost.': '밀려난 변경이 없습니다.', 'No room': '방 없음', 'Open the link': '링크 열기', 'PIN, or press its button first': 'PIN, 또는 기기 버튼을 먼저 누르세요',
 'Password': '비밀번호', 'Please confirm your password': '비밀번호를 확인하세요', 'Remove': '삭제', 'Remove {0}?': '{0} — 삭제할까요?', 'Room': '방', 'Save': '저장', 'Scenes': '장면', 'Settings': '설정',
 'Shortcuts': '단축키', 'Skip to content': '본문으로', 'Stay logged in': '로그인 유지', 'The phone does not answer. This is what it said last.': '휴대폰이 응답하지 않습니다. 마지막 상태입니다.',
 'The server cannot be reached.': '서버에 연결할 수 없습니다.', 'The server cannot be reached. Nothing was changed; try again when it is back.': '서버에 연결할 수 없습니다. 아무것도 바뀌지 않았습니다.',
 'This link does not work': '이 링크는 작동하지 않습니다', 'Try again': '다시 시도', 'Welcome': '환영합니다', 'What it runs, such as Lamp on': '실행할 동작, 예: Lamp on', 'You are {0}.': '{0} 님',
 'Your session has ended. Log in again.': '세션이 끝났습니다. 다시 로그인하세요.', 'its end is not known': '결과를 알 수 없음', 'near': '가까움', 'offline': '오프라인', 'sent': '보냄',
 'sent, and nothing said so': '보냈지만 확인되지 않음', 'too late, nothing was done': '너무 늦어 실행되지 않음', '{0} old': '{0} 전', 'At least 10 characters.': '10자 이상.', 'A link': '링크',
 'There is no account yet. With the code that the server’s terminal shows you become the owner.': '아직 계정이 없습니다. 서버 터미널의 코드로 소유자가 됩니다.',
 'It is unknown, revoked or too old. Ask for another one.': '알 수 없거나 만료된 링크입니다.', 'You are logged in as {0}. Opening this link logs you out.': '{0} 님으로 로그인되어 있습니다. 이 링크를 열면 로그아웃됩니다.',
 '{0} is “{1}”: type a number, such as {2}.': '{0}: “{1}”. {2} 같은 숫자를 입력하세요.',
}
