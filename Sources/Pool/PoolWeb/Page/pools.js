// The start: each pool is a card with what to know first, its devices, their newest values, trends, ages and statuses.

import {
 ageOf, ago, bdi, devicesOf, freshness, h, isDeaf, isOwner, language, mayEdit, measured, p, quantityName, state, statusOf,
 statusOfPool, statusWord, t, trends, unitOf, valueText, assessmentStatus, wasCritical, wasWarning,
} from './kit.js'

export function poolsView() {
 const strays = devicesOf(null)
 return [
  h('h1.hidden', t('Pools', 'Bassins')),
  h('div.cards',
   state.pools.map(poolCard),
   strays.length > 0 && h('section.card', { key: 'strays' },
    h('div.head', h('h2', t('Without a pool', 'Sans bassin'))), strays.map(deviceBlock))),
  state.pools.length + state.devices.length === 0 && p('empty', emptyText()),
 ]
}

function emptyText() {
 if (!state.isHubRunning) return t('The hub does not run. Start it with `poolsensors hub`; this page finds it by itself.', 'Le hub ne tourne pas. Lancez `poolsensors hub` ; cette page le trouvera.')
 if (state.heard === null) return t('Waiting for the hub…', 'En attente du hub…')
 return isOwner()
  ? t('There is no device yet. Add one on the hub’s machine: `poolsensors device detect`.', 'Aucun appareil. Ajoutez-en un sur la machine du hub : `poolsensors device detect`.')
  : t('This account may not see any pool yet. Ask an owner.', 'Ce compte ne peut voir aucun bassin. Demandez à un propriétaire.')
}

function poolCard(pool) {
 const status = statusOfPool(pool)
 const devices = devicesOf(pool.id)
 return h('section', { class: `card ${status.status}`, key: pool.id, 'aria-label': pool.name },
  h('div.head', h('h2', bdi(pool.name)), badge(status)),
  assessmentLine(pool),
  devices.length === 0 && p('hint', t('No device is in this pool.', 'Aucun appareil dans ce bassin.')),
  devices.map(deviceBlock),
  h('p.links',
   poolLink(pool, `pool/${pool.id}/water`, t('Advice and doses', 'Conseils et ajouts')),
   mayEdit(pool.id) && poolLink(pool, `pool/${pool.id}`, t('Pool settings', 'Réglages')),
   isOwner() && poolLink(pool, `shares/${pool.id}`, t('Share', 'Partager'))))
}

// What to know first of a pool, or of a device without one. While nothing is heard, only a warning stays: the water may have
// changed, and nobody may take an old sentence for a present one.
export function assessmentLine({ assessment }) {
 if (!assessment) return null
 const isOld = isDeaf() && assessment.kind !== 'do-not-swim'
 return h('p', { class: `assessment ${isOld ? 'offline' : assessmentStatus[assessment.kind]}` },
  isOld ? t('Nothing is heard of the water now.', 'Aucune nouvelle de l’eau pour l’instant.') : assessment.sentences[language])
}

const poolLink = (pool, to, text) => h('a', { href: `#/${to}`, 'aria-label': `${text}, ${pool.name}` }, text)

// A pool or a device, of which one part is shown.
export const sheet = (kind, { id, name }, status, parts, part, content, more) => [
 h('div.title', h('h1', bdi(name)), badge(status), more),
 h('nav.tabs', { 'aria-label': name }, parts.map(([key, text]) => h('a', { href: `#/${kind}/${id}/${key}`, 'aria-current': key === part ? 'page' : null }, text))),
 h('div.part', { key: `${id}/${part}` }, content),
]

export const gone = () => [h('h1', t('Not here', 'Introuvable')),
 p('empty', t('It does not exist, or this account may not see it.', 'Cela n’existe pas, ou ce compte ne peut le voir.'))]

const badge = (status) => h('span', { class: `badge ${status.status}` }, statusWord(status))

function deviceBlock(device) {
 const status = statusOf(device)
 return h('div.device', { key: device.id },
  h('h3', h('a', { href: `#/device/${device.id}` }, bdi(device.name)),
   status.status !== 'normal' && badge(status)),
  assessmentLine(device),
  gauges(device))
}

// The newest values of what a device measures, each a link to its chart.
export function gauges(device, isLinked = true) {
 if (measured(device).length === 0) return p('hint', t('No reading has come yet.', 'Aucune mesure reçue.'))
 return h('ul.gauges', measured(device).map((gauge) => {
  const fresh = freshness(gauge, device)
  const status = fresh === 'live' ? gauge.status : fresh === 'stale' ? 'stale' : 'offline'
  const age = ageOf(gauge, device)
  const hasAge = age !== null && gauge.value !== null
  const content = [
   h('span.name', quantityName(gauge.quantity)),
   h('span.value', valueText(gauge.value, gauge.quantity), h('small', unitOf(gauge.quantity) && ` ${unitOf(gauge.quantity)}`),
    gauge.trend && fresh === 'live' && h('span.trend',
     h('span', { 'aria-hidden': 'true' }, ` ${trends[gauge.trend][0]}`), h('span.hidden', ` ${t(trends[gauge.trend][1])}`))),
   h('span.state', gauge.value !== null && stateText(gauge, fresh), ' ',
    h('span.age', hasAge ? ago(age) : gauge.value !== null ? t('age unknown', 'âge inconnu') : t('no value', 'pas de valeur'))),
  ]
  return h('li', { class: `gauge ${status}` }, isLinked
   ? h('a', { href: `#/device/${device.id}`, class: 'inner' }, content) : h('div.inner', content))
 }))
}

// The status of a value in words, so that it does not depend on colours.
function stateText(gauge, fresh) {
 const former = fresh === 'live' ? null : gauge.formerStatus ?? gauge.status
 if (former === 'critical') return t(wasCritical)
 if (former === 'warning') return t(wasWarning)
 if (fresh === 'stale') return t('Stale', 'Périmé')
 if (fresh !== 'live') return t('Old', 'Ancien')
 if (gauge.deviation === 'low') return t('Too low', 'Trop bas')
 if (gauge.deviation === 'high') return t('Too high', 'Trop haut')
 // Its value is within its limits again, but not far enough, or its probe is faulty.
 return gauge.status === 'normal' ? '' : t('Alert not over', 'Alerte non terminée')
}
