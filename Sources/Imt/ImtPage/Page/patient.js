// One patient: names, consent, transformations with their photos, export and erase.

import { ask, get, thumbOf } from './api.js'
import { takePhoto } from './camera.js'
import { compareView } from './compare.js'
import { button, confirmed, dialog, field, form, h, run, say } from './dom.js'
import { setEyes } from './eyes.js'
import { fold, isOpen } from './folds.js'
import { readFile, send } from './intake.js'
import { name, patientForm } from './list.js'
import { may } from './page.js'
import { language, purposeWords, sideWords, t, viewWords } from './words.js'

const views = ['front', 'left', 'right']
const presets = () => [t('Skin', 'Peau'), t('Teeth', 'Dents'), t('Nose', 'Nez'), t('Eyelids', 'Paupières'), t('Hair', 'Cheveux'), t('Weight', 'Poids'), t('Scar', 'Cicatrice'), t('Smile', 'Sourire')]

export async function patientView(draw, id) {
 const { patient, transformations } = await get(`/patients/${id}`)
 return h('div',
  h('p', h('a', { href: '#' }, t('← all patients', '← tous les patients'))),
  h('h1', h('bdi', name(patient))),
  patient.birth && h('p', t('born {0}', 'né(e) le {0}', patient.birth)),
  may('imt.edit') && h('details', h('summary', t('Edit', 'Modifier')), patientForm(patient, t('Save', 'Enregistrer'), async (typed) => {
   await ask('PATCH', `/patients/${id}`, typed)
   await draw()
  })),
  consentCard(draw, `/patients/${id}/consent`, patient.consent, t('Consent', 'Consentement')),
  h('h2', t('Transformations', 'Transformations')),
  transformations.map((one) => transformationCard(draw, one)),
  may('imt.edit') && form(t('Add a transformation', 'Ajouter une transformation'), async ({ title }) => {
   fold((await ask('POST', `/patients/${id}/transformations`, { name: title })).id, true)
   await draw()
  }, field('title', t('Its name', 'Son nom'), { list: 'presets' }), h('datalist', { id: 'presets' }, presets().map((value) => h('option', { value })))),
  may('imt.photo') && h('div.row', ['clinical', 'marketing'].map((purpose) => button(t('Export for {0}', 'Exporter pour {0}', purposeWords[purpose]()), () => download(id, purpose)))),
  may('imt.edit') && button(t('Erase the patient', 'Effacer le patient'), async () => {
   if (!await confirmed(t('Erase this patient with all photos? Backups may still hold them.', 'Effacer ce patient et toutes ses photos ? Des sauvegardes peuvent les contenir encore.'), t('Erase', 'Effacer'), t('Keep', 'Garder'))) return
   const { photos } = await ask('DELETE', `/patients/${id}`)
   say(t('Erased, with {0} photos. Backups that were made before may still hold them.', 'Effacé, avec {0} photos. Les sauvegardes faites avant peuvent les contenir encore.', photos))
   location.hash = '#'
  }, { class: 'danger' }))
}

// What may be used for what: yes, no, or not asked.
function consentCard(draw, path, consent, title, unknown = t('not asked', 'non demandé')) {
 return h('fieldset.card', h('legend', title), ['clinical', 'marketing'].map((purpose) => {
  const problem = h('span.problem', { role: 'alert' })
  const select = h('select', { id: `${path}-${purpose}`, disabled: !may('imt.edit') },
   [['', unknown], ['yes', t('yes', 'oui')], ['no', t('no', 'non')]].map(([value, text]) =>
    h('option', { value, selected: value === ({ true: 'yes', false: 'no' }[consent[purpose]] ?? '') }, text)))
  select.onchange = () => run(select, problem, async () => {
   await ask('PUT', path, { purpose, isGiven: { yes: true, no: false }[select.value] ?? null })
   say(t('Noted.', 'Noté.'))
   await draw()
  })
  return h('div.field', h('label', { for: select.id }, purposeWords[purpose]()), select, problem)
 }))
}

function transformationCard(draw, one) {
 const card = h('details', { open: isOpen(one.id), ontoggle: () => fold(one.id, card.open) },
  h('summary', one.name ?? t('without a name', 'sans nom')),
  one.warnings.map(([english, french]) => h('p.problem', language === 'fr' ? french : english)),
  may('imt.edit') && h('details', h('summary', t('Name and dates', 'Nom et dates')), form(t('Save', 'Enregistrer'), async (typed) => {
   await ask('PATCH', `/transformations/${one.id}`, typed)
   await draw()
  },
  field('name', t('Name', 'Nom'), { value: one.name, list: 'presets' }),
  field('before', t('Date before', 'Date avant'), { value: one.before, type: 'date' }),
  field('after', t('Date after', 'Date après'), { value: one.after, type: 'date' }))),
  may('imt.photo') && views.map((view) => viewPart(draw, one, view)),
  may('imt.edit') && button(t('Delete the transformation', 'Supprimer la transformation'), async () => {
   if (!await confirmed(t('Delete it with its photos?', 'La supprimer avec ses photos ?'), t('Delete', 'Supprimer'), t('Keep', 'Garder'))) return
   await ask('DELETE', `/transformations/${one.id}`)
   await draw()
  }, { class: 'danger' }))
 return card
}

