// A pool: advice with everything it was computed from, the log of doses, and the pool's name, volume and limits.

import { withParameters } from './api.js'
import {
 ago, bdi, card, change, changed, dateTime, difference, field, form, formState, group, h, hubNow, load, loading,
 mayEdit, nameField, number, numberOf, numeric, p, patch, plain, poolWith, problemLine, problemText, quantityName, riskyButton,
 saved, seen, shownVolume, state, statusOfPool, storedVolume, t, volumeUnit, withUnit,
} from './kit.js'
import { limitsForm } from './limits.js'
import { gone, sheet, assessmentLine } from './pools.js'

const products = {
 'calcium-hypochlorite': [['Calcium hypochlorite', 'Hypochlorite de calcium'], ['g']],
 dichlor: [['Dichlor', 'Dichlore'], ['g']], trichlor: [['Trichlor', 'Trichlore'], ['g']],
 'sodium-hypochlorite': [['Sodium hypochlorite (liquid)', 'Hypochlorite de sodium (liquide)'], ['mL']],
 'sodium-bisulfate': [['Sodium bisulfate (dry acid)', 'Bisulfate de sodium'], ['g']],
 'hydrochloric-acid': [['Hydrochloric acid', 'Acide chlorhydrique'], ['mL']],
 'sulfuric-acid': [['Sulfuric acid', 'Acide sulfurique'], ['mL']],
 'sodium-carbonate': [['Sodium carbonate (soda ash)', 'Carbonate de sodium'], ['g']],
 other: [['Another product', 'Autre produit'], ['g', 'mL']],
}
const strengthText = () => t('Strength (%)', 'Teneur (%)')
const strengthField = (current, name) => field(current, name, strengthText(), numeric(), t('Empty: the usual one.', 'Vide : la valeur usuelle.'))
const productName = (product) => t(products[product][0])

// An amount, in kilograms or litres from 1000 on.
function amount(value, unit) {
 const isLarge = value >= 1000
 const text = plain(isLarge ? value / 1000 : value, isLarge ? 2 : value < 10 ? 1 : 0)
 return `${text} ${isLarge ? { g: 'kg', mL: 'L' }[unit] : unit}`
}

export const doseText = (dose) => `${amount(dose.amount, dose.unit)} ${productName(dose.product)}`

export function poolView([id, part = 'settings']) {
 const pool = poolWith(id)
 if (!pool) return gone()
 const parts = [['water', t('Advice and doses', 'Conseils et ajouts')]]
 if (mayEdit(id)) parts.push(['settings', t('Pool settings', 'Réglages')])
 return sheet('pool', pool, statusOfPool(pool), parts, part, part === 'settings' && mayEdit(id) ? settings(pool) : water(pool), assessmentLine(pool))
}

// Advice

const typedNumbers = [
 ['totalAlkalinity', ['Total alkalinity (mg/L)', 'Alcalinité totale (mg/L)']],
 ['cyanuricAcid', ['Cyanuric acid (mg/L)', 'Acide cyanurique (mg/L)']], ['borates', ['Borates (mg/L)', 'Borates (mg/L)']],
 ['turnoverHours', ['Turnover (h)', 'Renouvellement (h)']],
]
// The products that may be at hand, by what they change.
const choices = { chlorine: Object.keys(products).slice(0, 4), ph: Object.keys(products).slice(4, 8) }

function water(pool) {
 if (!state.isCertain) return p('empty', t('Advice and doses need the hub.', 'Conseils et ajouts exigent le hub.'))
 return [advice(pool), mayEdit(pool.id) && doseForm(pool), doses(pool)]
}

