// A device: its values, four charts with forecasts, its history as a table and as a file, its limits, calibrations and name.

import { get, withParameters } from './api.js'
import { calibrationView } from './calibration.js'
import { chart } from './chart.js'
import {
 bdi, card, changed, dateTime, decimalsOf, deviceWith, difference, field, form, formState, h, hubNow, isOwner, load, loading,
 mayEdit, measured, nameField, number, p, patch, plainButton, poolWith, problemLine, quantities, quantityName, saved, seen, shortTime,
 shownDifference, span, state, statusOf, t, unitOf, valueText, withUnit,
} from './kit.js'
import { ownersView } from './lazy.js'
import { limitsForm } from './limits.js'
import { gauges, gone, sheet, assessmentLine } from './pools.js'
import { doseText } from './water.js'

const hour = 3600
const day = 24 * hour
// The seconds of each, its short name on the button, and its long one.
const ranges = [
 [hour, ['1 h', '1 h'], ['1 hour', '1 heure']], [6 * hour, ['6 h', '6 h'], ['6 hours', '6 heures']],
 [day, ['24 h', '24 h'], ['24 hours', '24 heures']], [7 * day, ['7 d', '7 j'], ['7 days', '7 jours']],
 [30 * day, ['30 d', '30 j'], ['30 days', '30 jours']], [365 * day, ['1 y', '1 an'], ['1 year', '1 an']],
]
// The time that the charts show, in seconds.
let range = day

export function deviceView([id, part = 'charts']) {
 const device = deviceWith(id)
 if (!device) return gone()
 const pool = poolWith(device.poolID)
 const parts = [['charts', t('Charts', 'Courbes')], ['history', t('History', 'Historique')]]
 if (mayEdit(device.poolID ?? null)) {
  parts.push(['limits', t('Limits', 'Limites')], ['calibration', t('Calibration', 'Étalonnage')], ['name', t('Name', 'Nom')])
 }
 if (isOwner()) parts.push(['source', t('Source', 'Source')])
 const views = { charts, history, limits, calibration: calibrationView, name, source: ownersView('source') }
 return sheet('device', device, statusOf(device), parts, part, views[parts.some(([key]) => key === part) ? part : 'charts'](device), [assessmentLine(pool ?? device), pool && p('hint', bdi(pool.name))])
}

const noHistory = () => t('The history cannot be shown now.', 'L’historique ne peut être affiché.')

// Charts

function charts(device) {
 const now = hubNow()
 // Each width of a point brings a new one; a link may ask once in a second only.
 const pace = Math.max(state.me?.kind === 'share' ? 30 : 10, range / 200) * 1000
 const to = Math.ceil(now / pace) * pace
 const marks = marksOf(device)
 const forecasts = state.isCertain ? load(`/forecasts?device=${device.id}`, Math.floor(now / 600000)).data?.forecasts : null
 return [
  gauges(device, false),
  h('div.ranges', { role: 'group', 'aria-label': t('Time shown', 'Durée affichée') }, ranges.map(([seconds, short, long]) =>
   plainButton(t(short), () => choose(seconds), { 'aria-pressed': String(seconds === range), 'aria-label': t(long) }))),
  h('div.charts', measured(device).map((gauge) => chartOf(device, gauge, to, marks, forecasts))),
 ]
}

function choose(seconds) {
 range = seconds
 seen.clear()
 changed()
}

function chartOf(device, gauge, to, marks, forecasts) {
 const name = gauge.quantity
 const entry = loadSeries(device.id, name, to)
 const title = h('h2', quantityName(name), h('span.now', gauge.value === null ? '' : withUnit(gauge.value, name)))
 const forecast = forecasts?.find((one) => one.quantity === name)
 return h('section.card.chartcard', { key: name }, title,
  entry.data
   ? chart({
    key: `${device.id}/${name}`, quantity: name, series: entry.data, limits: gauge.limits, width: plotWidth(),
    marks: marks.filter((mark) => mark.quantity === name || mark.quantity === null),
    forecast: forecast?.isForecast && { ...forecast, text: forecastText(forecast, name) },
   })
   : h('p.hint.plot', entry.problem ? noHistory() : t('Loading…', 'Chargement…')),
  forecast && h('p.hint.forecast', forecastText(forecast, name)), forecast?.score && scoreDetails(forecast.score, name))
}

