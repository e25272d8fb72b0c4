// Follows the stream of events, and opens it again when it ends.

import { get } from './api.js'
import { changed, hear, keepSnapshot, received, state } from './store.js'

let source = null
let timer = null
let keeping = null

const retryMilliseconds = 3000
const keepMilliseconds = 2000

export function follow() {
 stop()
 source = new EventSource('/api/v1/events')
 source.onerror = () => {
  state.isOpen = false
  // A refused stream does not open itself again.
  if (source?.readyState === EventSource.CLOSED) timer = setTimeout(retry, retryMilliseconds)
  changed()
 }
 source.addEventListener('configuration', on((data) => {
  Object.assign(state, {
   pools: data.pools, devices: received(data.devices, data.now), revision: data.revision,
   conflictCount: data.conflictCount, keptAt: null,
  })
 }))
 source.addEventListener('reading', on((data) => {
  const newer = new Map(received(data.devices, data.now).map((device) => [device.id, device]))
  state.devices = state.devices.map((device) => newer.get(device.id) ?? device)
 }))
 source.addEventListener('alert', on((data) => {
  Object.assign(state, { alerts: data.alerts, moreAlerts: data.moreCount })
 }))
 source.addEventListener('link', on(noteLink))
 source.addEventListener('ping', on(noteLink))
}

export function stop() {
 clearTimeout(timer)
 source?.close()
 source = null
 state.isOpen = false
}

// The session may have ended, or the server has no room: asking who looks shows which.
async function retry() {
 try {
  await get('/me')
  follow()
 } catch (problem) {
  if (problem.kind !== 'no-session') timer = setTimeout(retry, retryMilliseconds)
 }
}

function noteLink(data) {
 Object.assign(state, {
  isHubRunning: data.isHubRunning, hubSilentSeconds: data.hubSilentSeconds, watches: data.watches ?? [], certificate: data.certificate,
 })
}

function on(note) {
 return (event) => {
  const data = JSON.parse(event.data)
  hear(data.now)
  state.isOpen = true
  note(data)
  changed()
  keeping ??= setTimeout(() => {
   keeping = null
   // Without room for it, the page works as well.
   keepSnapshot().catch(() => {})
  }, keepMilliseconds)
 }
}
