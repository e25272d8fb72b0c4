// The start of the page: who looks, which view is shown, the frame around it, and the redrawing.

import { ask, get, listen } from './api.js'
import { alertsView } from './alerts.js'
import { deviceView } from './device.js'
import { changesView, conflictsView, watchesView } from './house.js'
import {
 ago, bdi, button, changed, dateTime, forget, forgetLoads, h, isOwner, isUser, language, mayEditAll, measureIn, nextUnits,
 observe, p, plainButton,
 restoreSnapshot, roleNames, say, seen, silence, span, speak, state, t, unitsName, update,
} from './kit.js'
import { ownersView } from './lazy.js'
import { follow, stop } from './live.js'
import { confirmPassword, dialogs, enter, entrance, entranceView, listenForBegin, listenForDialogs } from './login.js'
import { accountsView, passwordView, sharesView, tokensView } from './people.js'
import { poolsView } from './pools.js'
import { poolView } from './water.js'

const pingSeconds = 15
const byId = (id) => document.getElementById(id)
const main = byId('main')

const routes = {
 '': poolsView, pool: poolView, device: deviceView, alerts: alertsView, more: moreView, watches: watchesView,
 conflicts: conflictsView, changes: changesView, shares: sharesView, accounts: accountsView, tokens: tokensView,
 password: passwordView, servers: ownersView('servers'), find: ownersView('find'),
 channels: ownersView('channels'), keeping: ownersView('keeping'),
}

function route() {
 const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decode)
 return { name: routes[name] ? name : '', rest }
}

function decode(text) {
 try { return decodeURIComponent(text) } catch { return '' }
}

// Redrawing

let isWaiting = false
function draw() {
 if (isWaiting) return
 isWaiting = true
 requestAnimationFrame(() => {
  isWaiting = false
  const { name, rest } = route()
  const isInside = state.me !== null && entrance.step === null
  byId('skip').textContent = t('Skip to content', 'Aller au contenu')
  const old = silence()
  const isOld = isInside && (!state.isCertain || old > 3 * pingSeconds || !state.isHubRunning && hubSilence() > 3 * pingSeconds)
  document.body.classList.toggle('old', isOld)
  fill(byId('top'), isInside ? frame(name) : [brand(), languageButton()])
  const trouble = isInside ? bar(old) : ''
  fill(byId('bar'), [trouble && p('warn', trouble), isInside && state.certificate && p('warn', certificateText(state.certificate))])
  sayOnce(trouble)
  fill(main, isInside ? routes[name](rest) : entrance.step ? [entranceView()] : [p('empty', t('Loading…', 'Chargement…'))])
  for (const dialog of dialogs) dialog()
  const count = isInside && state.alerts.length ? `(${state.alerts.length}) ` : ''
  document.title = `${count}${main.querySelector('h1')?.textContent ?? ''} – PoolSensors`
 })
}

// Says what is wrong when it begins and ends, and not each second anew.
let said = ''
function sayOnce(trouble) {
 const [kind] = trouble.split(/\d/)
 if (kind !== said) say(trouble || t('Connected.', 'Connecté.'))
 said = kind
}

function fill(element, content) { update(element, h('div', content)) }

// The frame

const brand = () => h('a.brand', { href: '#/' }, h('span.drop', { 'aria-hidden': 'true' }), 'PoolSensors')

function languageButton() {
 const other = language === 'fr' ? ['en', 'English'] : ['fr', 'Français']
 return plainButton(other[1], () => { speak(other[0]); forgetLoads(); draw() }, { class: 'quiet language', lang: other[0] })
}

// The units are those of the browser, as the language is.
function unitsButton() {
 const other = nextUnits()
 return plainButton(unitsName(other), () => { measureIn(other); draw() }, {
  class: 'quiet language', title: t('Show values in other units', 'Afficher les valeurs dans d’autres unités'),
 })
}

function frame(name) {
 const entries = [['', t('Pools', 'Bassins'), 0], ['alerts', t('Alerts', 'Alertes'), state.alerts.length]]
 entries.push(['more', t('More', 'Plus'), mayEditAll() ? state.conflictCount : 0])
 const isMore = !['', 'pool', 'device', 'alerts'].includes(name)
 return [brand(), h('nav.main', { 'aria-label': t('Main', 'Principal') }, entries.map(([key, text, count]) => {
  const isHere = key === name || (key === 'more' && isMore) || (key === '' && ['pool', 'device'].includes(name))
  return h('a', { href: `#/${key}`, 'aria-current': isHere ? 'page' : null }, text,
   count > 0 && h('span.count', count, h('span.hidden', ` ${t('open', 'ouvertes')}`)))
 })), unitsButton(), languageButton()]
}

