// A pool: advice with everything it was computed from, the log of doses, and the pool's name, volume and limits.

import { withParameters } from './api.js'
import { bdi, card, h, p, problemLine } from './dom.js'
import { field, form, formState, nameField, numberOf, numeric, riskyButton } from './form.js'
import { limitsForm } from './limits.js'
import { change, load, loading } from './loads.js'
import { badge, gone, tabs } from './pools.js'
import { changed, hubNow, mayEdit, poolWith, seen, state, statusOfPool } from './store.js'
import { ago, dateTime, number, plain, quantityName, t, withUnit } from './words.js'
import { difference, saved, write } from './writes.js'

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
 return [
  h('div', { class: 'title' }, h('h1', bdi(pool.name)), badge(statusOfPool(pool))),
  tabs(`#/pool/${id}`, pool.name, parts, part),
  h('div', { key: `${id}/${part}`, class: 'part' }, part === 'settings' && mayEdit(id) ? settings(pool) : water(pool)),
 ]
}

// Advice

const typedNumbers = [
 ['totalAlkalinity', ['Total alkalinity (mg/L)', 'Alcalinité totale (mg/L)']],
 ['cyanuricAcid', ['Cyanuric acid (mg/L)', 'Acide cyanurique (mg/L)']], ['borates', ['Borates (mg/L)', 'Borates (mg/L)']],
 ['turnoverHours', ['Turnover (h)', 'Renouvellement (h)']],
]

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
  entry.problem && !entry.problem.member && problemLine(entry.problem.status === 404
   ? t('There is no advice for this pool.', 'Pas de conseil pour ce bassin.') : entry.problem.message || t('Advice and doses need the hub.', 'Conseils et ajouts exigent le hub.')),
  entry.data && adviceText(entry.data),
  h('details', { key: 'numbers' }, h('summary', t('Numbers that no probe measures', 'Valeurs qu’aucune sonde ne mesure')),
   form(current.name, {
    button: t('Compute again', 'Recalculer'), keepsFields: true,
    submit: async (data) => {
     seen.set('numbers', Object.fromEntries(typedNumbers.map(([name, text]) => [name, numberOf(data, name, t(text))])))
    },
   },
   h('div', { class: 'four' }, typedNumbers.map(([name, text]) =>
    field(current, name, t(text), { ...numeric, value: plain(given[name]) }))))))
}

function adviceText(found) {
 return [
  h('ul', { class: 'steps' }, found.steps.map(stepText)),
  found.filtrationHours != null && h('p', t('Filter about {0} h a day.', 'Filtrez environ {0} h par jour.', plain(found.filtrationHours, 1))),
  found.filtrationReason && h('p', { class: 'hint', lang: 'en' }, found.filtrationReason),
  h('details', { key: 'inputs' }, h('summary', t('Computed from', 'Calculé à partir de')),
   h('ul', { class: 'log' }, found.inputs.map((input) => h('li', h('span', `${quantityName(input.quantity)} ${withUnit(input.value, input.quantity)}, `, bdi(input.device)),
    h('span', { class: 'hint' }, [
     input.ageSeconds != null ? ago(input.ageSeconds) : t('age unknown', 'âge inconnu'),
     input.calibratedAt ? t('calibrated {0}', 'étalonné le {0}', dateTime(input.calibratedAt)) : t('not calibrated', 'non étalonné'),
     t('range {0} to {1}', 'plage de {0} à {1}', withUnit(input.low, input.quantity), withUnit(input.high, input.quantity)),
    ].join(' · ')))),
   found.volume != null && h('li', t('Volume {0} m³', 'Volume {0} m³', plain(found.volume, 2)))),
   h('p', t('Assumed:', 'Hypothèses :')), h('ul', found.assumptions.map((text) => h('li', { lang: 'en' }, text)))),
 ]
}

const stepWords = {
 dose: ['Add', 'Ajouter'], nothing: ['Add nothing', 'Ne rien ajouter'], wait: ['Wait', 'Attendre'],
 refused: ['No advice', 'Pas de conseil'],
}

function stepText(step) {
 return h('li', { class: `step-${step.state}`, key: step.quantity },
  h('strong', `${quantityName(step.quantity)}: ${t(stepWords[step.state])}`),
  step.until && h('span', t('until {0}', 'jusqu’au {0}', dateTime(step.until))),
  step.reason && h('span', { lang: 'en' }, step.reason),
  step.dose && [
   h('span', step.dose.choices.map((choice, index) => [index > 0 && ` ${t('or', 'ou')} `,
    choice.least === choice.greatest ? amount(choice.least, choice.unit) : `${amount(choice.least, choice.unit)} – ${amount(choice.greatest, choice.unit)}`,
    ` ${productName(choice.product)} (${plain(choice.strengthPercent, 1)} %)`])),
   h('span', { class: 'hint' }, t('changes it by about {0}, towards {1}', 'la change d’environ {0}, vers {1}', number(step.dose.change, 2), withUnit(step.dose.target, step.quantity)),
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
    const strength = numberOf(data, 'strengthPercent', t('Strength (%)', 'Concentration (%)'))
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
  h('div', { class: 'pair' },
   field(current, 'amount', t('Amount', 'Quantité'), numeric),
   field(current, 'unit', t('Unit', 'Unité'), { options: products[chosen][1].map((unit) => [unit, unit]) })),
  h('div', { class: 'pair' },
   field(current, 'strengthPercent', t('Strength (%)', 'Concentration (%)'), numeric, t('Empty: the usual one.', 'Vide : la valeur usuelle.')),
   field(current, 'at', t('When', 'Quand'), { type: 'datetime-local' }, t('Empty: now.', 'Vide : maintenant.'))),
  field(current, 'note', t('Note', 'Remarque'), { maxlength: 256 })))
}

function doses(pool) {
 const entry = load(`/doses?pool=${pool.id}&limit=500`, Math.floor(hubNow() / 60000))
 const rows = entry.data ?? []
 return card('doses', t('Doses', 'Ajouts'), entry.data && rows.length === 0 && p('empty', t('No dose is logged yet.', 'Aucun ajout noté.')),
  h('ul', { class: 'log' }, rows.map((dose) => h('li', { key: dose.id },
   h('strong', doseText(dose)), h('span', { class: 'when' }, dateTime(dose.at)),
   h('span', bdi(dose.author), dose.note && [' · ', bdi(dose.note)]),
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
    button: t('Save', 'Enregistrer'),
    submit: async (data) => {
     const body = {}
     if (data.get('name') !== base.data.name) body.name = data.get('name')
     const volume = numberOf(data, 'volume', t('Volume (m³)', 'Volume (m³)')) ?? null
     if (volume !== (base.data.volume ?? null)) body.volume = volume
     if (Object.keys(body).length === 0) return t('Nothing was changed.', 'Rien n’a changé.')
     await write(current, 'PATCH', path, body, (now) => ({
      name: difference(now.name, data.get('name')),
      volume: difference(plain(now.volume), data.get('volume')),
     }))
     return t('Saved.', 'Enregistré.')
    },
   },
   nameField(current, base.data.name),
   field(current, 'volume', t('Volume (m³)', 'Volume (m³)'), { ...numeric, value: plain(base.data.volume) }, t('Advice needs it.', 'Les conseils en ont besoin.'))))
   : loading(entry),
  limitsForm(`${path}/limits`, `limits ${pool.id}`),
 ]
}
