// What only owners open. It is a script of its own: lazy.js asks for it when one of its views is opened.

import { channelsView } from './channels.js'
import { findView, sourcePart } from './found.js'
import { keepingView } from './keeping.js'
import { serversView } from './servers.js'

export const ownerViews = { channels: channelsView, find: findView, keeping: keepingView, servers: serversView, source: sourcePart }
