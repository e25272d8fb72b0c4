// What belongs to the whole house: watches, conflicts, and the log of changes.

import { ask } from './api.js'
import {
 ago, bdi, button, card, cards, changed, dateTime, english, field, form, formState, h, hubNow, language, load, p, plainButton,
 problemLine, problemText, quantityName, quantityNamed, riskyButton, s, secret, seen, span, state, t,
} from './kit.js'

// Watches

export function watchesView() {
 return [
  h('h1', t('Watches', 'Montres')),
  card('invite', t('Invite a watch', 'Inviter une montre'), seen.get('invitation') ? invited(seen.get('invitation')) : invite()),
  cards(state.watches, t('No watch is paired yet.', 'Aucune montre associée.'), watchCard),
 ]
}

const validities = [[600, ['10 minutes', '10 minutes']], [3600, ['1 hour', '1 heure']], [86400, ['1 day', '1 jour']]]

function invite() {
 const current = formState('invite')
 return form('invite', {
  button: t('Make an invitation', 'Créer une invitation'),
  submit: async (data) => {
   const name = data.get('name').trim()
   const body = { validForSeconds: Number(data.get('validForSeconds')), ...(name ? { name } : {}) }
   seen.set('invitation', (await ask('POST', '/watches/invitations', body)).data)
  },
 }, field(current, 'name', t('Name of the watch', 'Nom de la montre'), { maxlength: 64 }, t('Empty: the watch says its own.', 'Vide : la montre donne le sien.')),
 field(current, 'validForSeconds', t('Valid for', 'Valable'), { options: validities.map(([seconds, text]) => [seconds, t(text)]) }))
}

function invited(invitation) {
 const close = () => { seen.delete('invitation'); changed() }
 const left = (Date.parse(invitation.validUntil) - hubNow()) / 1000
 const command = `poolsensors watch pair ${invitation.code}`
 if (left <= 0) {
  return [p('note', t('The invitation is over.', 'L’invitation a expiré.')),
   plainButton(t('Make another one', 'En créer une autre'), close)]
 }
 return [
  invitation.isLocal && p('note', t('For watches on the hub’s machine only, as it listens at no other address; --listen changes that.', 'Pour les montres de la machine du hub seulement, car il n’écoute pas ailleurs ; --listen change cela.')),
  qr(invitation.qr),
  secret('invitation', t('Scan it, or type this on the machine of the watch. It works once, for {0} more.', 'Scannez-le, ou tapez ceci sur la machine de la montre. Valable une fois, encore {0}.', span(left)), null, command),
 ]
}

