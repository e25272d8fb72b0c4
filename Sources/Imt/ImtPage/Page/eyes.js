// The eyes of a photo, set by hand: two points, by pointer or by arrow keys.

import { ask, pictureOf } from './api.js'
import { dialog, h, run } from './dom.js'
import { t } from './words.js'

// Sets the eyes of a photo; resolves with true when they were stored.
export const setEyes = (photo) => dialog(t('Set the eyes', 'Placer les yeux'), (close) => {
 const { width, height } = photo.size
 const step = Math.max(1, Math.round(width / 200))
 const scale = Math.min(1, 900 / width)
 const points = photo.eyes ? [photo.eyes.left, photo.eyes.right].map((one) => ({ ...one })) : [{ x: width * 0.37, y: height * 0.42 }, { x: width * 0.63, y: height * 0.42 }]
 const canvas = h('canvas', { width: Math.round(width * scale), height: Math.round(height * scale), role: 'img', 'aria-label': t('The photo; its points are moved with the buttons below, too.', 'La photo ; ses points se déplacent aussi avec les boutons ci-dessous.') })
 const context = canvas.getContext('2d')
 const image = new Image()
 let held = null
 const draw = () => {
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  points.forEach(({ x, y }, index) => {
   context.strokeStyle = index ? '#00d0ff' : '#ffd000'
   context.lineWidth = 3
   context.beginPath()
   context.arc(x * scale, y * scale, 10, 0, 2 * Math.PI)
   context.stroke()
  })
 }
 const move = (index, x, y) => {
  points[index] = { x: Math.min(width, Math.max(0, x)), y: Math.min(height, Math.max(0, y)) }
  draw()
 }
 const place = (event) => {
  const box = canvas.getBoundingClientRect()
  return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height]
 }
 canvas.onpointerdown = (event) => {
  const [x, y] = place(event)
  const far = points.map((point) => Math.hypot(point.x - x, point.y - y))
  held = far[0] <= far[1] ? 0 : 1
  canvas.setPointerCapture(event.pointerId)
  move(held, x, y)
 }
 canvas.onpointermove = (event) => { if (held !== null) move(held, ...place(event)) }
 canvas.onpointerup = () => { held = null }
 image.onload = draw
 image.src = pictureOf(photo)
 const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
 const handle = (index, name) => h('button', {
  type: 'button',
  onkeydown: (event) => {
   const way = keys[event.key]
   if (!way) return
   event.preventDefault()
   move(index, points[index].x + way[0] * step, points[index].y + way[1] * step)
  },
 }, name)
 const problem = h('p.problem', { role: 'alert' })
 const save = h('button.primary', { type: 'button' }, t('Store', 'Enregistrer'))
 const store = (body) => run(save, problem, async () => { await ask('PUT', `/photos/${photo.id}/eyes`, body); close(true) })
 save.onclick = () => store({ leftX: points[0].x, leftY: points[0].y, rightX: points[1].x, rightY: points[1].y })
 return h('div.eyes', canvas, h('p.hint', t('Drag the circles onto the eyes; the picture itself is not changed.', 'Glissez les cercles sur les yeux ; la photo elle-même ne change pas.')),
  h('div.row', handle(0, t('left eye: arrow keys', 'œil gauche : flèches')), handle(1, t('right eye: arrow keys', 'œil droit : flèches'))), problem,
  h('div.row', save, h('button', { type: 'button', onclick: () => store({}) }, t('Forget them', 'Les oublier')), h('button', { type: 'button', onclick: () => close(false) }, t('Cancel', 'Annuler'))))
})
