// The list of patients, by pages and by search.

import { ask, get, withParameters } from './api.js'
import { button, field, form, h } from './dom.js'
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
   ? h('ul.patients', found.patients.map(({ patient, count, sides = [] }) => h('li',
    h('a', { href: `#patient/${patient.id}` }, h('bdi', name(patient)),
     h('span', `${count} · ${sides.map((side) => sideWords[side]()).join(' + ') || '–'}`)))))
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

export const name = (patient) => [patient.given, patient.family].filter(Boolean).map((one) => one.text).join(' ')

// The form of a patient: the first name is mandatory (prénom).
export const patientForm = (patient, label, submit) => form(label, submit,
 field('given', t('First name (mandatory)', 'Prénom (obligatoire)'), { value: patient.given?.text, 'aria-required': 'true' }),
 field('family', t('Family name', 'Nom'), { value: patient.family?.text }),
 field('birth', t('Date of birth', 'Date de naissance'), { value: patient.birth, type: 'date' }))
