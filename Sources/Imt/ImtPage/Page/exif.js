// When a picture was taken, from the first bytes of a JPEG or HEIC file: EXIF's DateTimeOriginal.
// Both hold a TIFF part behind the word Exif; source: CIPA DC-008, and ISO/IEC 23008-12 for HEIC.

const headByteCount = 256 * 1024

// The time as it is written, such as 2026:06:01 12:00:00, or null.
export async function takenTime(file) {
 const bytes = new Uint8Array(await file.slice(0, headByteCount).arrayBuffer())
 for (const start of tiffPlaces(bytes)) {
  const time = timeOf(bytes.subarray(start))
  if (time) return time
 }
 return null
}

// Where TIFF parts may begin: behind `Exif` and two zeros.
function* tiffPlaces(bytes) {
 const word = [0x45, 0x78, 0x69, 0x66, 0, 0]
 for (let place = 0; place + 14 < bytes.length; place += 1) {
  if (word.every((byte, index) => bytes[place + index] === byte)) yield place + word.length
 }
}

function timeOf(bytes) {
 if (bytes.length < 8 || bytes[0] !== bytes[1]) return null
 const isLittle = bytes[0] === 0x49
 const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
 try {
  if (view.getUint16(2, isLittle) !== 42) return null
  const list = entry(view, view.getUint32(4, isLittle), 0x8769, isLittle)
  const text = list && entry(view, view.getUint32(list + 8, isLittle), 0x9003, isLittle)
  if (!text || view.getUint32(text + 4, isLittle) < 19) return null
  const start = view.getUint32(text + 8, isLittle)
  return new TextDecoder('latin1').decode(bytes.subarray(start, start + 19))
 } catch (error) {
  // A place outside of the file: there is no time.
  if (error instanceof RangeError) return null
  throw error
 }
}

// The place of the entry of a tag in a list, or null.
function entry(view, list, tag, isLittle) {
 const count = view.getUint16(list, isLittle)
 for (let index = 0; index < count; index += 1) {
  const place = list + 2 + index * 12
  if (view.getUint16(place, isLittle) === tag) return place
 }
 return null
}

const two = (number) => String(number).padStart(2, '0')

// A moment as the phone reads it, in local time and without a zone.
export const localTime = (date) =>
 `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