// What is wrong with the connection; empty if nothing is, and while the page is still opening, or seen again.
function bar(old) {
 if (state.isCertain && performance.now() - state.resumed < 3000) return ''
 if (!state.isCertain || state.keptAt !== null) {
  return state.keptAt === null ? '' : t('No connection. This is how it was {0} ({1}).', 'Pas de connexion. C’était ainsi {0} ({1}).',
   ago(Math.max(0, (Date.now() - state.keptAt) / 1000)), dateTime(state.keptAt))
 }
 if (!state.isOpen || old > 2 * pingSeconds) {
  return old === null ? t('Connecting…', 'Connexion…') : t('Connection lost: last heard {0}.', 'Connexion perdue : dernier signe {0}.', ago(old))
 }
 if (!state.isHubRunning) {
  return t('The hub does not answer, for {0} now. This is what it said last.', 'Le hub ne répond plus depuis {0}. Voici ce qu’il a dit en dernier.', span(hubSilence()))
 }
 return ''
}

const certificateText = ({ end, renewal }) => [t('End of the certificate of this page: {0}. Make another one on the hub’s machine, then restart the page: ', 'Fin du certificat de cette page : {0}. Créez-en un autre sur la machine du hub, puis relancez la page : ', dateTime(end)), h('code', renewal)]

const hubSilence = () => state.hubSilentSeconds + (silence() ?? 0)

// The view with everything else

function moreView() {
 const links = [
  [mayEditAll(), 'conflicts', t('Conflicts', 'Conflits'), state.conflictCount],
  [isOwner(), 'shares', t('Share a pool', 'Partager un bassin')], [isOwner(), 'watches', t('Watches', 'Montres')],
  [isOwner(), 'find', t('Devices and pools', 'Appareils et bassins')], [isOwner(), 'servers', t('Servers', 'Serveurs')],
  [isOwner(), 'channels', t('Alert settings', 'Réglages des alertes')], [isOwner(), 'keeping', t('History', 'Historique')],
  [isOwner(), 'accounts', t('Accounts', 'Comptes')], [isOwner(), 'changes', t('Changes', 'Modifications')],
  [isUser(), 'tokens', t('Tokens', 'Jetons')], [isUser(), 'password', t('Password', 'Mot de passe')],
 ].filter(([isAllowed]) => isAllowed && state.isCertain)
 return [
  h('h1', t('More', 'Plus')),
  h('ul.menu', links.map(([, key, text, count]) => h('li', h('a', { href: `#/${key}` }, text,
   count > 0 && h('span.count', count))))),
  h('p', state.me.kind === 'share' ? t('You see one pool by a link.', 'Vous voyez un bassin par un lien.') : [bdi(state.me.name), ', ', t(roleNames[state.me.role])]),
  button('log out', t('Log out', 'Se déconnecter'), async () => {
   await ask('DELETE', '/session')
   // A link would be opened again at once.
   if (state.me.kind === 'share') location.assign('/')
   else await leave(null)
  }, { class: 'quiet' }),
 ]
}

// Coming and going

async function begin() {
 entrance.step = null
 Object.assign(state, { isCertain: true, keptAt: null })
 forgetEverything()
 draw()
 // Until the hub is heard, what was last seen is shown.
 await restoreSnapshot().catch(() => false)
 if (state.heard === null) state.keptAt = null
 follow()
 draw()
}

async function leave(said) {
 stop()
 await forget()
 forgetEverything()
 entrance.said = said
 entrance.step = await enter(null).catch(() => 'login')
 if (entrance.step === null) begin()
 draw()
}

function forgetEverything() {
 seen.clear()
 forgetLoads()
}

async function start() {
 let me = null
 try {
  me = (await get('/me')).data
 } catch (problem) {
  if (problem.status === 0) return startWithoutServer()
 }
 state.me = me
 try {
  entrance.step = await enter(me)
 } catch {
  return startWithoutServer()
 }
 if (entrance.step === null) await begin()
 else draw()
}

// Without a server the last snapshot is shown, until there is one again.
async function startWithoutServer() {
 if (!state.me && !await restoreSnapshot().catch(() => false)) {
  fill(main, [p('empty', t('The server cannot be reached.', 'Le serveur est injoignable.'))])
 } else draw()
 setTimeout(start, 5000)
}

function arrive() {
 seen.clear()
 draw()
 scrollTo(0, 0)
 requestAnimationFrame(() => {
  main.focus({ preventScroll: true })
  const title = main.querySelector('h1')
  if (title) say(title.textContent)
 })
}

observe(draw)
listen(() => { if (state.isCertain) leave(t('Your session has ended. Log in again.', 'Votre session est terminée. Reconnectez-vous.')) }, confirmPassword)
listenForBegin(begin)
listenForDialogs((dialog, content) => update(dialog, h('div', content)))
addEventListener('hashchange', arrive)
addEventListener('resize', draw)
setInterval(() => { if (state.me) changed() }, 1000)
byId('skip').addEventListener('click', (event) => { event.preventDefault(); main.focus() })
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/worker.js').catch(() => {})
start()
