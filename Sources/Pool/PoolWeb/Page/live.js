// Follows the stream of events, and opens it again when it ends. A browser opens six connections to a server, so its pages share
// one stream: the page that has the lock follows it, and the others hear from that page. A page that nobody sees follows nothing.

import { get } from './api.js'
import { changed, hear, keepSnapshot, received, silence, state } from './store.js'

let liveName = null
let channel = null
let source = null
// Ends the wait for the lock, or gives it back.
let giveUp = () => {}
let timer = null
let keeping = null
let failures = 0

const retryMilliseconds = 3000
const keepMilliseconds = 2000

const events = {
 configuration: (data) => Object.assign(state, {
  pools: data.pools, devices: received(data.devices, data.now), revision: data.revision, conflictCount: data.conflictCount, keptAt: null,
 }),
 reading: (data) => {
  const newer = new Map(received(data.devices, data.now).map((device) => [device.id, device]))
  state.devices = state.devices.map((device) => newer.get(device.id) ?? device)
  const judged = new Map(data.pools.map((pool) => [pool.id, pool]))
  state.pools = state.pools.map((pool) => judged.get(pool.id) ?? pool)
 },
 alert: (data) => Object.assign(state, { alerts: data.alerts, moreAlerts: data.moreCount }),
 link: noteLink,
 ping: noteLink,
}

export function follow() {
 stop()
 // Pages of one account only: what an owner is shown is not for a guest in the next tab.
 liveName = `live ${state.me.kind} ${state.me.name}`
 if (window.BroadcastChannel && navigator.locks) {
  channel = new BroadcastChannel(liveName)
  channel.onmessage = ({ data }) => receive(data)
 }
 look()
}

export function stop() {
 rest()
 channel?.close()
 channel = liveName = null
}

// Begins when the page is seen, and rests while it is not.
function look() {
 if (!liveName) return
 if (document.hidden) return rest()
 if (source) return
 state.resumed = performance.now()
 giveUp()
 if (!channel) return open()
 const waiting = new AbortController()
 giveUp = () => waiting.abort()
 navigator.locks.request(liveName, { signal: waiting.signal }, () => new Promise((done) => {
  giveUp = done
  open()
 })).catch(() => { /* It was not waited for any longer. */ })
 channel.postMessage({ type: 'ask' })
}

function rest() {
 clearTimeout(timer)
 source?.close()
 source = null
 state.isOpen = false
 giveUp()
 giveUp = () => {}
}

addEventListener('visibilitychange', look)
addEventListener('pageshow', look)
addEventListener('pagehide', rest)

function open() {
 source = new EventSource('/api/v1/events')
 source.onerror = () => {
  // A refused stream does not open itself again.
  if (source?.readyState === EventSource.CLOSED) again()
  tell({ type: 'lost' })
 }
 for (const type of Object.keys(events)) source.addEventListener(type, (event) => tell({ type, data: JSON.parse(event.data) }))
 source.addEventListener('end', () => tell({ type: 'end' }))
}

// The session may have ended, or the server has no room: asking who looks shows which.
function again() {
 source?.close()
 clearTimeout(timer)
 timer = setTimeout(retry, failures ? retryMilliseconds : 0)
 failures += 1
}

async function retry() {
 try {
  await get('/me')
  if (liveName) follow()
 } catch (problem) {
  if (problem.kind !== 'no-session' && liveName) again()
 }
}

// Notes something, and passes it on to the other pages.
function tell(message) {
 channel?.postMessage(message)
 receive(message)
}

function receive({ type, data }) {
 if (type === 'ask') {
  if (source && state.isOpen) channel.postMessage({ type: 'all', data: everything() })
  return
 }
 if (type === 'end') return again()
 if (type === 'lost') state.isOpen = false
 else {
  failures = 0
  state.isOpen = true
  if (type === 'all') {
   Object.assign(state, data.shown, { keptAt: null })
   hear(data.hub, data.silence)
  } else {
   hear(Date.parse(data.now))
   events[type](data)
  }
 }
 changed()
 if (source) keeping ??= setTimeout(keep, keepMilliseconds)
}

// What a page knows that has just come.
function everything() {
 const { pools, devices, alerts, moreAlerts, conflictCount, revision, watches, isHubRunning, hubSilentSeconds, certificate } = state
 const shown = { pools, devices, alerts, moreAlerts, conflictCount, revision, watches, isHubRunning, hubSilentSeconds, certificate }
 return { shown, hub: state.heard.hub, silence: silence() }
}

function keep() {
 keeping = null
 // Without room for it, the page works as well.
 keepSnapshot().catch(() => {})
}

function noteLink(data) {
 Object.assign(state, {
  isHubRunning: data.isHubRunning, hubSilentSeconds: data.hubSilentSeconds, watches: data.watches ?? [], certificate: data.certificate,
 })
}
