// Calibration: a wizard in steps (quantity and method, comparisons, result), and the calibrations that were made.

import { ask } from './api.js'
import {
 bdi, card, changed, dateTime, field, form, formState, h, load, loading, methodsOf, number, numberOf, numeric, p, plainButton,
 problemLine, problemText, quantities, quantityName, quantityRows, Refusal, riskyButton, saved, seen, inUnits, state, fromUnits, t, unitOf, withUnit, write,
} from './kit.js'

const methods = {
 zeroPoint: [['One comparison: offset', 'Une comparaison : décalage'], 1],
 scale: [['One comparison: slope', 'Une comparaison : pente'], 1],
 twoPoint: [['Two comparisons', 'Deux comparaisons'], 2],
 regression: [['Three comparisons or more', 'Trois comparaisons ou plus'], 3],
}

export function calibrationView(device) {
 const path = `/devices/${device.id}/calibrations`
 const current = formState(`calibrate ${device.id}`)
 const entry = load(path, state.revision)
 const base = saved(current, entry)
 // How far the wizard is.
 if (!seen.has('wizard')) seen.set('wizard', { step: 'what', quantity: 'ph', method: 'twoPoint', preview: null })
 const wizard = seen.get('wizard')
 const steps = { what, compare, result, over }
 if (!base) return loading(entry)
 return [
  card('wizard', t('Calibrate', 'Étalonner'), steps[wizard.step](device, wizard, current, path)),
  list(device, base.data.calibrations, current, path),
 ]
}

function go(wizard, step) {
 wizard.step = step
 changed()
}

const backButton = (wizard, step) => plainButton(t('Back', 'Retour'), () => go(wizard, step))

const stepOf = (step) => t('Step {0} of 3', 'Étape {0} sur 3', step)

function what(device, wizard, current) {
 const first = formState(`${current.name} what`)
 const choose = (change) => { Object.assign(wizard, change); changed() }
 return [
  p('step', stepOf(1)),
  form(first.name, { button: t('Next', 'Suite'), submit: async () => { go(wizard, 'compare') } },
   field(first, 'quantity', t('Quantity', 'Grandeur'), {
    options: device.readings.map((gauge) => gauge.quantity).filter((one) => methodsOf(one).length > 0)
    .map((one) => [one, quantityName(one), one === wizard.quantity]),
    onchange: (event) => choose({ quantity: event.target.value, method: methodsOf(event.target.value)[0] }),
   }),
   field(first, `method-${wizard.quantity}`, t('Method', 'Méthode'), {
    options: methodsOf(wizard.quantity).map((one) => [one, t(methods[one][0]), one === wizard.method]),
    onchange: (event) => choose({ method: event.target.value }),
   })),
 ]
}

function compare(device, wizard, current, path) {
 const { quantity, method } = wizard
 const count = method === 'regression' ? 5 : methods[method][1]
 const gauge = device.readings.find((one) => one.quantity === quantity)
 const places = Array.from({ length: count }, (_, index) => index)
 return [
  p('step', stepOf(2), ': ', quantityName(quantity), ', ', t(methods[method][0])),
  h('p', t(quantityRows[quantity].help)),
  gauge?.value != null && p('hint', t('Now: {0}, corrected. Type the uncorrected value, as the device itself shows it.', 'Actuellement : {0}, corrigé. Tapez la valeur brute, celle de l’appareil.', withUnit(gauge.value, quantity))),
  form(current.name, {
   button: t('Compute', 'Calculer'), keepsFields: true,
   submit: async (data) => {
    const points = places.map((index) => pointOf(data, index, quantity, index >= methods[method][1])).filter(Boolean)
    const body = { quantity, method, points }
    const { data: preview } = await ask('POST', path, { ...body, isDryRun: true }, '*')
    Object.assign(wizard, { preview, body, step: 'result' })
   },
  },
  h('div', { 'data-member': 'points' }, places.map((index) => h('div.pair', { key: index },
   field(current, `measured${index}`, t('{0}. Probe shows', '{0}. Sonde', index + 1), numeric(inUnits(wizard.body?.points[index]?.measured, quantity)), null, `points[${index}].measured`),
   field(current, `reference${index}`, t('{0}. True value', '{0}. Valeur vraie', index + 1), numeric(inUnits(wizard.body?.points[index]?.reference, quantity)), unitOf(quantity) || null, `points[${index}].reference`))),
  current.problem?.member === 'points' && problemLine(problemText(current.problem))),
  backButton(wizard, 'what')),
 ]
}

