// Accounts, links for guests, tokens for scripts, and the own password.

import { ask, endSession } from './api.js'
import {
 ago, bdi, button, card, cards, change, changed, check, dateTime, field, form, formState, group, h, isOwner, load, nameField,
 newPasswordField, p, passwordField, poolWith, riskyButton, roleNames, secret, seen, state, t,
} from './kit.js'

const roleWords = {
 owner: ['owner: everything', 'propriétaire : tout'],
 member: ['member: changes what was granted', 'membre : modifie ce qui lui est accordé'],
 guest: ['guest: reads what was granted', 'invité : lit ce qui lui est accordé'],
}
const since = (time) => ago(Math.max(0, (Date.now() - Date.parse(time)) / 1000))

// Links

const lifetimes = [
 [3600, ['1 hour', '1 heure']], [86400, ['1 day', '1 jour']], [604800, ['1 week', '1 semaine']],
 [2592000, ['30 days', '30 jours']], [7776000, ['90 days', '90 jours']],
]

export function sharesView([poolID]) {
 const entry = load('/shares', 0)
 const current = formState('share')
 return [
  h('h1', t('Share a pool', 'Partager un bassin')),
  p('hint', t('A link shows one pool, and needs no account.', 'Un lien montre un bassin, sans compte.')),
  card('new', t('New link', 'Nouveau lien'), seen.get('link') ? madeLink() : form('share', {
    button: t('Make a link', 'Créer un lien'),
    submit: async (data) => {
     const body = { poolID: data.get('poolID'), expiresInSeconds: Number(data.get('expiresInSeconds')) }
     seen.set('link', (await change('POST', '/shares', body)).data.url)
    },
   },
   field(current, 'poolID', t('Pool', 'Bassin'), { options: state.pools.map((pool) => [pool.id, pool.name, pool.id === poolID]) }),
   field(current, 'expiresInSeconds', t('Valid for', 'Valable'), { options: lifetimes.map(([seconds, text]) => [seconds, t(text), seconds === 604800]) }))),
  cards(entry.data, t('No link is valid now.', 'Aucun lien valable.'), (share) => h('li.card', { key: share.id },
   h('h2', bdi(poolWith(share.poolID)?.name ?? t('a removed pool', 'un bassin supprimé'))),
   h('p', t('valid until {0}', 'valable jusqu’au {0}', dateTime(share.expires)), ' · ', t('used {0} ×', 'utilisé {0} ×', share.uses), ' · ', bdi(share.createdBy)),
   riskyButton(`share ${share.id}`, t('Revoke', 'Révoquer'), t('Revoke this link? It shows nothing from then on.', 'Révoquer ce lien ? Il ne montrera plus rien.'), () => change('DELETE', `/shares/${share.id}`)))),
 ]
}

function isLoopback(url) { return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url, location.href).hostname) }

function madeLink() {
 const url = seen.get('link')
 return [
  isLoopback(url) && p('note', t('This link works on this machine only: make it at the address that others use.', 'Ce lien ne marche que sur cette machine : créez-le à l’adresse que les autres utilisent.')),
  secret('link', t('Send this link. It is shown once.', 'Envoyez ce lien. Il ne s’affiche qu’une fois.'),
   navigator.share && button('send link', t('Send', 'Envoyer'), () => navigator.share({ url }).catch(() => {}), { class: 'primary' })),
 ]
}

// Accounts

export function accountsView() {
 const entry = load('/users', 0)
 const current = formState('account')
 const role = current.role ?? 'member'
 return [
  h('h1', t('Accounts', 'Comptes')),
  cards(entry.data, '', accountCard),
  card('new', t('New account', 'Nouveau compte'), form('account', {
    button: t('Create', 'Créer'),
    submit: async (data) => {
     const name = data.get('name')
     await change('POST', '/users', { name, password: data.get('password'), ...rightsOf(data) })
     current.role = undefined
     return t('The account {0} is there.', 'Le compte {0} est créé.', name)
    },
   },
   nameField(current),
   newPasswordField(current),
   roleFields(current, role, []))),
 ]
}

// The role, and the pools that are granted.
function roleFields(current, role, grants) {
 const has = (id) => grants.some((grant) => grant.poolID === id)
 return [
  field(current, 'role', t('Role', 'Rôle'), {
   options: Object.entries(roleWords).map(([one, text]) => [one, t(text), one === role]),
   onchange: (event) => { current.role = event.target.value; changed() },
  }),
  role !== 'owner' && group(current, 'grants', t('Pools', 'Bassins'),
   check(current, 'grant-all', t('all pools', 'tous les bassins'), has(null)),
   state.pools.map((pool) => check(current, `grant-${pool.id}`, pool.name, has(pool.id)))),
 ]
}

function rightsOf(data) {
 const role = data.get('role')
 if (role === 'owner') return { role }
 const level = role === 'guest' ? 'read' : 'edit'
 const pools = data.has('grant-all') ? [null] : state.pools.map((pool) => pool.id).filter((id) => data.has(`grant-${id}`))
 return { role, grants: pools.map((poolID) => ({ poolID, level })) }
}

