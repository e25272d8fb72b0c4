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
  get(path).then((answer) => Object.assign(entry, answer, { problem: null }), (problem) => {
   entry.problem = problem
   // What is missing or forbidden stays so; everything else may go by.
   if (problem.status < 400 || problem.status > 404) setTimeout(() => { entry.asked = undefined; changed() }, 5000)
  }).finally(changed)
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

// What is shown while there is no answer.
export const loading = (entry) => p('hint', entry?.problem?.message || t('Loading…', 'Chargement…'))

export function forgetLoads() { kept.clear() }
