// The page of a person: what the stream says, and the commands that the person may send.

const words = {
  en: {
    other: 'Français', code: 'Code from the terminal (first account only)', name: 'Name', password: 'Password',
    enter: 'Log in', out: 'Log out', tiles: 'Own map in metres, north is up; there are no streets on it.',
    ask: 'Ask for a ride: choose where it begins, then where it ends, on the map', begin: 'Start here',
    cancel: 'Cancel', why: 'Why?', accept: 'Accept', refuse: 'Refuse', arrived: 'I am there', onBoard: 'Client on board',
    complete: 'Complete', work: 'Begin work', rest: 'End work', none: 'No ride', away: 'The server does not answer',
    operator: 'The drivers who work: ▲ available, △ on a ride; grey: older than 30 s, ?: place unknown.',
    demande: 'A driver is sought', accepte: 'Accepted', annule: 'Cancelled', completed: 'Completed',
    en_route: 'on the way', arrive: 'the driver waits', a_bord: 'on board', unknown: 'place unknown, not offline',
    disponible: 'Available', en_course: 'On a ride', hors_ligne: 'Off duty', old: 'old', to: 'Choose where it ends',
  },
  fr: {
    other: 'English', code: 'Code du terminal (premier compte seulement)', name: 'Nom', password: 'Mot de passe',
    enter: 'Se connecter', out: 'Se déconnecter', tiles: 'Carte propre en mètres, le nord en haut ; sans rues.',
    ask: 'Demander une course : choisissez le départ, puis l’arrivée, sur la carte', begin: 'Départ ici',
    cancel: 'Annuler', why: 'Pourquoi ?', accept: 'Accepter', refuse: 'Refuser', arrived: 'Je suis là',
    onBoard: 'Client à bord', complete: 'Terminer', work: 'Commencer', rest: 'Arrêter', none: 'Aucune course',
    away: 'Le serveur ne répond pas',
    operator: 'Les chauffeurs au travail : ▲ disponible, △ en course ; gris : plus de 30 s, ? : position inconnue.',
    demande: 'On cherche un chauffeur', accepte: 'Acceptée', annule: 'Annulée', completed: 'Terminée',
    en_route: 'en route', arrive: 'le chauffeur attend', a_bord: 'à bord', unknown: 'position inconnue, pas hors ligne',
    disponible: 'Disponible', en_course: 'En course', hors_ligne: 'Hors ligne', old: '', to: 'Choisissez l’arrivée',
  },
}

const metresPerDegree = 111195
const find = (id) => document.getElementById(id)
let language = navigator.language?.startsWith('fr') ? 'fr' : 'en'
let view = null
let centre = [15.315, -4.325]
let scale = 60
let depart = null
let stream = null
let places = null

const word = (key) => words[language][key] ?? key

async function send(method, path, body) {
  const headers = { 'accept-language': language }
  if (body) headers['content-type'] = 'application/json'
  let answer
  try {
    answer = await fetch('/api/v1' + path, { method, headers, body: body && JSON.stringify(body) })
  } catch {
    find('notice').textContent = word('away')
    return null
  }
  const content = answer.status === 204 ? {} : await answer.json()
  find('notice').textContent = answer.ok || answer.status === 401 ? '' : content.detail
  return answer.ok ? content : null
}

const identity = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function command(method, path, body = {}) {
  await send(method, path, { ...body, commande: identity() })
}

function make(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text) element.textContent = text
  return element
}

const price = (amount) => new Intl.NumberFormat(language, { style: 'currency', currency: 'CDF' }).format(amount)
const ageSeconds = (fix) => fix.mesuree === undefined ? Infinity : Math.max(0, (Date.now() - fix.mesuree) / 1000)

// Metres from the centre, in units of the picture.
function place([longitude, latitude]) {
  const east = (longitude - centre[0]) * metresPerDegree * Math.cos(centre[1] * Math.PI / 180)
  return [east / scale, (centre[1] - latitude) * metresPerDegree / scale]
}

function drawMap() {
  const map = find('map')
  map.replaceChildren()
  const ride = view?.ride && ['demande', 'accepte'].includes(view.ride.course.statut) ? view.ride : null
  const pins = []
  if (depart) pins.push(['●', depart, ''])
  for (const offer of view?.driving?.offres ?? []) pins.push(['●', offer.depart.coordinates, offer.course])
  if (ride) pins.push(['●', ride.course.depart_point.coordinates, ''], ['■', ride.course.arrivee_point.coordinates, ''])
  const fixes = [view?.driving?.fix, ride?.driver?.fix].filter(Boolean)
  const shown = [...fixes, ...(places ?? [])]
  const points = [...pins.map((pin) => pin[1]), ...shown.map((fix) => fix.localisation.coordinates)]
  if (ride || shown.length) {
    const middle = (index) => (Math.min(...points.map((p) => p[index])) + Math.max(...points.map((p) => p[index]))) / 2
    centre = [middle(0), middle(1)]
    scale = 1
    const far = Math.max(...points.map((p) => Math.max(...place(p).map(Math.abs))), 500)
    scale = far / 80
  }
  for (const [sign, point, label] of pins) {
    const [x, y] = place(point)
    map.append(make('text', { x, y, 'text-anchor': 'middle' }, `${sign} ${label}`))
  }
  for (const fix of shown) {
    const [x, y] = place(fix.localisation.coordinates)
    const age = ageSeconds(fix)
    const sign = fix.statut === 'en_course' ? '△' : '▲'
    const text = age > 120 ? '?' : places ? sign : `${sign} ${Math.round(age)} s`
    const mark = make('text', { x, y, 'text-anchor': 'middle', class: age > 30 ? 'grey' : '' }, text)
    if (places) mark.append(make('title', {}, `${fix.chauffeur}: ${word(fix.statut)}`))
    map.append(mark)
  }
  const metres = [100, 200, 500, 1000, 2000, 5000, 10000, 50000].find((length) => length / scale >= 25) ?? 100000
  map.append(make('path', { d: `M -95 94 h ${metres / scale}`, stroke: 'currentColor', 'stroke-width': 1 }))
  map.append(make('text', { x: -95, y: 91 }, metres < 1000 ? `${metres} m` : `${metres / 1000} km`))
  map.append(make('text', { x: 90, y: -90 }, 'N↑'))
}

