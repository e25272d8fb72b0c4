// The log: who did what, when, from which watch.

import { get } from './api.js'
import { h } from './dom.js'
import { t } from './words.js'

export async function logView() {
 const entries = await get('/log?limit=200')
 return h('div', h('h1', t('Log', 'Journal')), h('p.hint', t('It only grows, and holds ids instead of names.', 'Il ne fait que grandir, et contient des identifiants au lieu de noms.')),
  h('table', h('thead', h('tr', [t('when', 'quand'), t('who', 'qui'), t('what', 'quoi'), t('about', 'sujet'), ''].map((text) => h('th', text)))),
   h('tbody', entries.map((one) => h('tr', [one.at, one.who, one.action, one.subject, one.detail].map((text) => h('td', text)))))))
}