// A QR code with its quiet zone; dark on light in every scheme, as scanners want it.
function qr(rows) {
 const side = rows.length + 8
 let path = ''
 rows.forEach((row, y) => [...row].forEach((module, x) => { if (module === '1') path += `M${x + 4},${y + 4}h1v1h-1z` }))
 return s('svg.qr', { viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': t('QR code of the invitation', 'Code QR de l’invitation') },
  s('rect', { width: side, height: side, fill: '#fff' }), s('path', { d: path, fill: '#000' }))
}

function watchCard(watch) {
 const link = watch.isLinked ? t('linked', 'connectée') : watch.ageSeconds != null ? t('last heard {0}', 'dernier signe {0}', ago(watch.ageSeconds)) : t('not linked', 'non connectée')
 return h('li.card', { key: watch.key },
  h('h2', bdi(watch.name)),
  h('p', link, watch.backlog > 0 && ` · ${t('{0} waiting', '{0} en attente', watch.backlog)}`,
   watch.lagMilliseconds != null && ` · ${t('{0} ms behind', '{0} ms de retard', watch.lagMilliseconds)}`),
  p('hint', t('Key {0}', 'Clé {0}', watch.key)),
  riskyButton(`unpair ${watch.key}`, t('Unpair', 'Dissocier'), t('Unpair {0}? It can no longer follow the hub.', 'Dissocier {0} ? Elle ne pourra plus suivre le hub.', watch.name),
   () => ask('DELETE', `/watches/${watch.key}`)))
}

// The parts of a subject of the hub, such as `pH limits of the device "Lagoon"`, in French.
const subjects = {
 'selected device': 'appareil choisi', 'time that the history is kept': 'durée de l’historique',
 'export of the history': 'export de l’historique', 'settings of alerts': 'réglages des alertes',
 'answer to an alert': 'réponse à une alerte',
}
const parts = {
 limits: 'limites', calibration: 'étalonnage', address: 'adresse', server: 'serveur', topic: 'sujet MQTT', 'expected interval': 'intervalle attendu',
 volume: 'volume', name: 'nom', announcement: 'annonce', pool: 'bassin', mapping: 'correspondances',
}
const owners = { device: 'de l’appareil', pool: 'du bassin', server: 'du serveur' }

// A subject in the language of the page; as it is if it has other words.
function subjectText(subject) {
 const [, what, owner, name] = subject.match(/^(.+?) of the (device|pool|server) (.*)$/s) ?? []
 const [, quantity, part] = what?.match(/^(?:(\S+) )?(limits|calibration)$/) ?? [null, null, what]
 const known = quantityNamed(quantity)
 const french = subjects[subject] ?? (parts[part] && `${parts[part]}${quantity ? ` (${known ? quantityName(known) : quantity})` : ''} ${owners[owner]} ${name}`)
 return language === 'fr' && french ? h('span', bdi(french)) : english(bdi(subject))
}

// Conflicts

export function conflictsView() {
 const entry = load('/conflicts', `${state.revision} ${state.conflictCount}`)
 return [
  h('h1', t('Conflicts', 'Conflits')),
  p('hint', t('Two people changed the same thing. One value is in force; the other one can be restored.', 'Deux personnes ont modifié la même chose. Une valeur est en vigueur ; l’autre peut être rétablie.')),
  cards(entry.data, t('No conflict is open.', 'Aucun conflit ouvert.'), (conflict) => h('li.card', { key: conflict.id },
   h('h2', subjectText(conflict.subject)),
   h('dl', side(t('In force', 'En vigueur'), conflict.winner), side(t('Not in force', 'Pas en vigueur'), conflict.loser),
    conflict.base != null && [h('dt', t('Earlier', 'Avant')), h('dd', bdi(conflict.base))]),
   p('hint', conflict.reason),
   conflict.obstacle && p('note', english(conflict.obstacle)),
   h('div.row',
    button(`restore ${conflict.id}`, t('Restore {0}', 'Rétablir {0}', conflict.loser.value ?? t('none', 'aucune')), () => settle(conflict, 'restore'),
     { class: 'primary', disabled: Boolean(conflict.obstacle) }),
    button(`dismiss ${conflict.id}`, t('Dismiss', 'Écarter'), () => settle(conflict, 'dismiss'),
     { class: 'quiet', 'aria-label': `${t('Dismiss', 'Écarter')}: ${subjectText(conflict.subject).textContent}` })))),
 ]
}

function side(title, found) {
 if (!found) return null
 return [h('dt', title), h('dd', bdi(found.value ?? t('removed', 'supprimé')), ' ', h('span.hint',
  '(', bdi(found.author), found.at && `, ${dateTime(found.at)}`, ')'))]
}

async function settle(conflict, how) {
 await ask('POST', `/conflicts/${conflict.id}/${how}`)
}

// Changes

export function changesView() {
 const entry = load('/changes?last=100', state.revision)
 return [
  h('h1', t('Changes', 'Modifications')),
  p('hint', t('Who changed what in the configuration, newest first.', 'Qui a modifié quoi dans la configuration, le plus récent d’abord.')),
  entry.problem && problemLine(problemText(entry.problem)),
  h('ul.log.card', (entry.data ?? []).toReversed().map((change) => h('li', { key: change.revision },
   h('strong', bdi(change.author)), h('span.when', dateTime(change.at)),
   change.changes.map((one) => h('span', subjectText(one.subject), ': ', bdi(one.value ?? t('removed', 'supprimé')))),
   change.conflicts.length > 0 && h('span.note', t('with {0} conflicts', 'avec {0} conflits', change.conflicts.length))))),
 ]
}
