// What is folded open, remembered on this device only.

const key = 'imt-open'
const countMax = 200

function remembered() {
 try { return JSON.parse(localStorage.getItem(key)) ?? [] } catch { return [] }
}

const open = new Set(remembered())

export const isOpen = (id) => open.has(id)

// Notes that something was opened or closed; the oldest are forgotten.
export function fold(id, isNowOpen) {
 open.delete(id)
 if (isNowOpen) open.add(id)
 for (const oldest of [...open].slice(0, -countMax)) open.delete(oldest)
 try { localStorage.setItem(key, JSON.stringify([...open])) } catch { /* It is not remembered then. */ }
}
