// What the page knows: who looks, the pools and devices, the alerts, and the clock of the hub. It keeps the last snapshot for
// the time without a server.

const nothing = () => ({
 me: null, pools: [], devices: [], alerts: [], moreAlerts: 0, conflictCount: 0, watches: [], revision: 0,
 // Whether the server said who looks; false while only a kept snapshot is known.
 isCertain: false,
 // Whether the stream of events is open, and whether the hub answers, and how long it had been silent when heard last;
 // and when the page was seen again.
 isOpen: false, resumed: 0, isHubRunning: true, hubSilentSeconds: 0,
 // For owners: the certificate of the page, if it ends soon.
 certificate: null,
 // When something was last heard.
 heard: null,
 // When the shown snapshot was kept, if nothing newer came.
 keptAt: null,
})
export const state = nothing()

// What the shown view remembers, such as its forms, by name. It is empty after each arrival at a view.
export const seen = new Map()

let redraw = () => {}

// Sets what draws the page after each change.
export function observe(draw) { redraw = draw }

export function changed() { redraw() }

// A moment by two clocks of the browser: one stands still while the machine sleeps, the other one may be set.
const moment = () => ({ steady: performance.now(), wall: Date.now() })

// The seconds since a moment. The larger one counts: what is old must not look new.
function secondsSince(then) {
 const now = moment()
 return Math.max(0, now.steady - then.steady, now.wall - then.wall) / 1000
}

// Notes that the server said something so many seconds ago, at the hub's time `hub` in milliseconds.
export function hear(hub, ago = 0) {
 const { steady, wall } = moment()
 state.heard = { steady: steady - ago * 1000, wall: wall - ago * 1000, hub }
}

// The seconds since the server was last heard; null before the first time.
export const silence = () => (state.heard ? secondsSince(state.heard) : null)

// The time by the hub's clock, in milliseconds; the browser's clock before the first event.
export function hubNow() {
 return state.heard ? state.heard.hub + secondsSince(state.heard) * 1000 : Date.now()
}

// Notes when devices were as they are, so that their ages can grow.
export function received(devices, now) {
 for (const device of devices) device.asOf = Date.parse(now)
 return devices
}

// The age of a value in seconds by the hub's clock; null if it is unknown.
export function ageOf(thing, device) {
 if (thing.ageSeconds == null) return null
 return thing.ageSeconds + Math.max(0, Math.round((hubNow() - device.asOf) / 1000))
}

// How fresh a value is now: it may have become old since the hub said it; a device that says itself that it is
// offline stays so.
export function freshness(thing, device) {
 const age = ageOf(thing, device)
 if (age == null || ['offline', 'lastKnown', 'never'].includes(thing.freshness)) return thing.freshness
 const interval = Math.max(1, device.expectedIntervalSeconds)
 return age <= 3 * interval ? 'live' : age <= 20 * interval ? 'stale' : 'offline'
}

// The status of a device now, with its word.
export function statusOf(device) {
 const fresh = device.readings.map((gauge) => freshness(gauge, device))
 if (fresh.includes('live') || !['normal', 'warning', 'critical'].includes(device.status)) {
  return { status: device.status, word: device.statusText }
 }
 return fresh.includes('stale') ? { status: 'stale', word: 'STALE' } : { status: 'offline', word: 'OFFLINE' }
}

// Whether what is shown may be old: nothing is heard of the hub now.
export function isDeaf() {
 return !state.isCertain || !state.isOpen || state.keptAt !== null || !state.isHubRunning || silence() > 30
}

const severity = ['critical', 'warning', 'offline', 'stale', 'normal']

// The worst status of the devices of a pool.
export function statusOfPool(pool) {
 const all = devicesOf(pool.id).map(statusOf)
 for (const status of severity) {
  const found = all.find((one) => one.status === status)
  if (found) return found
 }
 return { status: 'offline', word: 'NO DEVICE' }
}

// The newest values of what a device measures; a quantity that it never had is not shown.
export const measured = (device) => device.readings.filter((gauge) => gauge.isMeasured !== false)

export const devicesOf = (pool) => state.devices.filter((device) => (device.poolID ?? null) === pool)
export const deviceWith = (id) => state.devices.find((device) => device.id === id)
export const poolWith = (id) => state.pools.find((pool) => pool.id === id)

// Rights. The server decides; these only spare people buttons that would be refused.
export const isOwner = () => state.me?.role === 'owner'
export const isUser = () => state.me?.kind === 'user'
export function mayEdit(pool) {
 if (!state.me || state.me.role === 'guest' || !state.isCertain) return false
 return isOwner() || state.me.grants.some((one) => one.level === 'edit' && (one.poolID === null || one.poolID === pool))
}
export const mayEditAll = () => mayEdit(null)

// The last snapshot

const cacheName = 'snapshot'
const cacheKey = '/last-snapshot'

// Keeps what is shown now.
export async function keepSnapshot() {
 if (!window.caches || !state.me) return
 const { me, pools, devices, alerts, moreAlerts } = state
 const text = JSON.stringify({ shown: { me, pools, devices, alerts, moreAlerts }, hub: state.heard?.hub, at: Date.now() })
 const cache = await caches.open(cacheName)
 await cache.put(cacheKey, new Response(text, { headers: { 'Content-Type': 'application/json' } }))
}

// Shows the kept snapshot, if there is one of the same account; true if there is.
export async function restoreSnapshot() {
 if (!window.caches) return false
 const kept = await (await caches.match(cacheKey, { cacheName }))?.json().catch(() => null)
 if (!kept) return false
 const { shown, hub, at } = kept
 const me = state.me ?? shown.me
 if (me.name !== shown.me.name || me.kind !== shown.me.kind) return false
 Object.assign(state, shown, { me, keptAt: at })
 if (hub) state.heard = { steady: performance.now() - Math.max(0, Date.now() - at), wall: at, hub }
 return true
}

// Forgets it, and everything that is shown.
export async function forget() {
 Object.assign(state, nothing())
 if (window.caches) await caches.delete(cacheName)
}
