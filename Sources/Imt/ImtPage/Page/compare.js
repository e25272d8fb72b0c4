// A pair of photos: cross-fade, wipe and side by side, in the frame in which watches compare, too.

import { pictureOf } from './api.js'
import { h } from './dom.js'
import { sideWords, t } from './words.js'

const width = 480
const height = 600

// The points of a photo in the frame; `place` is the phone's similarity from photo to frame.
async function points({ photo, place }) {
 const image = new Image()
 image.src = pictureOf(photo)
 await image.decode().catch(() => { throw new Error(t('A photo cannot be shown.', 'Une photo ne peut être montrée.')) })
 const canvas = h('canvas', { width, height })
 const context = canvas.getContext('2d', { willReadFrequently: true })
 context.fillStyle = '#202020'
 context.fillRect(0, 0, width, height)
 context.setTransform(place.a, place.b, -place.b, place.a, place.x, place.y)
 context.drawImage(image, 0, 0)
 return context.getImageData(0, 0, width, height)
}

// (1 − t)·before + t·after, t in hundredths: at 0 and at 100 it is one of the photos, bit by bit.
export function blend(before, after, position, into) {
 for (let index = 0; index < into.length; index += 1) {
  into[index] = Math.floor((before[index] * (100 - position) + after[index] * position + 50) / 100)
 }
}

export async function compareView(before, after) {
 const [first, second] = [await points(before), await points(after)]
 const canvas = h('canvas', { width, height, role: 'img' })
 const context = canvas.getContext('2d')
 const slider = h('input', { type: 'range', min: 0, max: 100, value: 0, 'aria-label': t('From before to after', 'D’avant à après') })
 const mode = h('select', { 'aria-label': t('How to compare', 'Comment comparer') },
  [['fade', t('cross-fade', 'fondu')], ['wipe', t('wipe', 'volet')], ['side', t('side by side', 'côte à côte')]].map(([value, text]) => h('option', { value }, text)))
 const pair = h('div.pair.hidden', [[first, before], [second, after]].map(([image, { photo }]) => {
  const one = h('canvas', { width, height, role: 'img', 'aria-label': sideWords[photo.side]() })
  one.getContext('2d').putImageData(image, 0, 0)
  return one
 }))
 const draw = () => {
  const position = Number(slider.value)
  const isSide = mode.value === 'side'
  pair.classList.toggle('hidden', !isSide)
  canvas.classList.toggle('hidden', isSide)
  slider.disabled = isSide
  canvas.setAttribute('aria-label', t('{0} % after', '{0} % après', position))
  if (mode.value === 'wipe') {
   context.putImageData(first, 0, 0)
   if (position) context.putImageData(second, 0, 0, 0, 0, Math.floor(width * position / 100), height)
  } else {
   const mixed = context.createImageData(width, height)
   blend(first.data, second.data, position, mixed.data)
   context.putImageData(mixed, 0, 0)
  }
 }
 slider.oninput = draw
 mode.onchange = draw
 draw()
 return h('div.compare', h('div.row', mode, !before.isAligned && h('span.hint', t('not aligned: set the eyes of both photos', 'non alignées : placez les yeux des deux photos'))), canvas, pair,
  h('div.row', sideWords.before(), slider, sideWords.after()))
}