function viewPart(draw, one, view) {
 const shown = one.photos.filter(({ photo }) => photo.view === view)
 if (view !== 'front' && !shown.length) {
  return may('imt.edit') && h('details', h('summary', t('Photos from the {0}', 'Photos de {0}', viewWords[view]())), sides(draw, one, view, shown))
 }
 const [before, after] = ['before', 'after'].map((side) => shown.findLast(({ photo }) => photo.side === side))
 const place = h('div')
 return h('section', h('h3', viewWords[view]()), sides(draw, one, view, shown),
  before && after
   ? button(t('Show the transformation', 'Montrer la transformation'), async () => place.replaceChildren(await compareView(before, after)))
   : h('p.hint', t('Select both photos first.', 'Sélectionnez d’abord les deux photos.')),
  place)
}

function sides(draw, one, view, shown) {
 return h('div.sides', ['before', 'after'].map((side) => {
  const photos = shown.filter(({ photo }) => photo.side === side).map(({ photo }) => photo)
  const before = shown.find(({ photo }) => photo.side === 'before')?.photo
  return h('div', h('h3', sideWords[side]()), photos.map((photo) => photoRow(draw, one, photo)),
   may('imt.edit') && (side === 'after' || !photos.length) && intake(draw, { transformation: one.id, side, view }, side === 'after' ? before : null, side === 'after' && !before))
 }))
}

// The camera and the gallery; the photo after waits for the one before.
function intake(draw, place, ghost, isDisabled, label = '') {
 const problem = h('span.problem', { role: 'alert' })
 const chooser = h('input.hidden', { type: 'file', accept: 'image/*' })
 const gallery = h('button', { type: 'button', disabled: isDisabled, onclick: () => chooser.click() }, label + t('Gallery', 'Galerie'))
 chooser.onchange = () => run(gallery, problem, async () => {
  const file = chooser.files[0]
  chooser.value = ''
  if (!file) return
  await send(place, await readFile(file))
  await draw()
 })
 return h('div.row', h('button', {
  type: 'button', disabled: isDisabled,
  onclick: async () => { if (await takePhoto(place, ghost)) await draw() },
 }, label + t('Camera', 'Caméra')), gallery, chooser, problem)
}

function photoRow(draw, one, photo) {
 const before = one.photos.find((other) => other.photo.view === photo.view && other.photo.side === 'before')?.photo
 const time = photo.taken && `${photo.taken.text.slice(0, 10)}${photo.taken.isEstimated ? t(' (estimated)', ' (estimée)') : ''}`
 return h('div', h('div.row',
  h('img.thumb', { src: thumbOf(photo), alt: t('photo {0}', 'photo {0}', sideWords[photo.side]()), width: 64, height: 64 }),
  h('span', time ?? t('date unknown', 'date inconnue'), photo.eyes ? ' · ◉ ◉' : '')),
 may('imt.edit') && h('details', h('summary', t('This photo', 'Cette photo')), h('div.row',
  button(t('Eyes', 'Yeux'), async () => { if (await setEyes(photo)) await draw() }),
  button(t('Delete', 'Supprimer'), async () => {
   if (!await confirmed(t('Delete this photo?', 'Supprimer cette photo ?'), t('Delete', 'Supprimer'), t('Keep', 'Garder'))) return
   await ask('DELETE', `/photos/${photo.id}`)
   await draw()
  }, { class: 'danger' })),
 intake(draw, { transformation: one.id, side: photo.side, view: photo.view, replaces: photo.id }, photo.side === 'after' ? before : null, false, t('Replace: ', 'Remplacer : ')),
 consentCard(draw, `/photos/${photo.id}/consent`, photo.consent, t('Consent for this photo', 'Consentement pour cette photo'), t('as the patient', 'comme le patient'))))
}

// Fetched and not only linked, so that a refusal is shown on the page.
async function download(id, purpose) {
 const answer = await fetch(`/api/v1/patients/${id}/export?purpose=${purpose}`, { headers: { 'Accept-Language': language } })
 if (!answer.ok) throw new Error((await answer.json()).detail)
 const address = URL.createObjectURL(await answer.blob())
 h('a', { href: address, download: 'patient.tar' }).click()
 setTimeout(() => URL.revokeObjectURL(address), 10000)
 await dialog(t('The export is saved', 'L’exportation est enregistrée'), (close) => h('div', h('p', t('Its photos are not sealed: keep it safe.', 'Ses photos ne sont pas scellées : gardez-la en lieu sûr.')), h('button', { type: 'button', onclick: () => close() }, 'OK')))
}
