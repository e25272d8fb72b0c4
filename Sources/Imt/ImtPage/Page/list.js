// The list of patients, by pages and by search.

import { ask, get, withParameters } from './api.js'
import { button, field, form, h } from './dom.js'
import { fold, isOpen } from './folds.js'
import { may } from './page.js'
import { sideWords, t } from './words.js'

let page = 0
let find = ''

export async function listView(draw) {
 const found = await get(withParameters('/patients', { page, find }))
 page = found.number
 const turn = (step) => { page += step; draw() }
 return h('div',
  h('h1', t('Patients', 'Patients')),
  form(t('Search', 'Chercher'), (typed) => { find = typed.find; page = 0; draw() },
   field('find', t('Names', 'Noms'), { value: find, type: 'search' })),
  found.patients.length
   ? h('ul.patients', found.patients.map((one) => h('li',
    h('a', { href: `#patient/${one.patient.id}` }, h('bdi', name(one.patient))), transformationsOf(one))))
   : h('p', t('No patient is found.', 'Aucun patient.')),
  h('nav.row', { 'aria-label': t('Pages', 'Pages') },
   found.number > 0 && button('←', () => turn(-1), { 'aria-label': t('Previous page', 'Page précédente') }),
   t('page {0} of {1}', 'page {0} sur {1}', found.number + 1, found.pageCount),
   found.number + 1 < found.pageCount && button('→', () => turn(1), { 'aria-label': t('Next page', 'Page suivante') })),
  may('imt.edit') && h('details', h('summary', t('Add a patient', 'Ajouter un patient')), patientForm({}, t('Add', 'Ajouter'), async (typed) => {
   const made = await ask('POST', '/patients', typed)
   location.hash = `#patient/${made.id}`
  })))
}

// What folds out under a patient: the transformations, each a link that opens it.
function transformationsOf({ patient, count, sides = [] }) {
 const list = h('ul')
 const fill = async () => {
  try {
   const { transformations } = await get(`/patients/${patient.id}`)
   list.replaceChildren(...transformations.map((one) => h('li', h('a', { href: `#patient/${patient.id}`, onclick: () => fold(one.id, true) },
    h('bdi', one.name ?? t('without a name', 'sans nom'))))))
  } catch (error) {
   list.replaceChildren(h('li.problem', error.message))
  }
 }
 const card = h('details', {
  open: isOpen(patient.id),
  // It comes for a card that begins open, too.
  ontoggle: () => { fold(patient.id, card.open); if (card.open) fill() },
 }, h('summary', `${count} · ${sides.map((side) => sideWords[side]()).join(' + ') || '–'}`), list)
 return count ? card : h('span', '–')
}

export const name = (patient) => [patient.given, patient.family].filter(Boolean).map((one) => one.text).join(' ')

// The form of a patient: the first name is mandatory (prénom).
export const patientForm = (patient, label, submit) => form(label, submit,
 field('given', t('First name (mandatory)', 'Prénom (obligatoire)'), { value: patient.given?.text, 'aria-required': 'true' }),
 field('family', t('Family name', 'Nom'), { value: patient.family?.text }),
 field('birth', t('Date of birth', 'Date de naissance'), { value: patient.birth, type: 'date' }))
