// The limits of a pool or a device: empty fields mean those of the pool, or the usual ones.

import {
 card, changed, difference, english, field, form, formState, h, load, loading, numberOf, numeric, p, plain, problemLine, quantities, quantityName,
 Refusal, saved, inUnits, state, fromUnits, t, unitOf, write,
} from './kit.js'

const ends = [
 ['criticalLow', ['Critical below', 'Critique sous']], ['low', ['Low below', 'Bas sous']],
 ['high', ['High above', 'Haut au-delà']], ['criticalHigh', ['Critical above', 'Critique au-delà']],
]
const sources = {
 device: ['own limits', 'limites propres'], pool: ['limits of the pool', 'limites du bassin'],
 standard: ['usual limits', 'limites usuelles'],
}

// The form of the limits at a path of the API.
export function limitsForm(path, name) {
 const current = formState(name)
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 if (!base) return loading(entry)
 const { limits, own } = base.data
 return card(name, t('Limits', 'Limites'), p('hint', t('Four empty fields: the limits of the pool, or the usual ones.', 'Quatre champs vides : les limites du bassin, ou les usuelles.')),
  presetChoice(current),
  form(name, {
   button: t('Save limits', 'Enregistrer les limites'),
   submit: async (data) => {
    await write(current, 'PUT', path, { own: read(data) }, (now) => notes(now, data))
    current.preset = null
    return t('Saved.', 'Enregistré.')
   },
  },
  quantities.filter((one) => limits[one]).map((quantity) => h('fieldset', { key: quantity, 'data-member': `own.${quantity}` },
   h('legend', quantityName(quantity), unitOf(quantity) && ` (${unitOf(quantity)})`, ' ',
    h('small', t(sources[limits[quantity].from]))),
   h('div.four', ends.map(([end, text]) => field(current, `${quantity}.${end}`, t(text), {
    ...numeric(inUnits((current.preset?.limits[quantity] ?? own[quantity])?.[end], quantity)), placeholder: plain(inUnits(limits[quantity].limits[end], quantity)),
   }, null, `own.${quantity}.${end}`))),
   current.problem?.member === `own.${quantity}` && problemLine(t('They must be in order: critical ≤ low < high ≤ critical.', 'Elles doivent se suivre : critique ≤ bas < haut ≤ critique.')),
  ))))
}

// A choice of presets: it fills the fields, and nothing is changed until they are saved.
function presetChoice(current) {
 const presets = load('/limits/presets', 0).data ?? []
 return h('div', { key: 'preset' }, field(current, 'preset', t('Fill in a preset', 'Remplir selon un modèle'), {
  options: [['', t('none', 'aucun')], ...presets.map((one) => [one.key, one.title, one.key === current.preset?.key])], lang: 'en',
  onchange: (event) => {
   current.preset = presets.find((one) => one.key === event.target.value) ?? null
   // New fields, with the values of the preset.
   current.serial += 1
   current.isTyped = true
   changed()
  },
 }),
 current.preset && [p('hint', english(current.preset.source)), p('hint', english(current.preset.note)),
  p('note', t('Nothing is changed until you save.', 'Rien ne change avant l’enregistrement.'))])
}

// The quantities whose fields a form has: those that the device or the pool has.
const inForm = (data) => quantities.filter((quantity) => data.has(`${quantity}.low`))

function read(data) {
 const own = {}
 for (const quantity of inForm(data)) {
  const typed = ends.map(([end, text]) =>
   [end, fromUnits(numberOf(data, `${quantity}.${end}`, t(text), `own.${quantity}.${end}`), quantity)])
  const given = typed.filter(([, value]) => value !== undefined)
  if (given.length === 0) continue
  const missing = typed.find(([, value]) => value === undefined)
  if (missing) throw new Refusal(`own.${quantity}.${missing[0]}`, t('Type this limit too, or empty all four.', 'Tapez aussi cette limite, ou videz les quatre.'))
  own[quantity] = Object.fromEntries(given)
 }
 return own
}

// What the hub has now, beside what was typed.
function notes(now, data) {
 const found = {}
 for (const quantity of inForm(data)) {
  for (const [end] of ends) {
   found[`own.${quantity}.${end}`] = difference(plain(inUnits(now.own[quantity]?.[end], quantity)), data.get(`${quantity}.${end}`).trim())
  }
 }
 return found
}
