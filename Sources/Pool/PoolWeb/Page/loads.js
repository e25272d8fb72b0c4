// What views ask the server for: an answer is kept until its mark changes, and the old one is shown meanwhile.

import { ask, get } from './api.js'
import { p } from './dom.js'
import { changed } from './store.js'
import { t } from './words.js'

const kept = new Map()

// The answer of a path; `mark` says of which state of things, such as the revision of the configuration.
export function load(path, mark) {
 if (!kept.has(path)) kept.set(path, { data: null, tag: null, problem: null, asked: undefined })
 const entry = kept.get(path)
 if (entry.asked !== mark) {
  entry.asked = mark
  get(path).then((answer) => Object.assign(entry, answer, { problem: null }), (problem) => Object.assign(entry, { problem }))
   .finally(changed)
 }
 return entry
}

// Notes an answer that came in another way.
export function put(path, answer) { kept.set(path, { ...answer, problem: null, asked: undefined }) }

// Changes something, and lets everything that is shown be asked for again.
export async function change(method, path, body) {
 const answer = await ask(method, path, body)
 for (const entry of kept.values()) entry.asked = undefined
 return answer
}

export const loading = () => p('hint', t('Loading…', 'Chargement…'))

export function forgetLoads() { kept.clear() }
