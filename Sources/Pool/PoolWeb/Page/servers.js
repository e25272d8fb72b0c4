// The MQTT servers: their connections, a form for each, and the test of what was typed.

import { ask } from './api.js'
import { serverFields } from './fields.js'
import {
 bdi, button, card, cards, change, check, difference, english, field, form, formState, h, hubNow, language, load, loading, numberOf, p,
 patch, riskyButton, saved, seen, state, t,
} from './kit.js'

const states = {
 connected: ['connected', 'connecté'], connecting: ['connecting', 'connexion en cours'],
 waiting: ['not connected', 'non connecté'], failed: ['needs attention', 'demande votre attention'],
}

// How a test ended, in French; the server says it in English.
const outcomes = {
 ok: 'ok, le serveur a accepté la connexion', unreachable: 'injoignable', 'bad-credentials': 'nom ou mot de passe refusé',
 timeout: 'pas de réponse à temps', 'tls-not-spoken': 'ce port ne parle pas TLS', 'tls-expected': 'ce port demande TLS',
 'tls-authority': 'aucune autorité connue n’a signé le certificat', 'tls-expired': 'le certificat a expiré',
 'tls-not-yet-valid': 'le certificat n’est pas encore valable', 'tls-host': 'le certificat est pour un autre hôte',
 'tls-client-certificate': 'le serveur demande un certificat du hub', tls: 'TLS a échoué', failed: 'échec',
}

export function serversView() {
 // The states of connections come without a change of the configuration.
 const entry = load('/servers', `${state.revision} ${Math.floor(hubNow() / 4000)}`)
 return [
  h('h1', t('Servers', 'Serveurs')),
  p('hint', t('The MQTT servers to which your devices publish.', 'Les serveurs MQTT où publient vos appareils.')),
  entry.data ? cards(entry.data, t('There is no server yet.', 'Aucun serveur.'), serverCard) : loading(entry),
  card('new', t('New server', 'Nouveau serveur'), newServer()),
 ]
}

function serverCard(server) {
 const current = formState(`server ${server.id}`)
 const path = `/servers/${server.id}`
 const base = saved(current, load(path, state.revision))
 return h('li.card', { key: server.id },
  h('h2', bdi(server.name)),
  h('p', bdi(server.address), server.usesTLS && ' · TLS', server.stateWord && ` · ${t(states[server.stateWord])}`),
  server.state && !['connected', 'connecting'].includes(server.stateWord) && p('note', english(server.state)),
  p('hint', t('Devices: {0}', 'Appareils : {0}', server.devices.join(', ') || t('none', 'aucun'))),
  h('details', h('summary', { 'aria-label': `${t('Change', 'Modifier')}: ${server.name}` }, t('Change', 'Modifier')),
   base ? changeServer(current, path, base) : loading({})),
  riskyButton(`remove ${server.id}`, t('Remove', 'Supprimer'), server.devices.length > 0
   ? t('Remove {0} with its devices {1}? Their readings stay.', 'Supprimer {0} et ses appareils {1} ? Leurs mesures restent.', server.name, server.devices.join(', '))
   : t('Remove the server {0}?', 'Supprimer le serveur {0} ?', server.name),
  () => change('DELETE', `${path}?withDevices=${server.devices.length > 0}`, undefined, current.base.tag)))
}

function newServer() {
 const current = formState('new server')
 return form('new server', {
  button: t('Add the server', 'Ajouter le serveur'),
  submit: async (data) => {
   await change('POST', '/servers', { ...bodyOf(data), isUntested: data.has('isUntested') })
   return t('The server {0} is there.', 'Le serveur {0} est ajouté.', data.get('name'))
  },
 },
 fields(current, {}),
 tester(current, bodyOf))
}

function changeServer(current, path, base) {
 const server = base.data
 return form(current.name, {
  label: server.name,
  submit: (data) => patch(current, path, Object.fromEntries(serverFields.map(({ key }) => [key, server[key] ?? ''])),
   { ...bodyOf(data), ...(data.has('isUntested') ? { isUntested: true } : {}) },
   (now) => Object.fromEntries(serverFields.filter(isTypedField).map(({ key }) =>
    [key, difference(String(now[key] ?? ''), data.get(key))]))),
 },
 fields(current, server),
 tester(current, (data) => ({ ...bodyOf(data), serverID: server.id })))
}

const isTypedField = ({ editor }) => ['text', 'number'].includes(editor.kind)

function fields(current, server) {
 return [
  serverFields.map((row) => [serverControl(current, row, server[row.key]), row.key === 'username' && serverPassword(current, server)]),
  p('hint', (server.hasAuthorityFile || server.hasClientCertificate) && t('It has files of certificates. ', 'Il a des fichiers de certificats. '),
   t('Files of certificates are given on the hub’s machine: ', 'Les fichiers de certificats se donnent sur la machine du hub : '),
   h('code', `poolsensors server edit "${server.name ?? t('NAME', 'NOM')}" --ca-file ca.pem`)),
  check(current, 'isUntested', t('Save it even if the test fails', 'Enregistrer même si l’essai échoue')),
 ]
}

// The control of a field, by its row in the hub's table.
function serverControl(current, { key, label, hint, editor }, value) {
 if (editor.kind === 'flag') return check(current, key, t(label), value)
 const { choices, lengthMax, example, isCode } = editor
 return field(current, key, t(label), choices ? { options: choices.map((one) => [one, one, one === value]) } : {
  value, maxlength: lengthMax, placeholder: example, inputmode: editor.kind === 'number' && 'numeric', autocapitalize: isCode && 'none',
 }, hint && t(hint))
}

const serverPassword = (current, server) => [
 field(current, 'password', t('Password', 'Mot de passe'), { type: 'password', autocomplete: 'new-password' },
  server.hasPassword ? t('One is stored. Empty: it stays. It goes to no other address, so type it again with one.', 'Il y en a un. Vide : inchangé. Il ne va pas à une autre adresse : retapez-le alors.') : t('Empty for none.', 'Vide : aucun.')),
 server.hasPassword && check(current, 'forget', t('Forget the stored password', 'Oublier le mot de passe enregistré')),
]

// A button that tests what is typed, and how the test ended.
function tester(current, bodyOfTest) {
 const tried = formState(`${current.name} test`)
 const typed = () => new FormData(document.querySelector(`[data-key="${CSS.escape(`${current.name}/${current.serial}`)}"]`))
 return [
  button(tried.name, t('Test the connection', 'Tester la connexion'), async () => {
   tried.result = null
   tried.result = (await ask('POST', '/servers/tests', bodyOfTest(typed()))).data
  }),
  tried.result && h('p', { class: tried.result.code === 'ok' ? 'done' : 'problem', role: 'status', key: 'result' }, testText(tried.result)),
 ]
}

const testText = ({ address, code, sentence, reason }) => (language === 'fr'
 ? [bdi(address), ' : ', outcomes[code], reason && [' (', english(reason), ')']] : [bdi(address), ': ', sentence])

// What was typed; an empty number or password says nothing.
function bodyOf(data) {
 const secret = data.has('forget') ? '' : data.get('password') || undefined
 const body = Object.fromEntries(serverFields.map((row) => [row.key, typedOf(data, row)]).concat([['password', secret]]))
 return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

function typedOf(data, { key, label, editor }) {
 if (editor.kind === 'flag') return data.has(key)
 if (editor.kind === 'number') return numberOf(data, key, t(label))
 return editor.isTrimmed ? data.get(key).trim() : data.get(key)
}
