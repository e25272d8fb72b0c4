// Asks the phone. A refusal is an Error with the phone's sentence.

import { language, t } from './words.js'

const base = '/api/v1'
let whenEnded = () => {}
let askPassword = async () => false

// Sets what happens when a session has ended, and how a password is asked for.
export function listen(ended, password) {
 whenEnded = ended
 askPassword = password
}

export async function ask(method, path, body) {
 const isPicture = body instanceof Blob
 const headers = { 'Accept-Language': language }
 if (body !== undefined) headers['Content-Type'] = isPicture ? 'image/jpeg' : 'application/json'
 let answer
 try {
  answer = await fetch(base + path, { method, headers, cache: 'no-store', body: isPicture || body === undefined ? body : JSON.stringify(body) })
 } catch {
  throw new Error(t('The phone cannot be reached. Nothing was changed.', 'Le téléphone est injoignable. Rien n’a changé.'))
 }
 if (answer.status === 204) return null
 const data = await answer.json().catch(() => null)
 if (answer.ok) return data
 const kind = String(data?.type ?? '').split(':').pop()
 if (kind === 'no-session') whenEnded()
 if (kind === 'confirm-password' && await askPassword()) return ask(method, path, body)
 throw new Error(data?.detail ?? t('The phone failed ({0}).', 'Le téléphone a échoué ({0}).', answer.status))
}

export const get = (path) => ask('GET', path)

// A path with parameters, without those that are missing.
export const withParameters = (path, parameters) =>
 `${path}?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value != null && value !== ''))}`

export const pictureOf = (photo) => `${base}/photos/${photo.id}/picture`
export const thumbOf = (photo) => `${base}/photos/${photo.id}/thumb`
