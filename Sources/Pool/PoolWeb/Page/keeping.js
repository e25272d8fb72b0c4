// How long the history is kept, and its periodic export.

import { get } from './api.js'
import {
 button, card, changed, dateTime, difference, field, form, formState, h, hubNow, load, loading, number, numberOf, numeric, p, patch, Refusal,
 riskyButton, saved, state, t, write,
} from './kit.js'

const periods = [
 ['hourly', ['each hour', 'chaque heure']], ['daily', ['each day', 'chaque jour']], ['weekly', ['each week', 'chaque semaine']],
 ['monthly', ['each month', 'chaque mois']],
]

const historyPath = '/history'

export function keepingView() {
 const entry = load(historyPath, state.revision)
 const current = formState('keeping')
 const base = saved(current, entry)
 if (!base) return [h('h1', t('History', 'Historique')), loading(entry)]
 return [
  h('h1', t('History', 'Historique')),
  base.data.readings != null && h('p', t('{0} readings, {1} MB.', '{0} mesures, {1} Mo.', number(base.data.readings, 0), number(base.data.byteCount / 1e6, 1))),
  card('keep', t('How long it is kept', 'Durée de conservation'), keepForm(current, base)),
  card('export', t('Files by itself', 'Fichiers automatiques'), periodic(base)),
 ]
}

function keepForm(current, base) {
 const now = base.data
 return form('keeping', {
  keepsFields: true,
  button: current.removed == null ? t('Save', 'Enregistrer') : t('Save, and remove them', 'Enregistrer, et les supprimer'),
  submit: async (data) => {
   const wanted = { rawDays: days(data, 'rawDays'), summaryDays: days(data, 'summaryDays') }
   const isShorter = wanted.rawDays < now.rawDays || wanted.summaryDays < now.summaryDays
   const asked = `${wanted.rawDays} ${wanted.summaryDays}`
   if (isShorter && current.asked !== asked) {
    // What would go is shown first; the same press again removes it.
    Object.assign(current, { asked, removed: (await get(`/history/removal?rawDays=${wanted.rawDays}`)).data.readings, until: hubNow() - wanted.rawDays * 86400000 })
    return
   }
   const said = await patch(current, historyPath, now, wanted, (other) => ({
    rawDays: difference(String(other.rawDays), data.get('rawDays')), summaryDays: difference(String(other.summaryDays), data.get('summaryDays')),
   }))
   Object.assign(current, { asked: null, removed: null })
   return said
  },
 },
 field(current, 'rawDays', t('Days of single readings (7 to 3650)', 'Jours des mesures isolées (7 à 3650)'), numeric(now.rawDays, 0)),
 field(current, 'summaryDays', t('Days of summaries for charts', 'Jours des résumés pour les courbes'), numeric(now.summaryDays, 0)),
 current.removed != null && h('div.note', { role: 'alert', key: 'removed' },
  h('p', t('{0} readings before {1} would be removed, and summaries that are too old. Press again to do it.', '{0} mesures d’avant le {1} seraient supprimées, et les résumés trop vieux. Pressez encore pour le faire.', number(current.removed, 0), dateTime(current.until))),
  button('keep them', t('Keep them', 'Les garder'), async () => { Object.assign(current, { asked: null, removed: null }); changed() })))
}

function days(data, name) {
 const value = numberOf(data, name, t('Days', 'Jours'))
 if (value === undefined) throw new Refusal(name, t('Type a number.', 'Tapez un nombre.'))
 return value
}

function periodic(base) {
 const current = formState('export settings')
 current.base = base
 const now = base.data.export
 if (!now) {
  return [h('p', t('The hub makes no files by itself.', 'Le hub ne fait pas de fichiers tout seul.')),
   p('hint', t('The page names no folder of the hub’s machine. Switch it on there: ', 'La page ne nomme aucun dossier de la machine du hub. Activez-le là-bas : '), h('code', 'poolsensors history auto --every daily --to FOLDER'))]
 }
 const path = '/history/export'
 return [
  form(current.name, {
   label: t('Files by itself', 'Fichiers automatiques'),
   submit: async (data) => {
    await write(current, 'PATCH', path, { period: data.get('period'), format: data.get('format') }, () => ({}), historyPath)
    return t('Saved.', 'Enregistré.')
   },
  },
  field(current, 'period', t('A file', 'Un fichier'), { options: periods.map(([key, text]) => [key, t(text), key === now.period]) }),
  field(current, 'format', t('Format', 'Format'), { options: ['csv', 'jsonl'].map((key) => [key, key.toUpperCase(), key === now.format]) })),
  riskyButton('end export', t('Switch it off', 'Désactiver'), t('Make no more files? The folder can be named on the hub’s machine only.', 'Ne plus faire de fichiers ? Le dossier ne se nomme que sur la machine du hub.'),
   () => write(current, 'DELETE', path, undefined, () => ({}), historyPath)),
 ]
}
