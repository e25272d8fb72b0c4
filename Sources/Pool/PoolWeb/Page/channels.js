// Which alerts are sent and when, and the channels that take them out of the house, each with a test.

import { ask } from './api.js'
import {
 button, card, cards, change, check, difference, english, field, form, formState, group, h, language, load, loading, numberOf, numeric, p,
 quantities, quantityName, Refusal, saved, state, t, write,
} from './kit.js'

const flags = [
 ['isEnabled', ['Alerts are on', 'Les alertes sont actives']], ['values', ['Values outside their limits', 'Valeurs hors limites']],
 ['missing', ['Silent devices', 'Appareils muets']], ['faults', ['Faulty probes', 'Sondes en panne']],
 ['connections', ['Lost connections', 'Connexions perdues']], ['recoveries', ['When an alert is over', 'La fin d’une alerte']],
 ['repeats', ['Repeat until someone acknowledges', 'Répéter jusqu’à ce que quelqu’un en prenne note']],
]
const places = [
 ['watches', ['On watches', 'Sur les montres']], ['terminal', ['On the hub’s screen', 'Sur l’écran du hub']],
 ['desktop', ['On the desktop of the hub’s machine', 'Sur le bureau de la machine du hub']],
]
const numbers = [
 ['cooldownSeconds', ['Seconds before the same alert is sent again (60 to 3600)', 'Secondes avant de renvoyer la même alerte (60 à 3600)']],
 ['longestRepeatSeconds', ['Longest pause between repetitions, in seconds', 'Plus longue pause entre répétitions, en secondes']],
 ['confirmationSamples', ['Samples that must agree (1 to 20)', 'Mesures concordantes requises (1 à 20)']],
 ['confirmationSeconds', ['Seconds after which one sample is enough', 'Secondes après lesquelles une mesure suffit']],
 ['missingDelaySeconds', ['Seconds of silence of a device', 'Secondes de silence d’un appareil']],
 ['connectionDelaySeconds', ['Seconds without a connection', 'Secondes sans connexion']],
]

export function channelsView() {
 const entry = load('/alerts/channels', state.revision)
 return [
  h('h1', t('Alert settings', 'Réglages des alertes')),
  settingsCard(),
  h('h2', t('Where alerts go', 'Où vont les alertes')),
  entry.data ? cards(entry.data, '', channelCard) : loading(entry),
 ]
}

// Settings

function settingsCard() {
 const current = formState('alert settings')
 const path = '/alerts/settings'
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 if (!base) return loading(entry)
 const now = base.data
 const quiet = now.quietHours
 const flag = ([name, text]) => check(current, name, t(text), now[name])
 return card('settings', t('Which alerts are sent, and when', 'Quelles alertes sont envoyées, et quand'), form(current.name, {
  submit: async (data) => {
   await write(current, 'PATCH', path, readSettings(data), (other) => Object.fromEntries(numbers.map(([name]) =>
    [name, difference(String(other[name]), data.get(name))])))
   return t('Saved.', 'Enregistré.')
  },
 },
 group(current, 'told', t('Alert about', 'Alerter pour'), flags.map(flag)),
 group(current, 'muted', t('Never alert about', 'Ne jamais signaler'), quantities.map((one) => check(current, `mute-${one}`, quantityName(one), now.muted.includes(one)))),
 group(current, 'quietHours', t('Quiet hours', 'Heures calmes'),
  check(current, 'quiet', t('Hold alerts back at night; they come in the morning', 'Retenir les alertes la nuit ; elles viennent le matin'), quiet !== null),
  h('div.pair', field(current, 'start', t('From', 'De'), { type: 'time', value: clock(quiet?.start ?? 1320) }),
   field(current, 'end', t('To', 'À'), { type: 'time', value: clock(quiet?.end ?? 420) }, null, 'quietHours.end')),
  check(current, 'criticalPasses', t('Critical alerts come at once', 'Les alertes critiques viennent aussitôt'), quiet?.criticalPasses ?? true)),
 group(current, 'places', t('In the house', 'Dans la maison'), places.map(flag)),
 h('details', { key: 'pauses' }, h('summary', t('Pauses and delays', 'Pauses et délais')), numbers.map(([name, text]) => field(current, name, t(text), numeric(now[name], 0)))),
 field(current, 'language', t('Language of notices on phones', 'Langue des avis sur les téléphones'), {
  options: [['en', 'English'], ['fr', 'Français']].map(([code, text]) => [code, text, code === now.language]),
 })))
}

const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

function minuteOf(data, name, member) {
 const [, hours, minutes] = data.get(name).match(/^(\d\d):(\d\d)/) ?? []
 if (hours === undefined) throw new Refusal(member, t('Type a time, such as 22:00.', 'Tapez une heure, telle que 22:00.'))
 return Number(hours) * 60 + Number(minutes)
}