function pointOf(data, index, quantity, isOptional) {
 const read = (name, label) => fromUnits(numberOf(data, name + index, t(label), `points[${index}].${name}`), quantity)
 const need = (value, name, ...sentence) => {
  if (value === undefined) throw new Refusal(`points[${index}].${name}`, t(...sentence))
 }
 const [measured, reference] = [read('measured', ['Probe shows', 'Sonde']), read('reference', ['True value', 'Valeur vraie'])]
 if (isOptional && measured === undefined && reference === undefined) return null
 need(measured, 'measured', 'Type what the probe shows.', 'Tapez ce que la sonde affiche.')
 need(reference, 'reference', 'Type the true value.', 'Tapez la valeur vraie.')
 return { measured, reference }
}

function result(device, wizard, current, path) {
 const { preview, quantity } = wizard
 const { slope, offset } = preview.calibration
 return [
  p('step', stepOf(3)),
  h('p', t('Corrected value = measured value × {0} + {1}', 'Valeur corrigée = valeur mesurée × {0} + {1}', number(slope, 4), number(offset, 4))),
  preview.before != null && h('p', t('The newest value {0} becomes {1}.', 'La dernière valeur {0} devient {1}.', withUnit(preview.before, quantity), withUnit(preview.after, quantity))),
  preview.verdicts.map((text) => h('p', { class: preview.isGood ? 'hint' : 'note' }, text)),
  form(`${current.name} save`, {
   button: t('Save the calibration', 'Enregistrer l’étalonnage'),
   submit: async () => {
    const save = formState(`${current.name} save`)
    save.base = current.base
    await write(save, 'POST', path, wizard.body, () => ({}))
    current.base = null
    current.serial += 1
    Object.assign(wizard, { step: 'over', body: null })
   },
  }, backButton(wizard, 'compare')),
 ]
}

function over(device, wizard) {
 return [
  h('p.done', { role: 'status' }, t('The calibration is saved.', 'L’étalonnage est enregistré.')),
  plainButton(t('Calibrate again', 'Étalonner encore'), () => go(wizard, 'what')),
 ]
}

function list(device, calibrations, current, path) {
 const rows = quantities.flatMap((quantity) => (calibrations[quantity] ?? []).map((one) => [quantity, one]))
 if (rows.length === 0) return p('empty', t('No calibration yet.', 'Pas encore d’étalonnage.'))
 return card('made', t('Calibrations', 'Étalonnages'), h('ul.log', rows.map(([quantity, one]) => h('li', { key: quantity + one.validFrom },
   h('strong', quantityName(quantity), one.isInForce && ` · ${t('in force', 'en vigueur')}`),
   h('span.when', dateTime(one.validFrom)),
   h('span', `× ${number(one.slope, 4)} + ${number(one.offset, 4)} · ${t('{0} d old', 'vieux de {0} j', one.ageDays)}`, one.author && [' · ', bdi(one.author)]),
   one.verdicts.map((text) => h('span.hint', text)),
   riskyButton(`remove ${device.id} ${quantity} ${one.validFrom}`, t('Remove', 'Supprimer'), t('Remove this calibration? Shown values change, also past ones.', 'Supprimer cet étalonnage ? Les valeurs affichées changent, même passées.'), async () => {
    const parameters = new URLSearchParams({ quantity, validFrom: one.validFrom })
    await write(current, 'DELETE', `${path}?${parameters}`, undefined, () => ({}), path)
   })))))
}