function accountCard(user) {
 const current = formState(`user ${user.id}`)
 const edit = (body) => change('PATCH', `/users/${user.id}`, body)
 const role = current.role ?? user.role
 const pools = user.grants.map((grant) => (grant.poolID === null ? t('all pools', 'tous les bassins') : poolWith(grant.poolID)?.name ?? t('a removed pool', 'un bassin supprimé')))
 return h('li.card', { key: user.id },
  h('h2', bdi(user.name)),
  h('p', t(roleNames[user.role]), user.role !== 'owner' && [' · ', bdi(pools.join(', ') || t('no pool', 'aucun bassin'))],
   user.isDisabled && ` · ${t('disabled', 'désactivé')}`),
  p('hint', user.lastSeen ? t('seen {0}', 'vu {0}', since(user.lastSeen)) : t('never seen', 'jamais vu')),
  h('details', h('summary', { 'aria-label': `${t('Change', 'Modifier')}: ${user.name}` }, t('Change', 'Modifier')),
   form(current.name, {
    label: user.name,
    submit: async (data) => {
     await edit({ ...rightsOf(data), password: data.get('password') || undefined })
     current.role = undefined
     return t('Saved.', 'Enregistré.')
    },
   },
   roleFields(current, role, user.grants),
   newPasswordField(current, 'password', t('New password', 'Nouveau mot de passe'), t('Empty: it stays.', 'Vide : inchangé.'))),
   h('div.row',
    button(`able ${user.id}`, user.isDisabled ? t('Enable', 'Activer') : t('Disable', 'Désactiver'), () => edit({ isDisabled: !user.isDisabled })),
    riskyButton(`remove ${user.id}`, t('Remove', 'Supprimer'), t('Remove the account {0}?', 'Supprimer le compte {0} ?', user.name), () => change('DELETE', `/users/${user.id}`)))))
}

// Tokens

const scopes = {
 read: ['read', 'lire'], write: ['change', 'modifier'], metrics: ['measurements for Prometheus', 'mesures pour Prometheus'],
}

export function tokensView() {
 const entry = load('/tokens', 0)
 const current = formState('token')
 return [
  h('h1', t('Tokens', 'Jetons')),
  p('hint', t('For scripts: a token asks the API as you, without a password.', 'Pour des scripts : un jeton interroge l’API en votre nom, sans mot de passe.')),
  card('new', t('New token', 'Nouveau jeton'), seen.get('secret') ? secret('secret', t('Copy it now. It is shown once.', 'Copiez-le maintenant. Il ne s’affiche qu’une fois.')) : form('token', {
    button: t('Make a token', 'Créer un jeton'),
    submit: async (data) => {
     const wanted = Object.keys(scopes).filter((scope) => data.has(scope))
     seen.set('secret', (await change('POST', '/tokens', { name: data.get('name'), scopes: wanted })).data.secret)
    },
   },
   nameField(current),
   group(current, 'scopes', t('It may', 'Il peut'), Object.entries(scopes).map(([scope, text]) => check(current, scope, t(text), scope === 'read'))))),
  cards(entry.data, t('There is no token.', 'Aucun jeton.'), (token) => h('li.card', { key: token.id },
   h('h2', bdi(token.name)),
   h('p', isOwner() && [bdi(token.user), ' · '], token.scopes.map((scope) => t(scopes[scope])).join(', ')),
   p('hint', token.lastUsed ? t('used {0}', 'utilisé {0}', since(token.lastUsed)) : t('never used', 'jamais utilisé'),
    token.expires && ` · ${t('valid until {0}', 'valable jusqu’au {0}', dateTime(token.expires))}`),
   riskyButton(`token ${token.id}`, t('Revoke', 'Révoquer'), t('Revoke the token {0}?', 'Révoquer le jeton {0} ?', token.name), () => change('DELETE', `/tokens/${token.id}`)))),
 ]
}

// The own password and sessions

export function passwordView() {
 const current = formState('password')
 const sessions = load('/me/sessions', current.serial)
 const tokens = load('/tokens', current.serial).data?.filter((token) => token.user === state.me.name) ?? []
 return [
  h('h1', t('Password', 'Mot de passe')),
  h('section.card', { key: 'password' },
   form('password', {
    button: t('Change the password', 'Changer le mot de passe'),
    submit: async (data) => {
     await ask('POST', '/me/password', { current: data.get('current'), new: data.get('new'), keepsTokens: data.has('keepsTokens') })
     return t('The password is changed. All other sessions have ended.', 'Le mot de passe est changé. Toutes les autres sessions sont closes.')
    },
   },
   passwordField(current, 'current', t('Present password', 'Mot de passe actuel')),
   newPasswordField(current, 'new', t('New password', 'Nouveau mot de passe')),
   tokens.length > 0 && check(current, 'keepsTokens', t('My tokens for scripts go on: {0}', 'Mes jetons continuent : {0}', tokens.map((token) => token.name).join(', '))))),
  card('sessions', t('Where you are logged in', 'Où vous êtes connecté'), sessions.data && h('ul.log', sessions.data.map((one) => h('li', { key: one.id },
   h('span', bdi(one.agent || '–'), one.isThis && ` · ${t('here', 'ici')}`),
   h('span.when', t('used {0}', 'utilisé {0}', since(one.lastUsed))),
   !one.isThis && riskyButton(`session ${one.id}`, t('Sign out', 'Déconnecter'), t('End this session?', 'Clore cette session ?'), () => change('DELETE', `/me/sessions/${one.id}`))))),
  riskyButton('everywhere', t('Sign out everywhere', 'Déconnecter partout'), t('End every session, here, too?', 'Clore toutes les sessions, ici aussi ?'), async () => {
   await change('DELETE', '/me/sessions')
   endSession()
  })),
 ]
}