function readSettings(data) {
 const body = {}
 for (const [name] of [...flags, ...places]) body[name] = data.has(name)
 for (const [name, text] of numbers) {
  const value = numberOf(data, name, t(text))
  if (value === undefined) throw new Refusal(name, t('Type a number.', 'Tapez un nombre.'))
  body[name] = value
 }
 body.muted = quantities.filter((one) => data.has(`mute-${one}`))
 body.language = data.get('language')
 body.quietHours = data.has('quiet')
  ? { start: minuteOf(data, 'start', 'start'), end: minuteOf(data, 'end', 'quietHours.end'), criticalPasses: data.has('criticalPasses') } : null
 return body
}

// Channels

// The words for the fields in French; the server says them in English.
const meanings = {
 topic: 'le sujet', serverID: 'le serveur', url: 'l’adresse où va chaque avis', secret: 'le secret qui signe les avis', server: 'l’adresse de votre serveur',
 username: 'le nom d’utilisateur', token: 'le jeton', password: 'le mot de passe', user: 'votre clé d’utilisateur', device: 'l’appareil qui reçoit les avis',
 chat: 'le numéro de la discussion',
}
const capital = (text) => text[0].toUpperCase() + text.slice(1)
const titleOf = (one) => capital(language === 'fr' ? meanings[one.name] ?? one.meaning : one.meaning)

function channelCard(channel) {
 const current = formState(`channel ${channel.channel}`)
 const path = `/alerts/channels/${channel.channel}`
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 const now = base?.data ?? channel
 return h('li.card', { key: channel.channel },
  h('h3', channel.name),
  h('p', channel.isEnabled ? t('on', 'actif') : t('off', 'inactif')),
  channel.trouble && p('note', english(channel.trouble)),
  h('details', h('summary', { 'aria-label': `${t('Change', 'Modifier')}: ${channel.name}` }, t('Change', 'Modifier')),
   base ? channelForm(current, path, now) : loading(entry)),
  channel.isEnabled && h('p', button(`test ${channel.channel}`, t('Send a test', 'Envoyer un essai'), async () => {
   const tried = formState(`test ${channel.channel}`)
   tried.sentence = null
   tried.sentence = (await ask('POST', `${path}/test`)).data.done
  }, { 'aria-label': `${t('Send a test', 'Envoyer un essai')}: ${channel.name}` })),
  formState(`test ${channel.channel}`).sentence && h('p.done', { role: 'status', key: 'tested' }, english(formState(`test ${channel.channel}`).sentence)))
}

function channelForm(current, path, now) {
 return form(current.name, {
  label: now.name,
  submit: async (data) => {
   const given = (isSecret) => Object.fromEntries(now.fields.filter((one) => one.isSecret === isSecret).map((one) => [one.name, data.get(one.name).trim()]))
   const secrets = Object.fromEntries(Object.entries(given(true)).filter(([name, text]) => text !== '' || data.has(`forget-${name}`)))
   await write(current, 'PATCH', path, { isEnabled: data.has('isEnabled'), agrees: data.has('agrees'), fields: given(false), secrets },
    () => ({}))
   // The list shows it, too.
   await change('GET', path)
   return t('Saved.', 'Enregistré.')
  },
 },
 check(current, 'isEnabled', t('Send alerts there', 'Y envoyer les alertes'), now.isEnabled),
 now.fields.map((one) => (one.name === 'serverID' ? serverChoice(current, one) : one.isSecret
  ? [field(current, one.name, titleOf(one), { type: 'password', autocomplete: 'new-password' }, one.isStored
   ? t('One is stored. Empty: it stays.', 'Il y en a un. Vide : inchangé.') : null, `secrets.${one.name}`),
  one.isStored && check(current, `forget-${one.name}`, t('Forget it', 'L’oublier'))]
  : field(current, one.name, titleOf(one), { value: one.value, autocapitalize: 'none' }, one.isRequired ? null : t('May be empty.', 'Peut rester vide.'), `fields.${one.name}`))),
 group(current, 'agrees', t('What leaves the house', 'Ce qui quitte la maison'),
  h('p', english(now.leaves)), check(current, 'agrees', t('I agree to it', 'J’y consens'))))
}

function serverChoice(current, one) {
 const servers = load('/servers', state.revision).data ?? []
 return field(current, 'serverID', titleOf(one), {
  options: [['', t('all servers', 'tous les serveurs'), !one.value], ...servers.map((server) => [server.id, server.name, server.id === one.value])],
 }, null, 'fields.serverID')
}
