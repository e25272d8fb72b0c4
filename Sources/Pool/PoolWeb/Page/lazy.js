// Views that only owners open, whose script comes with the first of them.

import { h, p, plainButton } from './dom.js'
import { changed } from './store.js'
import { t } from './words.js'

let ownViews = null
// Whether the script was asked for, and did not come.
let [isAsked, isMissing] = [false, false]

function loadViews() {
 [isAsked, isMissing] = [true, false]
 import('./owner.js').then((script) => { ownViews = script.ownerViews }, () => { isMissing = true }).finally(changed)
}

// A view of the owner's script.
export const ownersView = (name) => (...given) => {
 if (ownViews) return ownViews[name](...given)
 if (!isAsked) loadViews()
 if (!isMissing) return p('hint', t('Loading…', 'Chargement…'))
 return h('div', p('problem', t('This part of the page did not come. Open the page again.', 'Cette partie de la page n’est pas venue. Rouvrez la page.')),
  plainButton(t('Open the page again', 'Rouvrir la page'), () => location.reload()))
}
