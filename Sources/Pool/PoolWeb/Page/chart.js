// A chart of one quantity in SVG: the band of its limits, least to greatest, the mean, gaps, marks of calibrations and doses,
// the forecast, and a cursor for arrow keys and pointers whose value is said.

import {
 changed, clockTime, dateTime, dayMonth, dayName, decimalsOf, h, monthName, number, quantityName, s, seen, inUnits, fromUnits, t, withUnit,
} from './kit.js'

const height = 168
const edge = { left: 40, right: 10, top: 10, bottom: 24 }
const minute = 60000
const dayTime = 1440 * minute

// A path with a class.
const path = (kind, d) => s('path', { class: kind, d })

// Draws a chart. `view` has: key, quantity, series, limits, marks [{at, kind, text}], width, and perhaps forecast {text, …}.
export function chart(view) {
 const width = view.width
 const points = view.series.points.map((point) => ({ ...point, time: Date.parse(point.start) }))
 const [first, now] = [Date.parse(view.series.first), Date.parse(view.series.last)]
 const bucket = view.series.bucketMilliseconds ?? 0
 for (const point of points) point.time = Math.min(now, point.time + bucket / 2)
 // As much of the future as of the past at most; what is later runs out of the picture.
 const ahead = view.forecast && forecastOf(view, points.at(-1), 2 * now - first)
 const last = ahead ? ahead.last : now
 // Where the cursor stops: at each point, and at the forecast.
 const stops = ahead ? [...points, ahead] : points
 const [low, high] = domain(stops, view.limits)
 const x = (time) => round(edge.left + (time - first) / Math.max(1, last - first) * (width - edge.left - edge.right))
 const y = (value) => round(height - edge.bottom - (value - low) / (high - low) * (height - edge.top - edge.bottom))
 const marks = view.marks.filter((mark) => mark.at >= first && mark.at <= now)
 const place = Math.min(seen.get(`cursor ${view.key}`) ?? -1, stops.length - 1)
 const picture = s('svg.plot', {
  viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false',
  onpointermove: (event) => move(view.key, nearest(stops, event, first, last, width)),
  onpointerleave: () => move(view.key, -1),
 },
 band(view.limits, low, high, x, y, first, last),
 valueAxis(low, high, y, width, view.quantity), timeAxis(first, last, x),
 segments(points).map((segment) => line(segment, x, y)),
 ahead && future(ahead, x, y, now),
 marks.map((mark) => symbol(mark, x(mark.at))),
 place >= 0 && pointer(stops[place], x, y))
 const text = place >= 0 ? pointText(stops[place], view, marks, bucket) : summary(points, view)
 return h('div.chart', {
  key: view.key, tabindex: '0', role: 'slider',
  'aria-label': t('{0}: arrow keys move through the values', '{0} : les flèches parcourent les valeurs', quantityName(view.quantity)),
  'aria-valuemin': 0, 'aria-valuemax': Math.max(0, stops.length - 1),
  'aria-valuenow': Math.max(0, place >= 0 ? place : points.length - 1), 'aria-valuetext': text,
  onkeydown: (event) => press(event, view.key, stops.length),
 }, picture, h('p.readout', { 'aria-hidden': 'true' }, place >= 0 ? text : marksText(marks) || '\u00a0'))
}

const round = (value) => Math.round(value * 10) / 10

// The least and the greatest value of points.
const extent = (points) => [Math.min(...points.map((point) => point.least)), Math.max(...points.map((point) => point.greatest))]

// The least and the greatest value that is drawn: all points, and the limits.
function domain(points, limits) {
 const [low, high] = extent([...points, { least: limits.low, greatest: limits.high }])
 const margin = (high - low || 1) * 0.08
 return [low - margin, high + margin]
}

