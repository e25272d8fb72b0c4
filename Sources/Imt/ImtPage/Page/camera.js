// The camera: an ellipse for the first photo, the first photo translucent for the second one. Nothing is sent before a photo
// is accepted, so that a retake leaves nothing.

import { pictureOf } from './api.js'
import { dialog, h, run } from './dom.js'
import { localTime } from './exif.js'
import { drawn, send } from './intake.js'
import { t } from './words.js'

// Takes a photo for a place; `ghost` is the photo before, or null. Resolves with true when one was kept.
export const takePhoto = (place, ghost) => dialog(t('Take the photo', 'Prendre la photo'), (close) => {
 const video = h('video', { autoplay: true, playsinline: true, muted: true })
 const still = h('canvas.hidden')
 const overlay = ghost
  ? h('img.ghost', { src: pictureOf(ghost), alt: t('the photo before, translucent', 'la photo avant, en transparence') })
  : h('div.frame', h('div.ellipse', { role: 'img', 'aria-label': t('Centre the face in the ellipse.', 'Centrez le visage dans l’ellipse.') }))
 const stage = h('div.stage', video, still, overlay)
 const problem = h('p.problem', { role: 'alert' })
 const shutter = h('button.primary', { type: 'button' }, t('Shoot', 'Déclencher'))
 const accept = h('button.primary', { type: 'button' }, t('Accept', 'Accepter'))
 const retake = h('button', { type: 'button' }, t('Retake', 'Reprendre'))
 const cancel = h('button', { type: 'button' }, t('Cancel', 'Annuler'))
 let stream
 let taken

 const show = (state) => {
  stage.dataset.state = state
  for (const [node, states] of [[shutter, ['live']], [accept, ['taken']], [retake, ['taken']], [video, ['live']], [still, ['taken']], [overlay, ['live']]]) {
   node.classList.toggle('hidden', !states.includes(state))
  }
 }
 const end = (value) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
  close(value)
 }
 shutter.onclick = () => {
  const picture = drawn(video, video.videoWidth, video.videoHeight)
  taken = localTime(new Date())
  still.width = picture.width
  still.height = picture.height
  still.getContext('2d').drawImage(picture, 0, 0)
  show('taken')
  accept.focus()
 }
 retake.onclick = () => { show('live'); shutter.focus() }
 accept.onclick = () => run(accept, problem, async () => {
  await send(place, { canvas: still, taken })
  end(true)
 })
 cancel.onclick = () => end(false)
 show('live')
 shutter.disabled = true
 navigator.mediaDevices?.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1920 }, height: { ideal: 1440 } }, audio: false })
  .then((found) => {
   stream = found
   video.srcObject = found
   video.onloadeddata = () => { shutter.disabled = false }
  }, () => { problem.textContent = t('The camera cannot be used: allow it in the browser, or choose a file.', 'La caméra est inutilisable : autorisez-la, ou choisissez un fichier.') })
 if (!navigator.mediaDevices) problem.textContent = t('Browsers give the camera to https and to this machine only: choose a file.', 'Les navigateurs ne donnent la caméra qu’en https ou sur cette machine : choisissez un fichier.')
 return h('div', stage, problem, h('div.row', shutter, accept, retake, cancel))
})
