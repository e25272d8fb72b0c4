// Changes of what others may change at the same time: the hub refuses a change of something that is no longer what was read.

import { ask, get } from './api.js'
import { Refusal } from './form.js'
import { put } from './loads.js'
import { t } from './words.js'

// What a form edits, with its entity tag: the newest, until something is typed. Undefined while it is not known.
export function saved(current, entry) {
 if (entry.data && !(current.base && (current.isTyped || current.isBusy))) current.base = { data: entry.data, tag: entry.tag }
 return current.base
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
