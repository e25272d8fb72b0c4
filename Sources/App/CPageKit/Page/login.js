// Before the pools are seen: the first owner, the login, and a link for guests.

import { ask } from './api.js'
import {
 button, changed, field, form, formState, h, nameField, newPasswordField, passwordField, plainButton, problemLine, state, t,
} from './kit.js'

// What is to be done first: 'setup', 'login', 'link', or null when a person is logged in.
export const entrance = { step: null, said: null, problem: null }

let whenBegun = () => {}
export function listenForBegin(listener) { whenBegun = listener }

const linkSecret = () => (location.pathname.startsWith('/s/') ? location.pathname.slice(3) : null)
const shown = 'shown-link'

// Finds out what is to be done first, for a person who is logged in (`me`) or not (null).
export async function enter(me) {
 if (linkSecret()) {
  if (me?.kind === 'share' && sessionStorage.getItem(shown) === linkSecret()) return null
  if (me?.kind === 'user') return 'link'
  await openLink()
  return entrance.problem ? 'link' : null
 }
 if (me) return null
 const { data } = await ask('GET', '/setup')
 return data.isNeeded ? 'setup' : 'login'
}

async function openLink() {
 entrance.problem = null
 try {
  state.me = (await ask('POST', '/session', { share: linkSecret() })).data
  sessionStorage.setItem(shown, linkSecret())
 } catch (problem) {
  entrance.problem = problem
 }
}

const panel = (title, ...content) => h('section.card', { key: entrance.step }, h('h1', title), content)

export function entranceView() {
 return h('div.entrance', { setup, login, link }[entrance.step]())
}

function setup() {
 const current = formState('setup')
 return panel(t('Welcome', 'Bienvenue'),
  h('p', t('There is no account yet. With the code that the server’s terminal shows you become the owner.', 'Il n’y a pas encore de compte. Avec le code qu’affiche le terminal du serveur, vous devenez propriétaire.')),
  form('setup', {
   button: t('Create the account', 'Créer le compte'),
   submit: async (data) => {
    const [code, name, password] = ['code', 'name', 'password'].map((field) => data.get(field))
    state.me = (await ask('POST', '/setup', { code: code.trim(), name, password })).data
    whenBegun()
   },
  },
  field(current, 'code', 'Code', { autocapitalize: 'characters', spellcheck: 'false', class: 'code' }),
  nameField(current, undefined, 'username'),
  newPasswordField(current)))
}

function login() {
 const current = formState('login')
 return panel(t('Log in', 'Se connecter'),
  entrance.said && h('p.note', { role: 'alert' }, entrance.said),
  form('login', {
   button: t('Log in', 'Se connecter'),
   submit: async (data) => {
    state.me = (await ask('POST', '/session', { name: data.get('name'), password: data.get('password') })).data
    entrance.said = null
    whenBegun()
   },
  },
  nameField(current, undefined, 'username'),
  passwordField(current)))
}

function link() {
 if (state.me?.kind === 'user' && !entrance.problem) {
  return panel(t('A link', 'Un lien'),
   h('p', t('You are logged in as {0}. Opening this link logs you out.', 'Vous êtes connecté : {0}. Ouvrir ce lien vous déconnecte.', state.me.name)),
   h('div.row',
    button('open link', t('Open the link', 'Ouvrir le lien'), async () => {
     await openLink()
     whenBegun()
    }, { class: 'primary' }),
    button('stay', t('Stay logged in', 'Rester connecté'), async () => location.assign('/'), { class: 'quiet' })))
 }
 return panel(t('This link does not work', 'Ce lien ne fonctionne pas'),
  problemLine(entrance.problem?.status
   ? t('It is unknown, revoked or too old. Ask for another one.', 'Il est inconnu, révoqué ou trop vieux. Demandez-en un autre.') : t('The server cannot be reached.', 'Le serveur est injoignable.')),
  h('div.row', button('again', t('Try again', 'Réessayer'), async () => {
   await openLink()
   if (!entrance.problem) whenBegun()
  }, { class: 'primary' }), h('a', { href: '/' }, t('Log in', 'Se connecter'))))
}

// Asks for the password once more, for actions that need it; true when it was confirmed.
export function confirmPassword() {
 return new Promise((resolve) => {
  const current = formState('confirm')
  const dialog = h('dialog', { 'aria-labelledby': 'confirm-title' })
  const draw = () => {
   const content = [
    h('h2', { id: 'confirm-title' }, t('Please confirm your password', 'Confirmez votre mot de passe')),
    form('confirm', {
     button: t('Confirm', 'Confirmer'),
     submit: async (data) => {
      state.me = (await ask('POST', '/session/confirmation', { password: data.get('password') })).data
      close(true)
     },
    }, passwordField(current)),
    plainButton(t('Cancel', 'Annuler'), () => close(false)),
   ]
   drawDialog(dialog, content)
  }
  const close = (isConfirmed) => {
   dialogs.delete(draw)
   dialog.close()
   dialog.remove()
   resolve(isConfirmed)
   changed()
  }
  dialog.oncancel = (event) => { event.preventDefault(); close(false) }
  dialogs.add(draw)
  document.body.append(dialog)
  draw()
  dialog.showModal()
 })
}

// The open dialogs, which are drawn with the page.
export const dialogs = new Set()
let drawDialog = () => {}
export function listenForDialogs(draw) { drawDialog = draw }
