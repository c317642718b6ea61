const fs = require('node:fs')
const {createRequire} = require('node:module')
const {homedir} = require('node:os')
const {basename, dirname, isAbsolute, join} = require('node:path')
const {cachedDataVersionTag} = require('node:v8')
const {Script} = require('node:vm')

// Starts the bundle with V8's code cache: the compiled functions of an earlier run. V8 rejects one of other source, another
// V8, other flags or another kind of processor. A code cache is code, and nothing checks it later: see `isPrivate`.

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'
const FOLDER = 'kubectl-crossplane-code'
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0
/** Caches that stay in the user's folder: for versions of Node.js that are used in turn. */
const MAX_KEPT = 4
/** Commands that write no cache: it would lack what others run, and stay so, and to write it takes as long as they. */
const RUNS_LITTLE = new Set(['__complete', 'version', '--version'])

/**
 * Returns what a bundle exports. Without a valid code cache in its own folder or in the user's, one is written into the
 * user's when the process ends; a failure of that is ignored, since it only costs time.
 *
 * @param {string} path of the bundle
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{readonly main: (argv: readonly string[]) => Promise<number>}}
 */
function loadBundle(path, env = process.env) {
  const {source, owner} = readSource(path)
  return load({path, source, ownCache: readOwnCache(join(dirname(path), cacheName(source)), owner)}, env)
}

/**
 * The same for a program that contains the text of its bundle and its own code cache.
 *
 * @param {{readonly path: string, readonly text: string, readonly ownCache: Buffer | undefined}} program
 * @param {NodeJS.ProcessEnv} [env]
 */
function loadText({path, text, ownCache}, env = process.env) {
  return load({path, source: `${HEAD}${text}${TAIL}`, ownCache}, env)
}

/**
 * @param {{readonly path: string, readonly source: string, readonly ownCache: Buffer | undefined}} program
 * @param {NodeJS.ProcessEnv} env
 */
function load({path, source, ownCache}, env) {
  const own = withCache(path, source, ownCache)
  if (own !== undefined) return run(own, path)
  const name = cacheName(source)
  const folder = userFolder(env)
  const users = folder === undefined ? undefined : withCache(path, source, readUserCache(folder, name))
  if (users !== undefined) return run(users, path)
  const script = new Script(source, {filename: path})
  if (folder !== undefined && !RUNS_LITTLE.has(process.argv[2] ?? ''))
    process.once('exit', () => writeUserCache(folder, name, script))
  return run(script, path)
}

/**
 * Compiles a bundle, runs it by `use`, and writes the code cache of what was compiled for that beside it.
 *
 * @param {string} path
 * @param {(bundle: ReturnType<typeof loadBundle>) => Promise<void>} use
 */
async function writeOwnCache(path, use) {
  const {source} = readSource(path)
  // The cache contains the name: with the folder, the same bundle would have other bytes elsewhere.
  const script = new Script(source, {filename: basename(path)})
  await use(run(script, path))
  fs.writeFileSync(join(dirname(path), cacheName(source)), script.createCachedData())
}

/**
 * Reads the bundle, which is ASCII, as the body of a function.
 *
 * @param {string} path
 */
function readSource(path) {
  const file = fs.openSync(path, 'r')
  try {
    const {size, uid} = fs.fstatSync(file)
    const buffer = Buffer.allocUnsafe(HEAD.length + size + TAIL.length)
    buffer.write(HEAD, 'latin1')
    const read = fs.readSync(file, buffer, HEAD.length, size, 0)
    buffer.write(TAIL, HEAD.length + read, 'latin1')
    return {source: buffer.toString('latin1', 0, HEAD.length + read + TAIL.length), owner: uid}
  } finally {
    fs.closeSync(file)
  }
}

/** Names a cache by the hash of the bundle, which its first line holds, and by all that V8 checks. @param {string} source */
function cacheName(source) {
  const hash = /^\/\/ ([0-9a-f]{64})$/m.exec(source.slice(HEAD.length, HEAD.length + 68))?.[1] ?? ''
  return `${hash.slice(0, 32)}-${cachedDataVersionTag().toString(16)}.code-cache`
}

/**
 * Compiles with a code cache; returns undefined without one that V8 accepts.
 *
 * @param {string} path
 * @param {string} source
 * @param {Buffer | undefined} cachedData
 */
function withCache(path, source, cachedData) {
  if (cachedData === undefined) return undefined
  const script = new Script(source, {filename: path, cachedData})
  return script.cachedDataRejected === true ? undefined : script
}

