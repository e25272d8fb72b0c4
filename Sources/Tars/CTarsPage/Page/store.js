// What the page knows: who looks, the home, and whether the stream of events is open.

export const state = {
 me: null, home: null,
 // What was found near the phone and at the broker, the edits that lost, and the watches; null while they are not known.
 found: null, conflicts: null, watches: null,
 isOpen: false,
 // When the home was said, in milliseconds of this browser, so that ages can grow.
 saidAt: 0,
 // What became of the last command of each thing and shortcut, by its identity.
 statuses: new Map(),
}

// What the shown view remembers, such as its forms, by name. It is empty after each arrival at a view.
export const seen = new Map()

let redraw = () => {}

// Sets what draws the page after each change.
export function observe(draw) { redraw = draw }

export function changed() { redraw() }

// Rights. The server decides; these only spare people buttons that would be refused.
export const isOwner = () => state.me?.role === 'owner'
export const mayEditAll = () => isOwner() || state.me?.role === 'member' && state.me.grants.some((one) => one.room === null)
