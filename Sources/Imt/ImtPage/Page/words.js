// The languages of the page.

const key = 'imt-language'

function remembered() {
 try { return localStorage.getItem(key) } catch { return null }
}

export let language = remembered() ?? (navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en')
document.documentElement.lang = language

// Changes the language, and remembers it on this device.
export function speak(code) {
 language = code
 document.documentElement.lang = code
 try { localStorage.setItem(key, code) } catch { /* It is not remembered then. */ }
}

// A text in the language of the page, with values in the places of {0}, {1}…
export const t = (english, french, ...values) =>
 (language === 'fr' ? french : english).replace(/\{(\d)\}/g, (_, place) => values[place])

export const sideWords = { before: () => t('before', 'avant'), after: () => t('after', 'après') }
export const viewWords = { front: () => t('front', 'face'), left: () => t('left', 'gauche'), right: () => t('right', 'droite') }
export const purposeWords = { clinical: () => t('clinical use', 'usage clinique'), marketing: () => t('advertising and teaching', 'publicité et enseignement') }
