// Devices and pools: the detection with what it found, devices by hand, pools, and where a device publishes.

import { get } from './api.js'
import {
 bdi, button, card, cards, change, changed, check, difference, english, field, form, formState, h, load, loading, nameField, numberOf,
 numeric, p, patch, problemLine, problemText, put, quantityName, riskyButton, saved, seen, span, state, storedVolume, t, volumeUnit, withUnit,
} from './kit.js'

const durations = [[30, ['30 seconds', '30 secondes']], [120, ['2 minutes', '2 minutes']], [900, ['15 minutes', '15 minutes']], [3600, ['1 hour', '1 heure']]]

const poolField = (current) => field(current, 'poolID', t('Pool', 'Bassin'), {
 options: [['', t('no pool', 'aucun bassin')], ...state.pools.map((pool) => [pool.id, pool.name, state.pools.length === 1])],
})
const serverField = (current, servers, chosen) => field(current, 'serverID', t('Server', 'Serveur'), {
 options: servers.map((one) => [one.id, one.name, one.id === chosen]),
})

export function findView() {
 const entry = load('/servers', state.revision)
 return [
  h('h1', t('Devices and pools', 'Appareils et bassins')),
  !entry.data ? loading(entry)
   : entry.data.length === 0 ? h('p', h('a', { href: '#/servers' }, t('Add a server first.', 'Ajoutez d’abord un serveur.')))
    : [detection(entry.data), byHand(entry.data)],
  pools(),
 ]
}

// Detection

function detection(servers) {
 // While it listens, it is looked at each second.
 const entry = load('/detection', seen.get('listens') ? Math.floor(performance.now() / 1000) : 'rest')
 const now = entry.data
 seen.set('listens', now ? !now.isOver : false)
 const current = formState('detect')
 return [
  card('detect', t('Find devices', 'Trouver des appareils'),
   p('hint', t('The hub listens to all that is published there. Some devices publish each hour only.', 'Le hub écoute tout ce qui est publié. Certains appareils ne publient que chaque heure.')),
   form('detect', {
    button: t('Listen', 'Écouter'), keepsFields: true,
    submit: async (data) => {
     put('/detection', await change('POST', '/detection', { serverID: data.get('serverID'), seconds: Number(data.get('seconds')) }))
     seen.set('listens', true)
    },
   },
   serverField(current, servers),
   field(current, 'seconds', t('For', 'Pendant'), { options: durations.map(([seconds, text]) => [seconds, t(text)]) })),
   now && progress(now)),
  now && cards(now.offers, now.isOver ? t('No device was found.', 'Aucun appareil trouvé.') : t('Nothing was found yet.', 'Rien trouvé pour l’instant.'), offerCard),
  now && notTaken(t('Numbers that were not taken', 'Nombres qui n’ont pas été pris'), now.skipped),
 ]
}

function progress(now) {
 return [
  h('p', { role: 'status', key: 'progress' }, bdi(now.server), ': ', now.isOver ? t('{0} messages came.', '{0} messages reçus.', now.messages)
   : t('{0} messages, {1} left', '{0} messages, encore {1}', now.messages, span(now.secondsLeft))),
  now.trouble && problemLine(english(now.trouble)),
  !now.isOver && button('end detection', t('Stop', 'Arrêter'), async () => { put('/detection', await change('DELETE', '/detection')) }),
 ]
}

function notTaken(title, numbers) {
 return numbers.length > 0 && h('details', { key: 'skipped' }, h('summary', title), h('ul', numbers.map((one) =>
  h('li', bdi(one.raw), ' ', h('code', bdi(one.place)), ': ', english(one.reason)))))
}

