// Forms: what was typed stays when the hub refuses it, and the sentence of the refusal stands at its field.

import { h, p, plainButton, problemLine, say } from './dom.js'
import { changed, seen } from './store.js'
import { plain, t, typed } from './words.js'

// The state of a form by its name: whether it is at work, its problem, and what it said last.
export function formState(name) {
 if (!seen.has(name)) seen.set(name, { name, isBusy: false, isTyped: false, problem: null, done: null, notes: {}, serial: 0 })
 return seen.get(name)
}

// A text of the server or the hub, so that it is read aloud as English.
export const english = (text) => h('span', { lang: 'en' }, text)

export function problemText(problem) {
 if (problem.status === 0) return t('The server cannot be reached. Nothing was changed; try again when it is back.', 'Le serveur est injoignable. Rien n’a changé ; réessayez à son retour.')
 return problem.kind && problem.language === 'en' ? english(problem.message) : problem.message
}

// A form, named by its button. `submit` gets what was typed by the names of the fields, and returns what is said then.
export function form(name, { button = t('Save', 'Enregistrer'), label = button, submit, keepsFields }, ...fields) {
 const current = formState(name)
 return h('form.form', {
  novalidate: true, 'aria-label': label, key: `${name}/${current.serial}`,
  oninput: () => { current.isTyped = true },
  onsubmit: (event) => {
   event.preventDefault()
   run(current, () => submit(new FormData(event.target), event.target), keepsFields)
  },
 },
 fields,
 current.problem && !isShownAtField(fields, current.problem.member)
  && problemLine(problemText(current.problem)),
 current.done && p('done', current.done),
 h('div.row', h('button.primary', button)))
}

function isShownAtField(fields, member) {
 return member && fields.flat(Infinity).some((one) => one instanceof Element
  && (one.dataset.member === member || one.querySelector(`[data-member="${CSS.escape(member)}"]`)))
}

// Runs an action: shows that it works, and its problem. What is typed meanwhile stays, and another press saves it.
export async function run(current, action, keepsFields = false) {
 if (current.isBusy) {
  current.next = [action, keepsFields]
  return
 }
 const { isTyped } = current
 let isChanged
 Object.assign(current, { isBusy: true, isTyped: false, problem: null, done: null, next: null })
 changed()
 try {
  const answer = await action()
  isChanged = current.isTyped
  const said = typeof answer === 'string' ? answer : null
  Object.assign(current, { isBusy: false, notes: {}, done: said })
  // New fields, with what the hub has now.
  if (!keepsFields && !isChanged) current.serial += 1
  if (said) say(said)
  refocus(current.name)
 } catch (problem) {
  if (problem.status === undefined) console.error(problem)
  isChanged = current.isTyped
  Object.assign(current, { isBusy: false, isTyped: isTyped || isChanged, problem })
  changed()
  focusProblem(current, problem)
 }
 if (isChanged && current.next) await run(current, ...current.next)
}

// Draws, and gives the focus to the button of a form or an action if what had it is gone.
function refocus(name) {
 changed()
 requestAnimationFrame(() => {
  if (document.activeElement !== document.body) return
  const place = document.querySelector(`[data-key="${CSS.escape(name)}"], [data-key^="${CSS.escape(name)}/"]`)
  place?.querySelector('button')?.focus()
 })
}

function focusProblem(current, problem) {
 const element = document.querySelector(`[data-key="${CSS.escape(`${current.name}/${current.serial}`)}"]`)
 const field = problem.member && element?.querySelector(`[data-member="${CSS.escape(problem.member)}"] :is(input, select)`)
 if (field) field.focus()
}

// A refusal by the page itself, before anything is sent.
export class Refusal extends Error {
 constructor(member, sentence) {
  super(sentence)
  this.status = 422
  this.member = member
 }
}

// The number of a field; undefined for an empty one.
export function numberOf(data, name, label, member = name) {
 const value = typed(data.get(name) ?? '')
 if (Number.isNaN(value)) throw new Refusal(member, t('{0} is “{1}”: type a number, such as {2}.', '{0} : « {1} ». Tapez un nombre, tel que {2}.', label, data.get(name), 7.2))
 return value
}