// The series of a time that moves on: the old one is shown until the new one comes.
function loadSeries(device, quantity, to) {
 const key = `series ${device} ${quantity} ${range}`
 if (!seen.has(key)) seen.set(key, { data: null, problem: null, asked: 0 })
 const entry = seen.get(key)
 if (entry.asked !== to && state.isCertain && (entry.asked === 0 || state.isOpen)) {
  entry.asked = to
  const [from, end] = [to - range * 1000, to].map((time) => new Date(time).toISOString())
  get(withParameters(`/devices/${device}/series`, { quantity, from, to: end, points: 200 })).then(
   ({ data }) => Object.assign(entry, { data, problem: null }), (problem) => Object.assign(entry, { problem }),
  ).finally(changed)
 }
 return entry
}

function plotWidth() {
 const drawn = document.querySelector('svg.plot')
 return Math.max(240, drawn?.clientWidth || Math.min(innerWidth - 56, 540))
}

function marksOf(device) {
 if (!state.isCertain) return []
 const calibrations = load(`/devices/${device.id}/calibrations`, state.revision).data?.calibrations ?? {}
 const found = quantities.flatMap((quantity) => (calibrations[quantity] ?? []).map((one) => ({
  quantity, kind: 'calibration', at: Date.parse(one.validFrom), text: t('calibrated {0}', 'étalonné le {0}', dateTime(one.validFrom)),
 })))
 const doses = device.poolID ? load(`/doses?pool=${device.poolID}&limit=500`, Math.floor(hubNow() / 60000)).data ?? [] : []
 const products = doses.map((dose) => ({
  quantity: null, kind: 'dose', at: Date.parse(dose.at), text: t('added {0}', 'ajouté : {0}', doseText(dose)),
 }))
 return [...found, ...products]
}

// The numbers behind a forecast, or behind there being none.
function scoreDetails({ originCount, error, errorOfNow }, quantity) {
 return h('details.hint', { key: 'score' }, h('summary', t('How good forecasts are here', 'Ce que valent les prévisions ici')),
  h('p', originCount === 0 ? t('None could be tried on the past readings yet.', 'Aucune n’a pu être essayée sur les mesures passées.')
   : t('Tried on the past: {0} times. Mean error: {1}. Mean error of assuming no change: {2}.', 'Essayées sur le passé : {0} fois. Erreur moyenne : {1}. Erreur moyenne sans changement supposé : {2}.',
    originCount, precise(error, quantity), precise(errorOfNow, quantity))))
}

// A small difference of a quantity, with one decimal more than its values.
function precise(value, quantity) {
 const unit = unitOf(quantity)
 return number(shownDifference(value, quantity), decimalsOf(quantity) + 1) + (unit ? ` ${unit}` : '')
}

// What is expected.
function forecastText(forecast, quantity) {
 if (!forecast.isForecast) return forecast.reason
 const until = (time) => span(Math.max(0, (Date.parse(time) - hubNow()) / 1000))
 if (forecast.at) {
  return t('At {0} about {1} ({2} to {3}).', 'Le {0} environ {1} (de {2} à {3}).', dateTime(forecast.at), withUnit(forecast.value, quantity),
   withUnit(forecast.least, quantity), withUnit(forecast.greatest, quantity))
 }
 if (!forecast.leavesAt) return t('If nothing is added, it stays in its range until {0} at least.', 'Sans ajout, la valeur reste dans sa plage jusqu’au {0} au moins.', dateTime(forecast.reach))
 const side = forecast.deviation === 'low' ? t('too low', 'trop bas') : t('too high', 'trop haut')
 const band = ' ' + (forecast.latest ? t('(between {0} and {1})', '(entre {0} et {1})', until(forecast.earliest), until(forecast.latest))
  : t('(in {0} at the earliest)', '(dans {0} au plus tôt)', until(forecast.earliest)))
 return t('If nothing is added, it is {0} in {1}', 'Sans ajout, ce sera {0} dans {1}', side, until(forecast.leavesAt)) + `${band}.`
}

// History

