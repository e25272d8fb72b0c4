// Makes elements, and brings a part of the page up to date in place, so that focus, selection and typed text stay.
// Text becomes a text node, never markup.

const svgSpace = 'http://www.w3.org/2000/svg'

// Makes an element, such as `p.hint` with a class, with attributes, which may be left out, and children. `on…` is a listener,
// `true` an attribute without a value; false, null and undefined are left out. `key` distinguishes children of one element.
export const h = (name, ...content) => make((tag) => document.createElement(tag), name, content)

// Makes an element of SVG.
export const s = (name, ...content) => make((tag) => document.createElementNS(svgSpace, tag), name, content)

export const p = (kind, ...content) => h('p', { class: kind }, ...content)
export const bdi = (text) => h('bdi', text)
export const problemLine = (...content) => h('p.problem', { role: 'alert' }, ...content)
export const plainButton = (text, onclick, attributes) =>
 h('button.quiet', { type: 'button', ...attributes, onclick }, text)
export const card = (key, title, ...content) => h('section.card', { key }, h('h2', title), ...content)

// A list of cards, or what is said if there are none; nothing while they are not known.
export const cards = (things, none, make) => things && (things.length ? h('ul.plainlist', things.map(make)) : p('empty', none))

function make(create, name, content) {
 const [tag, ...kinds] = name.split('.')
 const node = create(tag)
 if (kinds.length) node.setAttribute('class', kinds.join(' '))
 const hasAttributes = content[0]?.constructor === Object
 for (const [key, value] of Object.entries(hasAttributes ? content[0] : {})) {
  if (key.startsWith('on')) node[key] = value
  else if (key === 'key') node.dataset.key = value
  else if (value === true) node.setAttribute(key, '')
  else if (value !== false && value != null) node.setAttribute(key, value)
 }
 for (const child of content.slice(hasAttributes ? 1 : 0).flat(Infinity)) {
  if (child instanceof Node) node.append(child)
  else if (child !== false && child != null) node.append(String(child))
 }
 return node
}

const listeners = ['onclick', 'oninput', 'onchange', 'onsubmit', 'onkeydown', 'onpointermove', 'onpointerleave']
const ownedByBrowser = { DETAILS: ['open'] }

// Gives a node the content of another one that was just made.
export function update(node, made) {
 const wanted = Array.from(made.childNodes)
 const kept = new Map()
 for (const child of node.childNodes) if (child.dataset?.key) kept.set(child.dataset.key, child)
 let place = node.firstChild
 for (const child of wanted) {
  const key = child.dataset?.key
  let old = key ? kept.get(key) : place
  if (!old || !isAlike(old, child)) {
   node.insertBefore(child, place)
   continue
  }
  if (old !== place) node.insertBefore(old, place)
  else place = place.nextSibling
  renew(old, child)
 }
 while (place) {
  const next = place.nextSibling
  place.remove()
  place = next
 }
}

function isAlike(old, made) {
 return old.nodeName === made.nodeName && old.dataset?.key === made.dataset?.key
}

function renew(old, made) {
 if (old.nodeType !== Node.ELEMENT_NODE) {
  if (old.data !== made.data) old.data = made.data
  return
 }
 const owned = ownedByBrowser[old.nodeName] ?? []
 for (const { name } of Array.from(old.attributes)) {
  if (!made.hasAttribute(name) && !owned.includes(name)) old.removeAttribute(name)
 }
 for (const { name, value } of made.attributes) {
  if (old.getAttribute(name) !== value && !owned.includes(name)) old.setAttribute(name, value)
 }
 for (const name of listeners) if (old[name] !== made[name]) old[name] = made[name]
 update(old, made)
}

// Says a sentence to those who listen to the page.
export function say(sentence) {
 const place = document.getElementById('said')
 place.textContent = ''
 // A change in a later frame is heard even when the sentence is the same.
 requestAnimationFrame(() => { place.textContent = sentence })
}
