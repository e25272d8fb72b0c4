// The languages of the page, and how it writes numbers, ages and times.

import { quantities, quantityRows, unitsOfHouse, unitSystems, volumeUnits } from './quantities.js'

const languageKey = 'language'

function remembered(key) {
 try { return localStorage.getItem(key) } catch { return null }
}

export let language = remembered(languageKey) ?? (navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en')
document.documentElement.lang = language

// Changes the language, and remembers it.
export function speak(code) {
 language = code
 document.documentElement.lang = code
 try { localStorage.setItem(languageKey, code) } catch { /* It is not remembered then. */ }
}

// A text in the language of the page, with values in the places of {0}, {1}… Both languages may stand in a list.
export function t(english, french, ...values) {
 const [first, second] = Array.isArray(english) ? english : [english, french]
 return (language === 'fr' ? second : first).replace(/\{(\d)\}/g, (_, place) => values[place])
}

// Quantities

// The server makes their rows from the table that the hub reads.
export const quantityName = (quantity) => t(quantityRows[quantity].name)
export const quantityNamed = (english) => quantities.find((one) => quantityRows[one].name[0] === english)

// The units that people see and type. Everything else speaks the units in which values are stored.

const unitsKey = 'units'
let units = unitSystems.includes(remembered(unitsKey)) ? remembered(unitsKey) : unitsOfHouse
const shownAs = (quantity) => quantityRows[quantity].units[units]

// The next system of units, and what tells it from the others.
export const nextUnits = () => unitSystems[(unitSystems.indexOf(units) + 1) % unitSystems.length]
export const unitsName = (system) => `${quantityRows.temperature.units[system].symbol}, ${volumeUnits[system].symbol}`

// Changes the units, and remembers it.
export function measureIn(system) {
 units = system
 try { localStorage.setItem(unitsKey, system) } catch { /* It is not remembered then. */ }
}

export const unitOf = (quantity) => shownAs(quantity).symbol
export const decimalsOf = (quantity) => shownAs(quantity).decimals
// A value, and a difference of two, as people see them.
export const shownDifference = (value, quantity) => value * shownAs(quantity).divisor / shownAs(quantity).multiplier
export const inUnits = (value, quantity) => (value == null ? value : shownDifference(value, quantity) + shownAs(quantity).zero)
// What was typed, as it is stored.
export const fromUnits = (value, quantity) => (value === undefined ? value
 : (value - shownAs(quantity).zero) * shownAs(quantity).multiplier / shownAs(quantity).divisor)

export const volumeUnit = () => volumeUnits[units].symbol
export const shownVolume = (volume) => (volume == null ? volume : volume * volumeUnits[units].factor)
export const storedVolume = (volume) => (volume === undefined ? volume : volume / volumeUnits[units].factor)
// The methods of calibration, the usual one first; none for what nobody compares with a reference.
export const methodsOf = (quantity) => quantityRows[quantity].methods

// A number with exactly so many decimals; a dash for none.
export function number(value, decimals) {
 if (value == null) return '–'
 return new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)
}

// A number with at most so many decimals, without grouping: for fields.
export function plain(value, decimals = 4) {
 if (value == null) return ''
 return new Intl.NumberFormat(language, { maximumFractionDigits: decimals, useGrouping: false }).format(value)
}

// The number that was typed; undefined for nothing, NaN for something else.
export function typed(text) {
 const trimmed = text.trim().replace(',', '.').replace('−', '-')
 if (trimmed === '') return undefined
 return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : NaN
}

export const valueText = (value, quantity) => number(inUnits(value, quantity), decimalsOf(quantity))
export function withUnit(value, quantity) {
 const unit = unitOf(quantity)
 return valueText(value, quantity) + (unit ? ` ${unit}` : '')
}

// Ages and times

const steps = [[86400, ['d', 'j']], [3600, ['h', 'h']], [60, ['min', 'min']], [1, ['s', 's']]]

// A span of time in its largest unit, such as `14 s`, `3 min`, `5 h`, `2 d`.
export function span(seconds) {
 for (const [size, unit] of steps) {
  if (seconds >= size || size === 1) return `${Math.floor(seconds / size)} ${t(unit)}`
 }
}

export const ago = (seconds) => (seconds < 1 ? t('now', 'maintenant') : t('{0} ago', 'il y a {0}', span(seconds)))

const format = (time, options) => new Intl.DateTimeFormat(language, options).format(new Date(time))
export const dateTime = (time) => format(time, { dateStyle: 'medium', timeStyle: 'short' })
export const shortTime = (time) => format(time, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const clockTime = (time) => format(time, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const dayName = (time) => format(time, { weekday: 'short', day: 'numeric' })
export const dayMonth = (time) => format(time, { day: 'numeric', month: 'short' })
export const monthName = (time) => format(time, { month: 'short' })

// Status words and trends

// The arrow and the word of each trend.
export const trends = {
 falling: ['↘', ['falling', 'en baisse']], steady: ['→', ['steady', 'stable']], rising: ['↗', ['rising', 'en hausse']],
}
// Slow changes are told as the others are.
trends.easing = trends.falling
trends.climbing = trends.rising

// The status whose tone each assessment has.
export const assessmentStatus = {
 swim: 'normal', 'do-not-swim': 'critical', add: 'warning', wait: 'warning', check: 'warning', unknown: 'offline',
}

export const warning = ['Warning', 'Attention']
export const critical = ['Critical', 'Critique']
// What a value, or a device, was when it was fresh.
export const wasCritical = ['Was critical', 'Était critique']
export const wasWarning = ['Was out of range', 'Était hors limites']
const statusWords = {
 normal: ['OK', 'OK'], warning, critical, stale: ['Stale', 'Périmé'], offline: ['Offline', 'Hors ligne'],
}
// Words of the hub that say more than the status.
const ownWords = {
 'WAS CRITICAL': wasCritical, 'WAS WARNING': wasWarning,
 'PARTLY STALE': ['Partly stale', 'En partie périmé'], 'LAST KNOWN': ['Last known', 'Dernière connue'],
 'NO DATA': ['No data', 'Sans données'], 'NO DEVICE': ['No device', 'Sans appareil'],
}

export const statusWord = ({ status, word }) => t(ownWords[word] ?? statusWords[status])

export const roleNames = { owner: ['owner', 'propriétaire'], member: ['member', 'membre'], guest: ['guest', 'invité'] }
