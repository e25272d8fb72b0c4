// Makes elements. Text becomes a text node, never markup.

// Makes an element, such as `p.hint` with a class, with attributes, which may be left out, and children.
export function h(name, ...content) {
 const [tag, ...kinds] = name.split('.')
 const node = document.createElement(tag)
 if (kinds.length) node.className = kinds.join(' ')
 const hasAttributes = content[0]?.constructor === Object
 for (const [key, value] of Object.entries(hasAttributes ? content[0] : {})) {
  if (key.startsWith('on')) node[key] = value
  else if (value === true) node.setAttribute(key, '')
  else if (value !== false && value != null) node.setAttribute(key, value)
 }
 for (const child of content.slice(hasAttributes ? 1 : 0).flat(Infinity)) {
  if (child instanceof Node) node.append(child)
  else if (child !== false && child != null) node.append(String(child))
 }
 return node
}

// Says a sentence to those who listen to the page, and shows it for a while.
export function say(sentence) {
 const place = document.getElementById('said')
 place.textContent = sentence
 setTimeout(() => { if (place.textContent === sentence) place.textContent = '' }, 15_000)
}

// A button; what goes wrong is said beside it.
export function button(text, action, attributes = {}) {
 const problem = h('span.problem', { role: 'alert' })
 const node = h('button', { type: 'button', ...attributes }, text)
 node.onclick = () => run(node, problem, action)
 return h('span', node, ' ', problem)
}

// Runs an action of a control: it cannot be used meanwhile, and a problem is said in its place.
export async function run(control, problem, action) {
 if (control.disabled) return
 control.disabled = true
 problem.textContent = ''
 try {
  await action()
 } catch (error) {
  problem.textContent = error.message
 } finally {
  control.disabled = false
 }
}

let fields = 0

// A field with its label.
export function field(name, label, attributes = {}, hint = null) {
 const id = `field-${fields += 1}`
 return h('div.field', h('label', { for: id }, label),
  attributes.options
   ? h('select', { id, name }, attributes.options.map(([value, text]) => h('option', { value, selected: value === attributes.value }, text)))
   : h('input', { type: 'text', autocomplete: 'off', ...attributes, id, name, 'aria-describedby': hint && `${id}-hint` }),
  hint && h('p.hint', { id: `${id}-hint` }, hint))
}

// A form whose `submit` gets what was typed by the names of the fields.
export function form(text, submit, ...content) {
 const problem = h('p.problem', { role: 'alert' })
 const send = h('button.primary', text)
 return h('form', {
  'aria-label': text,
  onsubmit: (event) => {
   event.preventDefault()
   run(send, problem, () => submit(Object.fromEntries(new FormData(event.target))))
  },
 }, content, problem, h('div.row', send))
}

// A dialog over the page; `fill` gets the function that closes it. Resolves when it is closed.
export function dialog(title, fill) {
 return new Promise((resolve) => {
  const node = h('dialog', { 'aria-label': title })
  const close = (value) => {
   node.close()
   node.remove()
   resolve(value)
  }
  node.oncancel = (event) => { event.preventDefault(); close(undefined) }
  node.append(h('h2', title), fill(close))
  document.body.append(node)
  node.showModal()
 })
}

// Asks before something that cannot be undone.
export const confirmed = (question, yes, no) => dialog(question, (close) => h('div.row',
 h('button.danger', { type: 'button', onclick: () => close(true) }, yes),
 h('button', { type: 'button', autofocus: true, onclick: () => close(false) }, no)))
