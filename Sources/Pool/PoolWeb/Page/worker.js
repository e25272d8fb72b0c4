// The service worker: keeps the files of the page, so that the page opens without its server. It keeps no answers of the API;
// the last snapshot is kept by the page itself (store.js).

const shell = 'shell'
const files = ['/', '/page.css', '/icon.svg', '/manifest.webmanifest', '/page.js']

self.addEventListener('install', (event) => {
 event.waitUntil(caches.open(shell).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
 const url = new URL(event.request.url)
 if (event.request.method !== 'GET' || url.origin !== location.origin) return
 // The page stands at each link, too.
 const name = url.pathname.startsWith('/s/') ? '/' : url.pathname
 if (files.includes(name)) event.respondWith(newest(event.request, name))
})

// The file from the server, which says by its entity tag whether it changed; without a server the kept one.
async function newest(request, name) {
 const cache = await caches.open(shell)
 try {
  const answer = await fetch(request)
  if (answer.ok) await cache.put(name, answer.clone())
  return answer
 } catch (error) {
  const kept = await cache.match(name)
  if (kept) return kept
  throw error
 }
}
