// Ends what jest-circus leaves on: each suite loads it again, and each time it makes an AsyncLocalStorage. Node.js 20 and 22 copy
// every one that is on for every promise, so that the three hundredth suite of a worker takes many times as long for the same work.
const {AsyncLocalStorage} = require('node:async_hooks')

/** @type {Set<AsyncLocalStorage<unknown>>} */
const used = new Set()
const {run} = AsyncLocalStorage.prototype

/** @this {AsyncLocalStorage<unknown>} @param {Parameters<typeof run>} args */
AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this)
  return run.apply(this, args)
}

/** Ends the contexts of the suite that ran. */
function endContexts() {
  for (const storage of used) storage.disable()
  used.clear()
}

module.exports = {endContexts}