function advice(pool) {
 const current = formState(`advice ${pool.id}`)
 const given = seen.get('numbers') ?? {}
 // Ages grow: it is computed anew each minute.
 const entry = load(withParameters('/advice', { pool: pool.id, ...given }), Math.floor(hubNow() / 60000))
 if (entry.problem?.member) current.problem = entry.problem
 return card('advice', t('Advice', 'Conseils'), p('hint', t('A suggestion, never automatic: half of the computed amount, then measure again.', 'Une suggestion, jamais automatique : la moitié de la quantité calculée, puis mesurez de nouveau.')),
  entry.problem && !entry.problem.member && problemLine(problemText(entry.problem)),
  entry.data && adviceText(entry.data),
  h('details', { key: 'numbers' }, h('summary', t('Numbers that no probe measures', 'Valeurs qu’aucune sonde ne mesure')),
   form(current.name, {
    button: t('Compute again', 'Recalculer'), keepsFields: true,
    submit: async (data) => {
     const numbers = typedNumbers.map(([name, text]) => [name, numberOf(data, name, t(text))])
     const chosen = Object.keys(choices).filter((quantity) => data.get(quantity)).map((quantity) => {
      const strength = numberOf(data, `${quantity}Strength`, strengthText(), 'product')
      return data.get(quantity) + (strength === undefined ? '' : `=${strength}`)
     })
     seen.set('numbers', { ...Object.fromEntries(numbers), product: chosen.join() })
    },
   },
   h('div.four', typedNumbers.map(([name, text]) =>
    field(current, name, t(text), numeric(given[name])))),
   group(current, 'product', t('Products at hand', 'Produits disponibles'), Object.entries(choices).map(([quantity, keys]) => h('div.pair',
     field(current, quantity, t('{0}: product', '{0} : produit', quantityName(quantity)), {
      options: [['', t('any', 'tous')], ...keys.map((key) => [key, productName(key)])] }),
     strengthField(current, `${quantity}Strength`)))))))
}

function adviceText(found) {
 return [
  h('ul.steps', found.steps.map(stepText)),
  found.filtrationHours != null && h('p', t('Filter about {0} h a day.', 'Filtrez environ {0} h par jour.', plain(found.filtrationHours, 1))),
  found.filtrationReason && p('hint', found.filtrationReason),
  h('details', { key: 'inputs' }, h('summary', t('Computed from', 'Calculé à partir de')),
   h('ul.log', found.inputs.map((input) => h('li', h('span', `${quantityName(input.quantity)} ${withUnit(input.value, input.quantity)}, `, bdi(input.device)),
    h('span.hint', [
     input.ageSeconds != null ? ago(input.ageSeconds) : t('age unknown', 'âge inconnu'),
     input.calibratedAt ? t('calibrated {0}', 'étalonné le {0}', dateTime(input.calibratedAt)) : t('not calibrated', 'non étalonné'),
     t('range {0} to {1}', 'plage de {0} à {1}', withUnit(input.low, input.quantity), withUnit(input.high, input.quantity)),
    ].join(' · ')))),
   found.volume != null && h('li', t('Volume {0} {1}', 'Volume {0} {1}', plain(shownVolume(found.volume), 2), volumeUnit()))),
   h('p', t('Assumed:', 'Hypothèses :')), h('ul', found.assumptions.map((text) => h('li', text)))),
 ]
}

const stepWords = {
 dose: ['Add', 'Ajouter'], nothing: ['Add nothing', 'Ne rien ajouter'], wait: ['Wait', 'Attendre'],
 refused: ['No advice', 'Pas de conseil'],
}

function stepText(step) {
 return h('li', { class: `step-${step.state}`, key: step.quantity },
  h('strong', `${quantityName(step.quantity)}: ${t(stepWords[step.state])}`),
  step.device && h('span.hint', t('by ', 'selon '), bdi(step.device)),
  step.until && h('span', t('until {0}', 'jusqu’au {0}', dateTime(step.until))),
  step.reason && h('span', step.reason),
  step.dose && [
   h('span', step.dose.choices.length === 0 ? t('None of the products at hand does that.', 'Aucun produit disponible ne le permet.') : step.dose.choices.map((choice, index) => [index > 0 && ` ${t('or', 'ou')} `,
    choice.least === choice.greatest ? amount(choice.least, choice.unit) : `${amount(choice.least, choice.unit)} – ${amount(choice.greatest, choice.unit)}`,
    ` ${productName(choice.product)} (${plain(choice.strengthPercent, 1)} %)`])),
   h('span.hint', t('changes it by about {0}, towards {1}', 'la change d’environ {0}, vers {1}', number(step.dose.change, 2), withUnit(step.dose.target, step.quantity)),
    step.dose.responseFactor != null && ` · ${t('this pool responds {0} ×', 'ce bassin répond {0} ×', number(step.dose.responseFactor, 2))}`),
  ])
}