function offerCard(offer) {
 const current = formState(`offer ${offer.id}`)
 current.choices ??= {}
 return h('li.card', { key: offer.id },
  h('h2', bdi(offer.name)),
  p('hint', h('code', bdi(offer.topic))),
  h('ul.log', offer.values.map((one) => h('li', { key: one.quantity + one.place },
   h('strong', quantityName(one.quantity), ': ', one.value == null ? bdi(one.raw ?? '–') : withUnit(one.value, one.quantity)),
   h('span.hint', h('code', bdi(one.place)), one.raw != null && [' = ', bdi(one.raw)])))),
  offer.remarks.map((one) => p('hint', english(one))),
  offer.leftOut.map((one) => p('note', t('{0} is left out, because its value is suspected. A suggestion adds it.', '{0} : laissé de côté, car la valeur est douteuse. Une suggestion l’ajoute.', quantityName(one)))),
  notTaken(t('Not taken', 'Pas pris'), offer.skipped),
  offer.knownAs ? p('done', t('It is the device {0}.', 'C’est l’appareil {0}.', offer.knownAs))
   : offer.obstacle ? p('note', english(offer.obstacle)) : addOffer(current, offer))
}

function addOffer(current, offer) {
 const open = new Map(offer.questions.map((one) => [one.quantity, one.reason]))
 const choosable = [...new Set(offer.suggestions.map((one) => one.quantity))]
 const chosen = () => choosable.map((one) => Number(current.choices[one])).filter(Boolean)
 return form(current.name, {
  button: t('Add the device', 'Ajouter l’appareil'), label: offer.name, keepsFields: true,
  submit: async (data) => {
   const interval = numberOf(data, 'expectedIntervalSeconds', t('Interval', 'Intervalle'))
   await change('POST', '/detection/devices', {
    offer: offer.id, suggestions: chosen(), name: data.get('name'), poolID: data.get('poolID') || undefined, expectedIntervalSeconds: interval,
   })
   return t('The device {0} is there.', 'L’appareil {0} est ajouté.', data.get('name'))
  },
 },
 choosable.map((quantity) => field(current, `choice-${quantity}`, quantityName(quantity), {
  options: [['', open.has(quantity) ? t('Choose…', 'Choisissez…') : t('as proposed', 'comme proposé'), !current.choices[quantity]],
   ...offer.suggestions.filter((one) => one.quantity === quantity).map((one) => [one.number, one.words, String(one.number) === current.choices[quantity]])],
  onchange: (event) => { current.choices[quantity] = event.target.value; changed() },
 }, open.has(quantity) && english(open.get(quantity)), `suggestions.${quantity}`)),
 field(current, 'name', t('Name', 'Nom'), { value: offer.name, maxlength: 256 }),
 poolField(current),
 intervalField(current, null, offer.expectedIntervalSeconds && t('Seen: {0} s. Empty: the hub learns it.', 'Vu : {0} s. Vide : le hub l’apprend.', offer.expectedIntervalSeconds)),
 mappingLines(mappingOf(offer, chosen())))
}

const intervalField = (current, value, hint) => field(current, 'expectedIntervalSeconds', t('Seconds between readings', 'Secondes entre deux mesures'),
 numeric(value, 0), hint || t('Empty: the hub learns it.', 'Vide : le hub l’apprend.'))

// The mapping of an offer with the chosen suggestions.
function mappingOf(offer, numbers) {
 const taken = offer.suggestions.filter((one) => numbers.includes(one.number))
 const others = offer.mapping.filter((line) => !taken.some((one) => line.startsWith(`${one.quantity}=`)))
 return [...others, ...taken.flatMap((one) => one.mapping)]
}

const mappingLines = (lines) => h('div', { key: 'mapping' }, h('h3', t('How it is read', 'Comment c’est lu')),
 lines.length ? h('ul', lines.map((line) => h('li', h('code', bdi(line)))))
  : p('hint', t('A message with members such as temperature and ph, which needs no mapping.', 'Un message avec des membres tels que temperature et ph, sans correspondances.')))

// By hand

function byHand(servers) {
 const current = formState('device')
 return card('device', t('Add a device by hand', 'Ajouter un appareil à la main'), form('device', {
  button: t('Add', 'Ajouter'),
  submit: async (data) => {
   await change('POST', '/devices', {
    name: data.get('name'), serverID: data.get('serverID'), topic: data.get('topic').trim(), poolID: data.get('poolID') || undefined,
    expectedIntervalSeconds: numberOf(data, 'expectedIntervalSeconds', t('Interval', 'Intervalle')),
   })
   return t('The device {0} is there.', 'L’appareil {0} est ajouté.', data.get('name'))
  },
 },
 nameField(current), serverField(current, servers),
 field(current, 'topic', t('Topic', 'Sujet MQTT'), { placeholder: 'pool/sensor/main', autocapitalize: 'none' },
  t('For the message with members such as temperature and ph.', 'Pour le message avec des membres tels que temperature et ph.')),
 poolField(current),
 field(current, 'expectedIntervalSeconds', t('Seconds between readings', 'Secondes entre deux mesures'), numeric(null, 0), t('Empty: 60.', 'Vide : 60.'))))
}

