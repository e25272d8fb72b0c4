// The open alerts, with acknowledging and snoozing, and the latest notices.

import {
 ago, bdi, button, card, cards, change, critical, dateTime, deviceWith, h, hubNow, language, load, mayEdit, p, span, state, t,
 warning, wasCritical, wasWarning, withUnit,
} from './kit.js'

const snoozes = [[900, ['15 min', '15 min']], [3600, ['1 hour', '1 heure']], [28800, ['8 hours', '8 heures']], [86400, ['1 day', '1 jour']]]

export function alertsView() {
 const notices = state.isCertain ? load('/alerts?notices=30', language + state.alerts.map((alert) => alert.episodeID + alert.isAcknowledged).join()).data?.notices ?? [] : []
 return [
  h('h1', t('Alerts', 'Alertes')),
  cards(state.alerts, t('All is well: no alert is open.', 'Tout va bien : aucune alerte ouverte.'), alertCard),
  state.moreAlerts > 0 && h('p', t('And {0} more.', 'Et {0} de plus.', state.moreAlerts)),
  notices.length > 0 && card('notices', t('Latest notices', 'Derniers avis'),
   h('ul.log', notices.map((notice) => h('li', { key: notice.id },
    h('span.when', dateTime(notice.at)), h('span', notice.text))))),
 ]
}

function alertCard(alert) {
 const { device, pool } = subject(alert)
 const since = Math.max(0, (hubNow() - Date.parse(alert.since)) / 1000)
 const isSnoozed = alert.snoozedUntil && Date.parse(alert.snoozedUntil) > hubNow()
 const isOld = alert.measuredAt != null
 const isCritical = alert.severity === 'critical'
 const word = isOld ? (isCritical ? wasCritical : wasWarning) : isCritical ? critical : warning
 return h('li', { class: `card alert ${isOld ? 'stale' : alert.severity}`, key: alert.episodeID },
  h('p.summary', h('strong', t(word)), ' ',
   device ? h('a', { href: `#/device/${device.id}` }, bdi(alertText(alert))) : bdi(alertText(alert))),
  p('hint', t('for {0}', 'depuis {0}', span(since)),
   isOld && ` · ${t('measured {0}', 'mesuré {0}', ago(Math.max(0, (hubNow() - Date.parse(alert.measuredAt)) / 1000)))}`,
   alert.limit != null && alert.key.startsWith('value/') && ` · ${t('limit {0}', 'limite {0}', withUnit(alert.limit, alert.key.split('/')[2]))}`,
   alert.isAcknowledged && ` · ${t('acknowledged', 'acquittée')}`,
   isSnoozed && ` · ${t('snoozed until {0}', 'reportée jusqu’au {0}', dateTime(alert.snoozedUntil))}`),
  mayEdit(pool) && h('div.row',
   !alert.isAcknowledged && button(`ack ${alert.episodeID}`, t('Acknowledge', 'Acquitter'), () => answer(alert, 'acknowledge'),
    { class: 'primary', 'aria-label': `${t('Acknowledge', 'Acquitter')}: ${alertText(alert)}` }),
   h('span.hint', t('Snooze', 'Reporter')),
   snoozes.map(([seconds, text]) => button(`snooze ${alert.episodeID} ${seconds}`, t(text),
    () => answer(alert, 'snooze', { seconds }), { 'aria-label': `${t('Snooze', 'Reporter')} ${t(text)}: ${alertText(alert)}` }))))
}

function subject(alert) {
 const device = deviceWith(alert.key.split('/')[1])
 return { device, pool: device?.poolID ?? null }
}

async function answer(alert, what, body) {
 await change('POST', `/alerts/${alert.episodeID}/${what}`, body)
}

// The summary of an alert in the language of the page. A kept snapshot may have it in English only, and an old name.
function alertText(alert) {
 return alert.summaries?.[language] ?? alert.summary
}