// Doses

function doseForm(pool) {
 const current = formState(`dose ${pool.id}`)
 const chosen = current.product ?? 'calcium-hypochlorite'
 return card('dose', t('Log a dose', 'Noter un ajout'), form(current.name, {
   button: t('Log it', 'Noter'),
   submit: async (data) => {
    const body = { poolID: pool.id, product: data.get('product'), amount: numberOf(data, 'amount', t('Amount', 'Quantité')), unit: data.get('unit') }
    const strength = numberOf(data, 'strengthPercent', strengthText())
    if (strength !== undefined) body.strengthPercent = strength
    if (data.get('at')) body.at = new Date(data.get('at')).toISOString()
    if (data.get('note').trim()) body.note = data.get('note').trim()
    await change('POST', '/doses', body)
    return t('Logged.', 'Noté.')
   },
  },
  field(current, 'product', t('Product', 'Produit'), {
   options: Object.entries(products).map(([key, [text]]) => [key, t(text), key === chosen]),
   onchange: (event) => { current.product = event.target.value; changed() },
  }),
  h('div.pair',
   field(current, 'amount', t('Amount', 'Quantité'), numeric()),
   field(current, 'unit', t('Unit', 'Unité'), { options: products[chosen][1].map((unit) => [unit, unit]) })),
  h('div.pair',
   strengthField(current, 'strengthPercent'),
   field(current, 'at', t('When', 'Quand'), { type: 'datetime-local' }, t('Empty: now.', 'Vide : maintenant.'))),
  field(current, 'note', t('Note', 'Remarque'), { maxlength: 256 })))
}

function doses(pool) {
 const entry = load(`/doses?pool=${pool.id}&limit=500`, Math.floor(hubNow() / 60000))
 const rows = entry.data ?? []
 return card('doses', t('Doses', 'Ajouts'), entry.data && rows.length === 0 && p('empty', t('No dose is logged yet.', 'Aucun ajout noté.')),
  h('ul.log', rows.map((dose) => h('li', { key: dose.id },
   h('strong', doseText(dose)), h('span.when', dateTime(dose.at)),
   h('span', bdi(dose.author), dose.author && dose.note && ' · ', dose.note && bdi(dose.note)),
   mayEdit(pool.id) && riskyButton(`dose ${dose.id}`, t('Remove', 'Supprimer'), t('Remove this dose from the log?', 'Retirer cet ajout du journal ?'), async () => {
    await change('DELETE', `/doses/${dose.id}`)
   })))))
}

// Name, volume and limits

function settings(pool) {
 const current = formState(`pool ${pool.id}`)
 const path = `/pools/${pool.id}`
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 return [
  base ? card('pool', t('Name and volume', 'Nom et volume'), form(current.name, {
     submit: async (data) => patch(current, path, base.data, {
     name: data.get('name'), volume: storedVolume(numberOf(data, 'volume', `Volume (${volumeUnit()})`)) ?? null,
    }, (now) => ({
     name: difference(now.name, data.get('name')),
     volume: difference(plain(shownVolume(now.volume), 2), data.get('volume')),
    })),
   },
   nameField(current, base.data.name),
   field(current, 'volume', `Volume (${volumeUnit()})`, numeric(shownVolume(base.data.volume), 2), t('Advice needs it.', 'Les conseils en ont besoin.'))))
   : loading(entry),
  limitsForm(`${path}/limits`, `limits ${pool.id}`),
 ]
}