// Pools

function pools() {
 const current = formState('new pool')
 return card('pools', t('Pools', 'Bassins'),
  h('ul.log', state.pools.map((pool) => h('li', { key: pool.id }, h('strong', bdi(pool.name)), ' ',
   riskyButton(`remove pool ${pool.id}`, t('Remove', 'Supprimer'), t('Remove the pool {0}? Its devices stay.', 'Supprimer le bassin {0} ? Ses appareils restent.', pool.name),
    () => remove(`/pools/${pool.id}`))))),
  form('new pool', {
   button: t('Add the pool', 'Ajouter le bassin'),
   submit: async (data) => {
    const volume = numberOf(data, 'volume', t('Volume', 'Volume'))
    await change('POST', '/pools', { name: data.get('name'), volume: storedVolume(volume) })
    return t('The pool {0} is there.', 'Le bassin {0} est ajouté.', data.get('name'))
   },
  }, nameField(current), field(current, 'volume', `${t('Volume', 'Volume')} (${volumeUnit()})`, numeric(null), t('Empty if it is not known.', 'Vide s’il est inconnu.'))))
}

async function remove(path) {
 const { tag } = await get(path)
 await change('DELETE', path, undefined, tag)
}

// Where a device publishes

export function sourcePart(device) {
 const current = formState(`source ${device.id}`)
 const path = `/devices/${device.id}/source`
 const entry = load(path, state.revision)
 const servers = load('/servers', state.revision)
 const base = saved(current, entry)
 if (!base || !servers.data) return loading(entry.problem ? entry : servers)
 const source = base.data
 return [
  card('source', t('Where it publishes', 'Où il publie'), form(current.name, {
   submit: (data) => {
    const interval = numberOf(data, 'expectedIntervalSeconds', t('Interval', 'Intervalle'))
    return patch(current, path, source, {
     serverID: data.get('serverID'), topic: data.get('topic').trim(), deviceType: data.get('deviceType'),
     ...(interval === undefined ? {} : { expectedIntervalSeconds: interval }), learnsInterval: data.has('learnsInterval'),
    }, (now) => ({
     serverID: difference(now.serverID, data.get('serverID'), now.server), topic: difference(now.topic, data.get('topic').trim()),
     deviceType: difference(now.deviceType, data.get('deviceType')),
     expectedIntervalSeconds: difference(String(now.expectedIntervalSeconds), data.get('expectedIntervalSeconds')),
    }))
   },
  },
  serverField(current, servers.data, source.serverID),
  field(current, 'topic', t('Topic', 'Sujet MQTT'), { value: source.topic, autocapitalize: 'none' }),
  field(current, 'deviceType', t('Type', 'Type'), { value: source.deviceType }),
  field(current, 'expectedIntervalSeconds', t('Seconds between readings', 'Secondes entre deux mesures'), numeric(source.expectedIntervalSeconds, 0)),
  check(current, 'learnsInterval', t('The hub learns it from the readings', 'Le hub l’apprend des mesures'), source.learnsInterval)),
  mappingLines(source.mapping),
  p('hint', t('Another way to read its messages is given on the hub’s machine: ', 'Une autre lecture de ses messages se donne sur la machine du hub : '), h('code', `poolsensors device edit "${device.name}" --value …`))),
  riskyButton(`remove device ${device.id}`, t('Remove the device', 'Supprimer l’appareil'), t('Remove {0}? Its readings stay in the history.', 'Supprimer {0} ? Ses mesures restent dans l’historique.', device.name),
   async () => { await remove(`/devices/${device.id}`); location.hash = '#/' }),
 ]
}
