// Asks the server. A refusal is a Problem, whose sentence the page shows where it belongs.

import { language } from './words.js'

// Why the server refused something (RFC 9457), or that it could not be reached (status 0).
export class Problem extends Error {
 constructor(body, language) {
  super(body.detail)
  this.status = body.status
  this.kind = String(body.type ?? '').split(':').pop()
  this.member = body.member
  this.present = body.present
  // That of its sentence.
  this.language = language ?? 'en'
 }
}

const unreachable = (status = 0) => new Problem({ status, type: 'unreachable', detail: '' })

const base = '/api/v1'
let whenEnded = () => {}
let askPassword = async () => false

// Sets what happens when a session has ended, and how a password is asked for: it answers true when it was confirmed.
export function listen(ended, password) {
 whenEnded = ended
 askPassword = password
}

// Leaves what is shown: the session is over.
export const endSession = () => whenEnded()

// Asks, and returns what came and its entity tag.
export async function ask(method, path, body, tag) {
 const headers = { 'Accept-Language': language }
 if (body !== undefined) headers['Content-Type'] = 'application/json'
 if (tag) headers['If-Match'] = tag
 let answer
 try {
  answer = await fetch(base + path, {
   method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store',
  })
 } catch {
  throw unreachable()
 }
 if (answer.status === 204) return { data: null, tag: null }
 const data = await answer.json().catch(() => null)
 if (answer.ok) return { data, tag: answer.headers.get('ETag') }
 const problem = data?.detail ? new Problem(data, answer.headers.get('Content-Language')) : unreachable(answer.status >= 500 ? 0 : answer.status)
 if (problem.kind === 'no-session') whenEnded()
 if (problem.kind === 'confirm-password' && await askPassword()) return ask(method, path, body, tag)
 throw problem
}

export const get = (path) => ask('GET', path)

// A path with parameters, without those that are undefined.
export function withParameters(path, parameters) {
 const text = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''))
 return text.size ? `${path}?${text}` : path
}
