// The start of the page: who looks, which view is shown, and the frame around it.

import { ask, get, listen } from './api.js'
import { h } from './dom.js'
import { listView } from './list.js'
import { logView } from './log.js'
import { confirmPassword, entrance } from './login.js'
import { patientView } from './patient.js'
import { language, speak, t } from './words.js'

const byId = (id) => document.getElementById(id)
let me = null
let rights = []

// Whether the person may do something.
export const may = (right) => rights.includes(right)

const routes = { '': listView, patient: patientView, log: logView }

async function draw() {
 const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/')
 byId('skip').textContent = t('Skip to content', 'Aller au contenu')
 byId('top').replaceChildren(...frame())
 let view
 try {
  view = me ? await (routes[name] ?? listView)(draw, ...rest) : await entrance(begin)
 } catch (error) {
  view = h('p.problem', { role: 'alert' }, error.message)
 }
 byId('main').replaceChildren(view)
 document.title = `${view.querySelector?.('h1')?.textContent ?? ''} – IMT`
}

function frame() {
 return [
  h('a', { href: '#' }, 'IMT'),
  me?.role === 'owner' && h('a', { href: '#log' }, t('Log', 'Journal')),
  me && h('span', h('bdi', me.name)),
  me && h('button', { type: 'button', onclick: async () => { await ask('DELETE', '/session').catch(() => {}); me = null; draw() } }, t('Log out', 'Se déconnecter')),
  h('button', { type: 'button', lang: language === 'fr' ? 'en' : 'fr', onclick: () => { speak(language === 'fr' ? 'en' : 'fr'); draw() } }, language === 'fr' ? 'English' : 'Français'),
 ].filter(Boolean)
}

// Finds out who looks, and draws.
async function begin() {
 try {
  me = await get('/me')
  rights = await get('/rights')
 } catch {
  me = null
 }
 await draw()
}

listen(() => { if (me) { me = null; draw() } }, confirmPassword)
window.onhashchange = async () => { await draw(); byId('main').focus() }
begin()
