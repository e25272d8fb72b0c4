// What is folded out, remembered on this device only.

const foldsKey = 'imt-open'
const foldsMax = 200

function rememberedFolds() {
 try { return JSON.parse(localStorage.getItem(foldsKey)) ?? [] } catch { return [] }
}

const foldedOut = new Set(rememberedFolds())

export const isOpen = (id) => foldedOut.has(id)

// Notes that something was folded out or in; the oldest are forgotten.
export function fold(id, isNowOpen) {
 foldedOut.delete(id)
 if (isNowOpen) foldedOut.add(id)
 for (const oldest of [...foldedOut].slice(0, -foldsMax)) foldedOut.delete(oldest)
 try { localStorage.setItem(foldsKey, JSON.stringify([...foldedOut])) } catch { /* It is not remembered then. */ }
}