// A forecast, from the newest point to the limit that will be crossed or to a value, until `end` at most. Its band ends between
// two times of the crossing, or two values.
function forecastOf({ forecast, limits }, from, end) {
 const time = (name) => Date.parse(forecast[name] ?? forecast.reach)
 const at = time(forecast.value == null ? 'leavesAt' : 'at')
 if (!from || at <= from.time) return null
 const limit = limits[forecast.deviation]
 // What stays in its range ends there as it drifts.
 const drift = from.mean + forecast.changePerDay * (at - from.time) / dayTime
 const to = forecast.value ?? (forecast.leavesAt ? limit : Math.max(limits.low, Math.min(limits.high, drift)))
 const { least = to, greatest = to, earliest, text } = forecast
 const band = earliest ? [[time('earliest'), limit], [time('latest'), limit]] : [[at, least], [at, greatest]]
 const share = Math.min(1, (end - from.time) / (at - from.time))
 const [stop, mean] = [from.time + share * (at - from.time), from.mean + share * (to - from.mean)]
 return { from, time: stop, mean, least, greatest, band, text, last: Math.min(end, Math.max(at, band[1][0])) }
}

function future({ from, time, mean, band, text }, x, y, now) {
 const [start, end, first, last] = [[from.time, from.mean], [time, mean], ...band].map(([when, value]) => `${x(when)},${y(value)}`)
 return s('g.ahead', s('title', text), path('grid', `M${x(now)},${edge.top}V${height - edge.bottom}`),
  path('chance', `M${start}L${first}L${last}Z`), path('line', `M${start}L${end}`))
}

// Points without a gap between them.
function segments(points) {
 const all = []
 for (const point of points) {
  if (point.isAfterGap || all.length === 0) all.push([])
  all.at(-1).push(point)
 }
 return all
}

function line(segment, x, y) {
 if (segment.length === 1) {
  const [only] = segment
  return [path('spread', `M${x(only.time)},${y(only.least)}V${y(only.greatest)}`),
   s('circle.dot', { cx: x(only.time), cy: y(only.mean), r: 2 })]
 }
 const there = segment.map((point) => `${x(point.time)},${y(point.greatest)}`)
 const back = segment.toReversed().map((point) => `${x(point.time)},${y(point.least)}`)
 return [path('spread', `M${there.join('L')}L${back.join('L')}Z`),
  path('mean', `M${segment.map((point) => `${x(point.time)},${y(point.mean)}`).join('L')}`)]
}

function band(limits, low, high, x, y, first, last) {
 const width = x(last) - x(first)
 const critical = [limits.criticalLow, limits.criticalHigh].filter((value) => value > low && value < high)
 return [
  s('rect.band', {
   x: x(first), y: y(limits.high), width, height: Math.max(0, y(limits.low) - y(limits.high)),
  }),
  critical.map((value) => path('critical', `M${x(first)},${y(value)}h${width}`)),
 ]
}

function valueAxis(low, high, y, width, quantity) {
 // Round numbers of the unit that people see.
 const [least, greatest] = [inUnits(low, quantity), inUnits(high, quantity)]
 const step = niceStep((greatest - least) / 4)
 const ticks = []
 for (let tick = Math.ceil(least / step) * step; tick <= greatest; tick += step) {
  const value = fromUnits(tick, quantity)
  const decimals = step < 1 ? Math.min(decimalsOf(quantity), Math.ceil(-Math.log10(step))) : 0
  ticks.push(path('grid', `M${edge.left},${y(value)}H${width - edge.right}`),
   s('text.tick.end', { x: edge.left - 6, y: y(value) + 4 }, number(tick, decimals)))
 }
 return ticks
}

function niceStep(rough) {
 const power = 10 ** Math.floor(Math.log10(rough))
 return [1, 2, 5, 10].find((factor) => factor * power >= rough) * power
}

// The steps between two ticks in minutes, and what is written there; months beyond.
const tickSteps = [[15, clockTime], [30, clockTime], [120, clockTime], [360, clockTime], [720, clockTime], [2880, dayName], [10080, dayMonth]]

