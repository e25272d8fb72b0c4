// What views are made with.

export * from './dom.js'
export * from './form.js'
export * from './loads.js'
export * from './quantities.js'
export * from './store.js'
export * from './words.js'
