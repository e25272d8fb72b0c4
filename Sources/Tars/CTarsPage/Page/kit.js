// What views are made with.

export * from './dom.js'
export * from './form.js'
export * from './store.js'
export * from './words.js'