const idOf = (current, name) => `${current.name}-${name}`.replaceAll(' ', '-')

// A field with its label, hint, note and problem. `member` is its name in the API, if it has another one.
export function field(current, name, label, attributes = {}, hint = null, member = name) {
 const { options, ...others } = attributes
 const id = idOf(current, name)
 const problem = current.problem?.member === member ? current.problem : null
 const more = [
  hint && h('p.hint', { id: `${id}-hint` }, hint), current.notes[member] && h('p.note', { id: `${id}-note` }, current.notes[member]),
  problem && h('p.problem', { id: `${id}-problem`, role: 'alert' }, problemText(problem)),
 ].filter(Boolean)
 const common = {
  id, name, 'aria-describedby': more.map((one) => one.id).join(' ') || null, 'aria-invalid': problem ? 'true' : null, ...others, autocomplete: others.autocomplete ?? 'off',
 }
 return h('div.field', { key: id, 'data-member': member },
  h('label', { for: id }, label),
  options
   ? h('select', common, options.map(([value, text, isChosen]) =>
    h('option', { value, selected: Boolean(isChosen) }, text)))
   : h('input', { type: 'text', ...common }),
  more)
}

export const nameField = (current, value, autocomplete) =>
 field(current, 'name', t('Name', 'Nom'), { value, autocomplete, maxlength: 256 })
export const passwordField = (current, name = 'password', label = t('Password', 'Mot de passe')) =>
 field(current, name, label, { type: 'password', autocomplete: 'current-password' })
export const newPasswordField = (
 current, name = 'password', label = t('Password', 'Mot de passe'), hint = t('At least 10 characters.', 'Au moins 10 caractères.'),
) => field(current, name, label, { type: 'password', autocomplete: 'new-password' }, hint)

export const numeric = (value, decimals) => ({ inputmode: 'decimal', value: plain(value, decimals) })

// Fields of one member of the API, with its problem.
export const group = (current, member, title, ...content) => h('fieldset', { key: member, 'data-member': member }, h('legend', title), content,
 current.problem?.member === member && problemLine(problemText(current.problem)))

export function check(current, name, label, isOn = false) {
 const id = idOf(current, name)
 return h('div.check', h('input', { type: 'checkbox', id, name, checked: isOn }),
  h('label', { for: id }, label))
}

const trouble = ({ problem }) => problem && h('span.problem', { role: 'alert' }, problemText(problem))

// A button that does something at once; its problem is shown beside it.
export function button(name, text, action, attributes = {}) {
 const current = formState(name)
 return h('span.action', { key: name },
  plainButton(text, () => run(current, action, true), attributes), trouble(current))
}

// A button that asks once more before it does something.
export function riskyButton(name, text, question, action) {
 const current = formState(name)
 if (!current.isAsking) {
  return h('span.action', { key: name }, plainButton(text, () => { current.isAsking = true; refocus(name) }, { class: 'quiet danger' }), trouble(current))
 }
 return h('span.action.asking', { role: 'group', 'aria-label': question, key: name },
  h('span', question),
  plainButton(text, () => { current.isAsking = false; run(current, action, true) }, { class: 'danger' }),
  plainButton(t('Cancel', 'Annuler'), () => { current.isAsking = false; refocus(name) }))
}

// A secret that was just made, until it is dismissed; `text` is copied.
export const secret = (name, sentence, more, text = seen.get(name)) => [
 h('p', sentence), h('p.code', h('code', text)),
 h('div.row', copyButton(`copy ${name}`, text), more, plainButton(t('Done', 'Terminé'), () => { seen.delete(name); changed() })),
]

function copyButton(name, text) {
 return button(name, t('Copy', 'Copier'), async () => {
  await navigator.clipboard.writeText(text)
  say(t('Copied.', 'Copié.'))
 })
}
