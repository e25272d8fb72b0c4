// What views ask the server for: an answer is kept until its mark changes, and the old one is shown meanwhile.

import { ask, get } from './api.js'
import { p } from './dom.js'
import { problemText, Refusal } from './form.js'
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
export async function change(method, path, body, tag) {
 const answer = await ask(method, path, body, tag)
 for (const entry of kept.values()) entry.asked = undefined
 return answer
}

// What is shown while there is no answer.
export const loading = (entry) => p('hint', entry?.problem ? problemText(entry.problem) : t('Loading…', 'Chargement…'))

export function forgetLoads() { kept.clear() }

// Changes of what others may change at the same time: the hub refuses a change of something that is no longer what was read.

// What a form edits, with its entity tag: the newest, until something is typed. Undefined while it is not known.
export function saved(current, entry) {
 if (entry.data && !(current.base && (current.isTyped || current.isBusy))) current.base = { data: entry.data, tag: entry.tag }
 return current.base
}

// Changes the members of `now` that are no longer as in `base`, with the words for it.
export async function patch(current, path, base, now, describe) {
 const body = Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== (base[name] ?? null)))
 if (Object.keys(body).length === 0) return t('Nothing was changed.', 'Rien n’a changé.')
 await write(current, 'PATCH', path, body, describe)
 return t('Saved.', 'Enregistré.')
}

// The note for a field: what is there now, if that is something else than what was typed.
export const difference = (now, typed, shown = now) =>
 now !== typed && t('Now: {0}', 'Actuellement : {0}', shown || t('none', 'aucun'))

// Changes it if it is still what was read. If not, what is typed stays, and `describe` makes the notes with what is there now.
export async function write(current, method, path, body, describe, resource = path) {
 try {
  const answer = await ask(method, path, body, current.base.tag)
  current.base = method === 'POST' ? await get(resource) : answer
  put(resource, current.base)
 } catch (problem) {
  if (problem.status !== 412) throw problem
  const now = await get(resource)
  current.notes = describe(now.data)
  current.base = now
  throw new Refusal(undefined, t('Another person changed it meanwhile: see below what you typed. Save again to replace that.', 'Quelqu’un l’a modifié entre-temps : voyez sous votre saisie. Enregistrez encore pour remplacer.'))
 }
}
