// Pictures on their way to the phone: the browser decodes what it knows, and sends an upright JPEG in sRGB.

import { ask, withParameters } from './api.js'
import { say } from './dom.js'
import { localTime, takenTime } from './exif.js'
import { t } from './words.js'

const longSide = 4096
const quality = 0.92

// Draws a picture on a canvas that is not larger than it may be.
export function drawn(source, width, height) {
 const scale = Math.min(1, longSide / Math.max(width, height))
 const canvas = document.createElement('canvas')
 canvas.width = Math.max(1, Math.round(width * scale))
 canvas.height = Math.max(1, Math.round(height * scale))
 canvas.getContext('2d', { colorSpace: 'srgb' }).drawImage(source, 0, 0, canvas.width, canvas.height)
 return canvas
}

// The canvas of a file that the browser can read, with its time; refused by name otherwise.
export async function readFile(file) {
 const taken = await takenTime(file)
 let bitmap
 try {
  bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
 } catch {
  throw new Error(t('{0} is no picture that this browser can read: choose another file.', '{0} n’est pas une photo que ce navigateur sait lire : choisissez un autre fichier.', file.name))
 }
 const canvas = drawn(bitmap, bitmap.width, bitmap.height)
 bitmap.close()
 return { canvas, taken, fileTime: localTime(new Date(file.lastModified)) }
}

// Sends a picture into its place: { transformation, side, view, replaces }.
export async function send(place, { canvas, taken, fileTime }) {
 const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', quality) })
 if (!blob) throw new Error(t('The picture could not be made: take it again.', 'La photo n’a pas pu être faite : reprenez-la.'))
 const { transformation, ...rest } = place
 const made = await ask('POST', withParameters(`/transformations/${transformation}/photos`, { ...rest, taken, fileTime }), blob)
 say(made.notice ?? t('The photo is kept.', 'La photo est gardée.'))
}