function button(key, action) {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = word(key)
  element.onclick = action
  return element
}

function firstLine() {
  const ride = view.ride
  const parts = []
  if (ride) {
    if (ride.etaSeconds !== undefined) parts.push(`≈ ${Math.ceil(ride.etaSeconds / 60)} min`)
    if (ride.driver) parts.push(ride.driver.plaque, ride.driver.nom)
    if (ride.driver?.fix && ageSeconds(ride.driver.fix) > 120) parts.push(word('unknown'))
    parts.push(word(ride.course.statut) + (ride.phase ? `, ${word(ride.phase)}` : ''))
    if (ride.annulation) parts.push(ride.annulation)
    parts.push(price(ride.course.montant_estime))
  }
  if (view.driving) parts.push(word(view.driving.statut))
  return parts.join(' · ') || word('none')
}

function draw() {
  document.documentElement.lang = language
  find('language').textContent = word('other')
  find('out').textContent = word('out')
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word)
  if (!view) return
  find('first').textContent = firstLine()
  const open = view.ride && ['demande', 'accepte'].includes(view.ride.course.statut)
  const actions = find('actions')
  actions.replaceChildren()
  if (!open && !view.driving) actions.append(depart ? word('to') : word('ask'))
  if (open && (!view.driving || view.ride.course.statut === 'accepte')) {
    actions.append(button('cancel', async () => {
      const raison = prompt(word('why'))
      if (raison) await command('POST', '/course/annuler', { raison })
    }))
  }
  if (view.driving) {
    const statut = view.driving.statut
    if (statut === 'hors_ligne') actions.append(button('work', () => command('PUT', '/chauffeur/statut', { statut: 'disponible' })))
    if (statut === 'disponible') actions.append(button('rest', () => command('PUT', '/chauffeur/statut', { statut: 'hors_ligne' })))
    const phase = open && view.ride.phase
    if (phase === 'en_route') actions.append(button('arrived', () => command('POST', '/course/phase', { phase: 'arrive' })))
    if (phase === 'arrive') actions.append(button('onBoard', () => command('POST', '/course/phase', { phase: 'a_bord' })))
    if (phase === 'a_bord') actions.append(button('complete', () => command('POST', '/course/terminer')))
  }
  find('offers').replaceChildren(...(view.driving?.offres ?? []).map((offer) => {
    const item = document.createElement('li')
    item.append(`${offer.course}: ${offer.distanceMetres} m, ${price(offer.montant)}`,
      button('accept', () => command('POST', `/courses/${offer.course}/accepter`)),
      button('refuse', () => command('POST', `/courses/${offer.course}/refuser`)))
    return item
  }))
  drawMap()
}

function follow() {
  stream?.close()
  stream = new EventSource('/api/v1/flux')
  stream.addEventListener('vue', (event) => {
    view = JSON.parse(event.data)
    draw()
  })
  stream.addEventListener('end', begin)
}

async function watchDrivers() {
  const found = await send('GET', '/positions?limite=1000')
  if (!found || !places) return
  places = found
  find('first').textContent = word('operator')
  drawMap()
}

async function begin() {
  stream?.close()
  view = null
  places = null
  const me = await send('GET', '/me')
  const isOperator = me?.role === 'owner'
  find('login').hidden = Boolean(me)
  find('rides').hidden = !me
  find('out').hidden = !me
  find('who').textContent = me?.name ?? ''
  if (!me) {
    const setup = await send('GET', '/setup')
    find('login').elements.code.parentElement.hidden = !setup?.isNeeded
  } else if (isOperator) {
    places = []
    await watchDrivers()
  } else {
    follow()
  }
  draw()
}

find('map').onclick = async (event) => {
  const open = view?.ride && ['demande', 'accepte'].includes(view.ride.course.statut)
  if (!view || view.driving || open) return
  const box = find('map').getBoundingClientRect()
  const east = ((event.clientX - box.left) / box.width * 200 - 100) * scale
  const south = ((event.clientY - box.top) / box.height * 200 - 100) * scale
  const point = [
    centre[0] + east / metresPerDegree / Math.cos(centre[1] * Math.PI / 180), centre[1] - south / metresPerDegree,
  ]
  if (!depart) {
    depart = point
    return draw()
  }
  const [from, to] = [depart, point].map((coordinates) => ({ type: 'Point', coordinates }))
  depart = null
  await command('POST', '/courses', { depart_point: from, arrivee_point: to })
  draw()
}

find('login').onsubmit = async (event) => {
  event.preventDefault()
  const { code, name, password } = find('login').elements
  const isFirst = !code.parentElement.hidden && code.value
  const entered = isFirst
    ? await send('POST', '/setup', { code: code.value, name: name.value, password: password.value })
    : await send('POST', '/session', { name: name.value, password: password.value })
  if (entered) await begin()
}

find('language').onclick = () => {
  language = language === 'fr' ? 'en' : 'fr'
  draw()
}

find('out').onclick = async () => {
  await send('DELETE', '/session')
  await begin()
}

setInterval(() => view && draw(), 1000)
setInterval(() => places && watchDrivers(), 2000)
draw()
await begin()