/**
 * @param {Script} script
 * @param {string} path
 */
function run(script, path) {
  const module = {exports: /** @type {any} */ ({})}
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path))
  return module.exports
}

/**
 * Reads a file, not through a link; returns undefined if it is missing or not accepted.
 *
 * @param {string} path
 * @param {(stats: fs.Stats) => boolean} accepts
 */
function readCache(path, accepts) {
  let file
  try {
    file = fs.openSync(path, fs.constants.O_RDONLY | NO_LINK)
    const stats = fs.fstatSync(file)
    return stats.isFile() && accepts(stats) ? fs.readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

/**
 * Reads a cache in the folder of the bundle, which only those can have written who can write the bundle.
 *
 * @param {string} path
 * @param {number} owner of the bundle
 */
function readOwnCache(path, owner) {
  return readCache(path, stats => isOnlyOf(owner, stats, 0o022))
}

/**
 * @param {string} folder
 * @param {string} name
 */
function readUserCache(folder, name) {
  if (!isPrivate(folder)) return undefined
  return readCache(join(folder, name), stats => stats.nlink === 1 && isOnlyOf(user(), stats, 0o077))
}

/**
 * Writes the code of a run, so that a reader sees all of it or nothing. Nothing is created in folders of others, such as
 * the home of the user who called sudo.
 *
 * @param {string} folder
 * @param {string} name
 * @param {Script} script
 */
function writeUserCache(folder, name, script) {
  const unfinished = join(folder, `${name}.${process.pid}`)
  const written = succeeds(() => {
    if (!isOnlyOf(user(), fs.statSync(existing(folder)), 0o002)) return
    makeFolders(folder)
    if (!isPrivate(folder)) return
    // V8 runs a damaged cache, and crashes: nothing may be renamed that a power failure could still damage.
    fs.writeFileSync(unfinished, script.createCachedData(), {mode: 0o600, flag: 'wx', flush: true})
    fs.renameSync(unfinished, join(folder, name))
    removeOld(folder)
  })
  if (!written) succeeds(() => fs.rmSync(unfinished, {force: true}))
}

/**
 * Returns the path, or the nearest folder above it that exists.
 *
 * @param {string} path
 * @returns {string}
 */
function existing(path) {
  return fs.existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}

/**
 * Creates a folder and the missing ones above it, for this user only. The option `recursive` of Node.js never ends where
 * a file system has no place for folders, such as /proc.
 *
 * @param {string} path
 */
function makeFolders(path) {
  if (fs.existsSync(path)) return
  makeFolders(dirname(path))
  fs.mkdirSync(path, {mode: 0o700})
}

/** @param {() => void} act */
function succeeds(act) {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** @param {string} folder */
function removeOld(folder) {
  const age = (/** @type {string} */ name) => fs.lstatSync(join(folder, name)).mtimeMs
  const ages = new Map(fs.readdirSync(folder).map(name => [name, age(name)]))
  const newestFirst = [...ages.keys()].sort((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0))
  for (const name of newestFirst.slice(MAX_KEPT)) fs.rmSync(join(folder, name), {force: true})
}

/** Whether a folder, and no link to one, belongs to this user with mode 0700. @param {string} folder */
function isPrivate(folder) {
  try {
    const stats = fs.lstatSync(folder)
    return stats.isDirectory() && isOnlyOf(user(), stats, 0o077)
  } catch {
    return false
  }
}

/**
 * Whether something belongs to a user and has none of the permissions `denied`. On Windows, where Node.js knows neither,
 * the folder is in %LOCALAPPDATA%, which other users cannot write by default.
 *
 * @param {number} owner
 * @param {fs.Stats} stats
 * @param {number} denied
 */
function isOnlyOf(owner, {uid, mode}, denied) {
  return process.platform === 'win32' || (uid === owner && (mode & denied) === 0)
}

function user() {
  return process.geteuid?.() ?? 0
}

/** @param {NodeJS.ProcessEnv} env */
function userFolder({XDG_CACHE_HOME = '', LOCALAPPDATA = ''}) {
  try {
    if (process.platform === 'win32') return isAbsolute(LOCALAPPDATA) ? join(LOCALAPPDATA, FOLDER) : undefined
    if (isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, FOLDER)
    const home = homedir()
    return isAbsolute(home) ? join(home, '.cache', FOLDER) : undefined
  } catch {
    return undefined
  }
}

module.exports = {loadBundle, loadText, writeOwnCache}
