// What suites of one worker have in common, as it was before a suite, and how it becomes so again.

/** The objects whose properties are restored: what suites replace to control time, chance and the network. */
const OBJECTS = [globalThis, Math, Date, JSON]

/**
 * @typedef {object} State
 * @property {readonly (readonly [object, Record<PropertyKey, PropertyDescriptor>])[]} objects
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder
 * @property {Pick<NodeJS.Process, 'argv' | 'exit' | 'exitCode'>} own
 * @property {readonly string[]} words - what is in `argv`
 * @property {ReadonlyMap<string | symbol, readonly Function[]>} listeners
 */

/** @returns {State} */
function stateOf() {
  const {argv, exit, exitCode} = process
  return {
    objects: OBJECTS.map(object => [object, Object.getOwnPropertyDescriptors(object)]),
    env: {...process.env},
    folder: process.cwd(),
    own: {argv, exit, exitCode},
    words: [...argv],
    listeners: new Map(process.eventNames().map(name => [name, process.rawListeners(name)])),
  }
}

/** @param {State} state */
function restore({objects, env, folder, own, words, listeners}) {
  for (const [object, before] of objects) restoreProperties(object, before)
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  Object.assign(process, own)
  process.argv.splice(0, Infinity, ...words)
  restoreListeners(listeners)
  if (process.cwd() !== folder) process.chdir(folder)
}

/** @param {object} object @param {Record<PropertyKey, PropertyDescriptor>} before */
function restoreProperties(object, before) {
  for (const name of Reflect.ownKeys(object)) {
    if (!Object.hasOwn(before, name)) Reflect.deleteProperty(object, name)
  }
  for (const name of Reflect.ownKeys(before)) {
    const now = Reflect.getOwnPropertyDescriptor(object, name)
    const descriptor = /** @type {PropertyDescriptor} */ (before[name])
    const isChangeable = now === undefined || now.configurable === true
    if (isChangeable && !isSame(now, descriptor)) Object.defineProperty(object, name, descriptor)
  }
}

/** @param {PropertyDescriptor | undefined} now @param {PropertyDescriptor} before */
function isSame(now, before) {
  return (
    now !== undefined &&
    Object.is(now.value, before.value) &&
    now.get === before.get &&
    now.set === before.set &&
    now.writable === before.writable &&
    now.enumerable === before.enumerable
  )
}

/** What is done at the exit of the process removes temporary files, also those of modules that all suites use. */
const KEPT = 'exit'

/** @param {State['listeners']} before */
function restoreListeners(before) {
  for (const name of process.eventNames()) {
    const known = before.get(name) ?? []
    const added = name === KEPT ? [] : process.rawListeners(name).filter(each => !known.includes(each))
    for (const each of added) process.removeListener(name, /** @type {() => void} */ (each))
  }
}

module.exports = {restore, stateOf}
