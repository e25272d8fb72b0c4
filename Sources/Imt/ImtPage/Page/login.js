// The first account, the login, and the password once more.

import { ask } from './api.js'
import { dialog, field, form, h } from './dom.js'
import { t } from './words.js'

const nameField = () => field('name', t('Name', 'Nom'), { autocomplete: 'username', required: true })
const passwordField = (kind) => field('password', t('Password', 'Mot de passe'), { type: 'password', autocomplete: kind, required: true })

// What is shown to a person who is not logged in.
export async function entrance(begun) {
 const { isNeeded } = await ask('GET', '/setup')
 if (!isNeeded) {
  return h('section.card', h('h1', t('Log in', 'Se connecter')),
   form(t('Log in', 'Se connecter'), async (typed) => { await ask('POST', '/session', typed); begun() },
    nameField(), passwordField('current-password')))
 }
 return h('section.card', h('h1', t('Welcome', 'Bienvenue')),
  h('p', t('There is no account yet. With the code that the phone’s terminal shows you become the owner.', 'Il n’y a pas encore de compte. Avec le code qu’affiche le terminal du téléphone, vous devenez propriétaire.')),
  form(t('Create the account', 'Créer le compte'), async (typed) => { await ask('POST', '/setup', { ...typed, code: typed.code.trim() }); begun() },
   field('code', 'Code', { autocapitalize: 'characters', spellcheck: 'false', required: true }), nameField(),
   field('password', t('Password', 'Mot de passe'), { type: 'password', autocomplete: 'new-password', required: true }, t('At least 10 characters.', 'Au moins 10 caractères.'))))
}

// Asks for the password once more; true when it was confirmed.
export const confirmPassword = () => dialog(t('Please confirm your password', 'Confirmez votre mot de passe'), (close) =>
 form(t('Confirm', 'Confirmer'), async ({ password }) => { await ask('POST', '/session/confirmation', { password }); close(true) }, passwordField('current-password')))