function history(device) {
 const shownQuantities = measured(device).map((gauge) => gauge.quantity)
 if (!seen.has('history')) {
  seen.set('history', { rows: null, cursor: null, problem: null, isBusy: false })
  more(device, seen.get('history'))
 }
 const shown = seen.get('history')
 const current = formState(`export ${device.id}`)
 const date = (time) => new Date(time).toISOString().slice(0, 10)
 return [
  card('file', t('All readings as a file', 'Toutes les mesures en fichier'), h('form.form.inline', { onsubmit: (event) => { event.preventDefault(); download(device, new FormData(event.target)) } },
    field(current, 'from', t('From', 'Du'), { type: 'date', value: date(hubNow() - 30 * 86400000) }),
    field(current, 'to', t('To', 'Au'), { type: 'date', value: date(hubNow()) }),
    h('button.primary', t('Download CSV', 'Télécharger en CSV')))),
  card('rows', t('Readings', 'Mesures'), shown.rows?.length === 0 && p('empty', t('No reading is stored yet.', 'Aucune mesure enregistrée.')),
   shown.rows?.length > 0 && h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('Readings', 'Mesures') },
    h('table', h('thead', h('tr', h('th', { scope: 'col' }, t('Time', 'Heure')), shownQuantities.map((quantity) =>
     h('th.number', { scope: 'col' }, quantityName(quantity))))),
    h('tbody', joined(shown.rows).map((row) => h('tr', h('th', { scope: 'row' }, shortTime(row.sampledAt)),
     shownQuantities.map((quantity) => h('td.number', valueText(row.corrected[quantity], quantity)))))))),
   shown.problem && problemLine(noHistory()),
   shown.cursor && plainButton(t('Show more', 'Afficher plus'), () => more(device, shown), { disabled: shown.isBusy })),
 ]
}

// The rows, newest first, with the values of one sample as one row: those at most 5 s apart without a quantity in common.
function joined(rows) {
 const all = []
 let latest = 0
 for (const row of rows) {
  const last = all[all.length - 1]
  const isPart = last && latest - Date.parse(row.sampledAt) <= 5000 && !Object.keys(row.raw).some((quantity) => quantity in last.raw)
  if (isPart) {
   all[all.length - 1] = { ...last, sampledAt: row.sampledAt, raw: { ...last.raw, ...row.raw }, corrected: { ...last.corrected, ...row.corrected } }
  } else {
   all.push(row)
   latest = Date.parse(row.sampledAt)
  }
 }
 return all
}

async function more(device, shown) {
 shown.isBusy = true
 try {
  const { data } = await get(withParameters(`/devices/${device.id}/readings`, { limit: 50, cursor: shown.cursor ?? '' }))
  shown.rows = [...shown.rows ?? [], ...data.readings]
  shown.cursor = data.cursor
  shown.problem = null
 } catch (problem) {
  shown.problem = problem
 }
 shown.isBusy = false
 changed()
}

// The times are those of the browser's zone: whole days of the one who asks.
function download(device, data) {
 const time = (text, isEnd) => text && new Date(`${text}T${isEnd ? '23:59:59.999' : '00:00:00'}`).toISOString()
 const link = h('a', {
  href: withParameters(`/api/v1/devices/${device.id}/export.csv`, { from: time(data.get('from')), to: time(data.get('to'), true) }),
  download: `${device.name}.csv`,
 })
 document.body.append(link)
 link.click()
 link.remove()
}

// Limits and name

function limits(device) {
 return limitsForm(`/devices/${device.id}/limits`, `limits ${device.id}`)
}

function name(device) {
 const current = formState(`name ${device.id}`)
 const path = `/devices/${device.id}`
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 if (!base) return loading(entry)
 const pools = [['', t('no pool', 'aucun bassin')], ...state.pools.map((pool) => [pool.id, pool.name])]
 return h('section.card', { key: 'name' },
  form(current.name, {
   submit: (data) => {
    const pool = data.has('poolID') ? { poolID: data.get('poolID') || null } : {}
    return patch(current, path, base.data, { name: data.get('name'), ...pool }, (now) => ({
     name: difference(now.name, data.get('name')),
     poolID: difference(now.poolID ?? '', data.get('poolID'), poolWith(now.poolID)?.name),
    }))
   },
  },
  nameField(current, base.data.name),
  (isOwner() || state.pools.length > 1) && field(current, 'poolID', t('Pool', 'Bassin'), {
   options: pools.map(([value, text]) => [value, text, value === (base.data.poolID ?? '')]),
  })))
}