// Ticks at whole hours, days or months of the browser's time zone.
function timeAxis(first, last, x) {
 const [step, name] = tickSteps.find(([minutes]) => last - first <= 4.5 * minutes * minute) ?? [0, monthName]
 const ticks = []
 const date = new Date(first)
 if (!step) date.setDate(1)
 date.setHours(0, 0, 0, 0)
 for (; date <= last; step ? date.setMinutes(date.getMinutes() + step) : date.setMonth(date.getMonth() + 2)) {
  if (date < first) continue
  const place = x(date.getTime())
  const align = place - x(first) < 20 ? 'start' : x(last) - place < 20 ? 'end' : 'middle'
  ticks.push(path('grid', `M${place},${height - edge.bottom}v4`), s(`text.tick.${align}`, { x: place, y: height - 6 }, name(date)))
 }
 return ticks
}

function symbol(mark, place) {
 const base = height - edge.bottom
 const shape = mark.kind === 'dose' ? `M${place},${base - 12}q7,9 0,12q-7,-3 0,-12z` : `M${place},${base - 10}l5,10h-10z`
 return s('g', { class: `mark ${mark.kind}` },
  path('stem', `M${place},${edge.top}V${base}`), path('', shape), s('title', mark.text))
}

function pointer(point, x, y) {
 return s('g.cursor', path('', `M${x(point.time)},${edge.top}V${height - edge.bottom}`),
  s('circle', { cx: x(point.time), cy: y(point.mean), r: 4 }))
}

// The sentence for a point.
function pointText(point, { quantity, limits }, marks, bucket) {
 if (point.text) return `${t('Forecast', 'Prévision')}: ${point.text}`
 const where = point.mean < limits.low ? t('below its limits', 'sous les limites') : point.mean > limits.high ? t('above its limits', 'au-dessus des limites') : ''
 const spread = point.least !== point.greatest
  && t('from {0} to {1}', 'de {0} à {1}', withUnit(point.least, quantity), withUnit(point.greatest, quantity))
 const near = marks.filter((mark) => Math.abs(mark.at - point.time) <= bucket / 2).map((mark) => mark.text)
 return [`${dateTime(point.time)}: ${withUnit(point.mean, quantity)}`, spread, where, point.isAfterGap && t('after a gap', 'après une interruption'),
  ...near].filter(Boolean).join(', ')
}

function summary(points, { quantity }) {
 if (points.length === 0) return t('no values in this time', 'aucune valeur dans cette durée')
 const [least, greatest] = extent(points)
 return t('{0} values, from {1} to {2}', '{0} valeurs, de {1} à {2}', points.length, withUnit(least, quantity), withUnit(greatest, quantity))
}

function marksText(marks) {
 const count = (kind) => marks.filter((mark) => mark.kind === kind).length
 const parts = []
 if (count('calibration')) parts.push(t('▲ calibrations: {0}', '▲ étalonnages : {0}', count('calibration')))
 if (count('dose')) parts.push(t('● doses: {0}', '● ajouts : {0}', count('dose')))
 return parts.join('  ')
}

function move(key, place) {
 if ((seen.get(`cursor ${key}`) ?? -1) === place) return
 seen.set(`cursor ${key}`, place)
 changed()
}

function press(event, key, count) {
 const now = seen.get(`cursor ${key}`) ?? -1
 const from = now < 0 ? count : now
 const far = Math.max(1, Math.round(count / 10))
 const to = {
  ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: now + 1, ArrowUp: now + 1, PageDown: from - far,
  PageUp: now + far, Home: 0, End: count - 1, Escape: -1,
 }[event.key]
 if (to === undefined || count === 0) return
 event.preventDefault()
 move(key, event.key === 'Escape' ? -1 : Math.max(0, Math.min(count - 1, to)))
}

function nearest(points, event, first, last, width) {
 const box = event.currentTarget.getBoundingClientRect()
 const place = (event.clientX - box.left) / box.width * width
 const time = first + (place - edge.left) / (width - edge.left - edge.right) * (last - first)
 let best = -1
 points.forEach((point, index) => {
  if (best < 0 || Math.abs(point.time - time) < Math.abs(points[best].time - time)) best = index
 })
 return best
}
