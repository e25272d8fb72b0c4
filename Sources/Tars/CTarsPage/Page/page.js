// The page of a home: the things by room, shortcuts and scenes, and what owners add.

import { ask, get, listen } from './api.js'
import {
 actionWord, bdi, button, card, changed, check, field, form, formState, h, isOwner, language, languages, mayEditAll, observe, p, plainButton,
 riskyButton, say, seen, span, speak, state, stateWord, statusWord, t, update,
} from './kit.js'
import { confirmPassword, dialogs, enter, entrance, entranceView, listenForBegin, listenForDialogs } from './login.js'

const byId = (id) => document.getElementById(id)
const main = byId('main')
const views = { '': homeView, settings: settingsView }
const here = () => location.hash.replace(/^#\/?/, '')

// Redrawing

let isWaiting = false
function draw() {
 if (isWaiting) return
 isWaiting = true
 requestAnimationFrame(() => {
  isWaiting = false
  const isInside = state.me !== null && entrance.step === null
  byId('skip').textContent = t('Skip to content', 'Aller au contenu')
  fill(byId('top'), [h('a.brand', { href: '#/' }, 'TARS'), isInside && frame(), languageMenu()])
  const trouble = isInside && state.home && troubleText()
  fill(byId('bar'), [trouble && p('warn', trouble)])
  fill(main, isInside ? (views[here()] ?? homeView)() : entrance.step ? [entranceView()] : [p('empty', t('Loading…', 'Chargement…'))])
  for (const dialog of dialogs) dialog()
  document.title = `${main.querySelector('h1')?.textContent ?? ''} – TARS`
 })
}

const fill = (element, content) => update(element, h('div', content))

function troubleText() {
 if (!state.isOpen) return t('Connecting…', 'Connexion…')
 return state.home.isPhoneRunning ? '' : t('The phone does not answer. This is what it said last.', 'Le téléphone ne répond pas. Voici son dernier état.')
}

const tab = (key, text) => h('a', { href: `#/${key}`, 'aria-current': here() === key ? 'page' : null }, text)
const frame = () => [tab('', t('Home', 'Maison')), tab('settings', t('Settings', 'Réglages'))]

function languageMenu() {
 return h('select', {
  'aria-label': t('Another language', 'Autre langue'), onchange: (event) => { speak(event.target.value); draw() },
 }, Object.entries(languages).map(([code, name]) => h('option', { value: code, selected: code === language }, name)))
}

// The home

function homeView() {
 const { home } = state
 if (!home) return [p('empty', t('Loading…', 'Chargement…'))]
 const rooms = [...new Set(home.things.map((one) => one.room))]
 return [
  h('h1', t('Home', 'Maison')),
  home.shortcuts.length > 0 && card('shortcuts', t('Shortcuts', 'Raccourcis'), h('div.row', home.shortcuts.map(shortcutButton))),
  home.things.length === 0 && p('empty', t('Nothing is in the home yet.', 'Rien n’est encore dans la maison.')),
  rooms.map((room) => h('section', { key: `room ${room}` },
   h('h2', room === null ? t('No room', 'Sans pièce') : bdi(room)),
   h('ul.things', home.things.filter((one) => one.room === room).map(thingCard)))),
  home.scenes.length > 0 && card('scenes', t('Scenes', 'Scènes'), h('ul', home.scenes.map((scene) => h('li', { key: scene.id }, bdi(scene.name), ': ', scene.steps.join(', '))))),
 ]
}

function thingCard(thing) {
 const facts = []
 if (thing.ageSeconds != null && thing.isOld) facts.push(t('{0} old', 'il y a {0}', span(thing.ageSeconds + (Date.now() - state.saidAt) / 1000)))
 if (thing.presence === 'offline') facts.push(t('offline', 'hors ligne'))
 if (thing.rssi != null) facts.push(`${t('near', 'à portée')} ${thing.rssi} dBm`)
 if (thing.battery != null) facts.push(`${thing.battery} %`)
 const isOld = thing.isOld || thing.presence === 'offline'
 return h('li.card.thing', { key: thing.id, class: isOld ? 'card thing old' : 'card thing' },
  h('h2', bdi(thing.name)), p('state', stateWord(thing.state)), p('facts', facts.join(' · ')),
  thing.mayAct && controls(thing), statusLine(thing.id), thing.mayAct && editor(thing))
}

// What acts on a thing, by what it can do. A toggle is left out where it can be switched on and off.
function controls(thing) {
 const canSwitch = thing.abilities.some((one) => one.actions.includes('on'))
 return thing.abilities.filter((one) => !(canSwitch && one.actions[0] === 'toggle')).map((ability) => {
  const [word] = ability.actions
  if (ability.options) {
   return chooser(thing, word, h('select', { name: 'value', 'aria-label': actionWord(word) }, ability.options.map((one) => h('option', one))))
  }
  if (ability.minimum != null) {
   const { minimum: min, maximum: max, step } = ability
   const type = step === 1 && max - min <= 100 ? 'range' : 'number'
   return chooser(thing, word, h('input', { type, name: 'value', min, max, step, value: parseInt(thing.state, 10) || min, 'aria-label': actionWord(word) }))
  }
  if (word === 'program') return null
  return h('div.row', ability.actions.map((one) => actButton(thing, one, actionWord(one))),
   word === 'press' && ability.maximum > 0 && actButton(thing, 'press 3s', t('Hold', 'Maintenir') + ' 3 s'))
 })
}

// A value that is chosen first and sent then.
function chooser(thing, word, input) {
 return h('form.row', {
  key: `${thing.id} ${word}`, 'aria-label': `${thing.name} ${actionWord(word)}`,
  onsubmit: (event) => { event.preventDefault(); act(thing, `${word} ${new FormData(event.target).get('value')}`) },
 }, input, h('button', actionWord(word)))
}

const actButton = (thing, action, text) => plainButton(text, () => act(thing, action), { 'aria-label': `${thing.name}: ${text}` })

function act(thing, action) {
 return perform(thing, `/things/${thing.id}/commands`, { action }, `${thing.name} ${action}`)
}

// Sends a command once. A thing that asks first is asked about here, so that no command goes out that is refused for that.
async function perform(one, path, body, words) {
 if (one.confirm && !window.confirm(t('Confirm {0}?', 'Confirmer {0} ?', words))) return
 note(one.id, 'asked')
 try {
  const { data } = await ask('POST', path, { ...body, isConfirmed: one.confirm })
  note(one.id, data.status)
 } catch (problem) {
  note(one.id, null, problem)
 }
}

function note(id, status, problem = null) {
 state.statuses.set(id, { status, problem })
 if (status) say(statusWord(status))
 changed()
}

function statusLine(id) {
 const known = state.statuses.get(id)
 if (!known) return p('status')
 const isBad = known.problem || known.status.startsWith('refused') || known.status === 'expired'
 const text = known.problem ? known.problem.message || t('The server cannot be reached.', 'Le serveur est injoignable.') : statusWord(known.status)
 return h('p', { class: isBad ? 'status refused' : 'status', role: isBad ? 'alert' : null }, text)
}

const shortcutButton = (shortcut) => h('span', { key: shortcut.id },
 plainButton([shortcut.icon, shortcut.icon && ' ', shortcut.name], () => perform(shortcut, `/shortcuts/${shortcut.id}/runs`, {}, shortcut.name), { title: shortcut.runs }),
 state.statuses.has(shortcut.id) && [' ', statusLine(shortcut.id)])

function editor(thing) {
 const name = `edit ${thing.id}`
 if (!seen.get(`${name} open`)) return plainButton(t('Edit', 'Modifier'), () => { seen.set(`${name} open`, true); changed() }, { class: 'quiet', 'aria-label': `${t('Edit', 'Modifier')} ${thing.name}` })
 const current = formState(name)
 return [
  form(name, {
   submit: async (data) => {
    const wish = { name: data.get('name'), room: data.get('room'), confirm: data.get('confirm') !== null }
    const old = { name: thing.name, room: thing.room ?? '', confirm: thing.confirm }
    await ask('PATCH', `/things/${thing.id}`, Object.fromEntries(Object.entries(wish).filter(([key, value]) => old[key] !== value)))
    seen.delete(`${name} open`)
   },
  }, field(current, 'name', t('Name', 'Nom'), { value: thing.name }), field(current, 'room', t('Room', 'Pièce'), { value: thing.room ?? '' }),
  check(current, 'confirm', t('Ask before each action', 'Demander avant chaque action'), thing.confirm)),
  isOwner() && riskyButton(`remove ${thing.id}`, t('Remove', 'Retirer'), t('Remove {0}?', 'Retirer {0} ?', thing.name), () => ask('DELETE', `/things/${thing.id}`)),
 ]
}

// Settings

function settingsView() {
 return [
  h('h1', t('Settings', 'Réglages')),
  p('', t('You are {0}.', 'Vous êtes {0}.', state.me.name)),
  isOwner() && foundCard(), mayEditAll() && shortcutsCard(), mayEditAll() && conflictsCard(), isOwner() && watchesCard(),
  button('log out', t('Log out', 'Se déconnecter'), async () => {
   await ask('DELETE', '/session')
   await leave(null)
  }, { class: 'quiet' }),
 ]
}

// Loads what a card shows, once after each arrival.
function load(name, path) {
 if (!seen.has(`load ${name}`)) {
  seen.set(`load ${name}`, true)
  get(path).then(({ data }) => { state[name] = data; changed() }, () => { seen.delete(`load ${name}`) })
 }
 return state[name]
}

function reload(name) {
 seen.delete(`load ${name}`)
 changed()
}

function foundCard() {
 const found = load('found', '/found')
 const rows = [
  ...(found?.near ?? []).map((one) => ({ key: one.serial, title: `${one.serial} (${one.rssi} dBm)`, body: { serial: one.serial }, hasPIN: true })),
  ...(found?.announced ?? []).map((one) => ({ key: one.key, title: `${one.name} (${one.dialect})`, body: { key: one.key }, name: one.name })),
 ]
 return card('found', t('Add a device', 'Ajouter un appareil'),
  found && rows.length === 0 && p('empty', t('Nothing new is near, and nothing announced itself.', 'Rien de nouveau à portée, et rien ne s’est annoncé.')),
  rows.map((row) => {
   const name = `add ${row.key}`
   const current = formState(name)
   return h('section', { key: row.key }, h('h2', bdi(row.title)), form(name, {
    button: t('Add', 'Ajouter'), label: row.title,
    submit: async (data) => {
     const body = { ...row.body, name: data.get('name') }
     for (const key of ['room', 'pin']) if (data.get(key)) body[key] = data.get(key)
     await ask('POST', '/things', body)
     reload('found')
    },
   }, field(current, 'name', t('Name', 'Nom'), { value: row.name ?? '' }), field(current, 'room', t('Room', 'Pièce')),
   row.hasPIN && field(current, 'pin', t('PIN, or press its button first', 'Code PIN, ou appuyez d’abord sur son bouton'), { inputmode: 'numeric', maxlength: 6 })))
  }),
  [...(found?.announced ?? []).flatMap((one) => one.notes.map((note) => `${one.name}: ${note}`)), ...(found?.left ?? [])]
   .map((words) => h('p.facts', { key: words, lang: 'en' }, words)),
  plainButton(t('Try again', 'Réessayer'), () => reload('found'), { class: 'quiet' }))
}

function shortcutsCard() {
 const current = formState('shortcut')
 return card('define', t('Shortcuts', 'Raccourcis'),
  h('ul', (state.home?.shortcuts ?? []).map((one) => h('li.row', { key: one.id }, bdi(`${one.icon ?? ''} ${one.name}: ${one.runs}`),
   riskyButton(`forget ${one.id}`, t('Remove', 'Retirer'), t('Remove {0}?', 'Retirer {0} ?', one.name), () => ask('DELETE', `/shortcuts/${one.id}`))))),
  form('shortcut', {
   button: t('Define', 'Définir'),
   submit: (data) => ask('POST', '/shortcuts', { name: data.get('shortcut'), runs: data.get('runs') }),
  }, field(current, 'shortcut', t('Name', 'Nom'), {}, null, 'name'), field(current, 'runs', t('What it runs, such as Lamp on', 'Ce qu’il lance, comme Lamp on'))))
}

function conflictsCard() {
 const conflicts = load('conflicts', '/conflicts')
 const settle = (one, restoring) => async () => {
  await ask('POST', `/conflicts/${one.id}`, { restoring })
  reload('conflicts')
 }
 return card('conflicts', t('Edits that lost', 'Modifications perdues'),
  conflicts?.length === 0 && p('empty', t('No edit has lost.', 'Aucune modification perdue.')),
  h('ul', (conflicts ?? []).map((one) => h('li', { key: one.id }, p('', h('span', { lang: 'en' }, one.words)), h('div.row',
   button(`back ${one.id}`, t('Bring back', 'Rétablir'), settle(one, true)),
   button(`drop ${one.id}`, t('Forget', 'Oublier'), settle(one, false), { class: 'quiet' }))))))
}

// What each watch may do. A watch that may not act still shows the home.
function watchesCard() {
 const watches = load('watches', '/watches')
 const decide = (one, isGiven) => async () => {
  await ask('PATCH', `/watches/${encodeURIComponent(one.name)}`, { grant: 'tars.actuate', isGiven })
  reload('watches')
 }
 return card('watches', t('Watches', 'Montres'),
  watches?.length === 0 && p('empty', t('No watch is paired.', 'Aucune montre n’est associée.')),
  h('ul', (watches ?? []).map((one) => {
   const mayAct = one.grants.includes('tars.actuate')
   return h('li.row', { key: one.name }, h('span', bdi(one.name), ': ', mayAct ? t('acts', 'agit') : t('looks', 'regarde')),
    button(`grant ${one.name}`, mayAct ? t('Let it only look', 'Regarder seulement') : t('Let it act', 'Autoriser à agir'), decide(one, !mayAct),
     { class: 'quiet', 'aria-label': `${one.name}: ${mayAct ? t('Let it only look', 'Regarder seulement') : t('Let it act', 'Autoriser à agir')}` }))
  })))
}

// The stream of events. A page that is not seen follows nothing, because a browser opens six connections to a server.

let source = null
let timer = null

function follow() {
 stop()
 if (document.hidden || state.me === null) return
 source = new EventSource('/api/v1/events')
 source.onerror = () => {
  state.isOpen = false
  changed()
  if (source?.readyState === EventSource.CLOSED) timer = setTimeout(retry, 3000)
 }
 source.onopen = () => { state.isOpen = true; changed() }
 source.addEventListener('home', (event) => { state.home = JSON.parse(event.data); state.saidAt = Date.now(); changed() })
 source.addEventListener('ping', (event) => { if (state.home) Object.assign(state.home, JSON.parse(event.data)); changed() })
 source.addEventListener('end', retry)
}

function stop() {
 clearTimeout(timer)
 source?.close()
 source = null
 state.isOpen = false
}

// The session may have ended: asking who looks shows it.
async function retry() {
 stop()
 try {
  await get('/me')
  follow()
 } catch (problem) {
  if (problem.kind !== 'no-session') timer = setTimeout(retry, 3000)
 }
}

addEventListener('visibilitychange', () => (document.hidden ? stop() : follow()))

// Coming and going

function begin() {
 entrance.step = null
 seen.clear()
 follow()
 draw()
}

async function leave(said) {
 stop()
 Object.assign(state, { me: null, home: null, found: null, conflicts: null, watches: null })
 state.statuses.clear()
 seen.clear()
 entrance.said = said
 entrance.step = await enter(null).catch(() => 'login')
 if (entrance.step === null) begin()
 draw()
}

async function start() {
 try {
  state.me = (await get('/me')).data
 } catch (problem) {
  if (problem.status === 0) return showUnreachable()
 }
 try {
  entrance.step = await enter(state.me)
 } catch {
  return showUnreachable()
 }
 if (entrance.step === null) begin()
 draw()
}

function showUnreachable() {
 fill(main, [p('empty', t('The server cannot be reached.', 'Le serveur est injoignable.'))])
 setTimeout(start, 5000)
}

observe(draw)
listen(() => { if (state.me) leave(t('Your session has ended. Log in again.', 'Votre session est terminée. Reconnectez-vous.')) }, confirmPassword)
listenForBegin(begin)
listenForDialogs((dialog, content) => update(dialog, h('div', content)))
addEventListener('hashchange', () => { seen.clear(); draw(); main.focus({ preventScroll: true }) })
setInterval(() => { if (state.home) changed() }, 5000)
byId('skip').addEventListener('click', (event) => { event.preventDefault(); main.focus() })
start()
