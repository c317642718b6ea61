const fs = require('node:fs')
const {homedir} = require('node:os')
const {dirname, isAbsolute, join} = require('node:path')
const {cachedDataVersionTag, setFlagsFromString} = require('node:v8')
const {Script} = require('node:vm')

// Starts the bundle with V8's code cache: the compiled functions of an earlier run. V8 rejects one of other source, another
// V8, other flags or another kind of processor. A code cache is code, and nothing checks it later: see `isPrivate`.
// The bundle has parts, each with a cache of its own, that are read when they are first imported.

/**
 * Flags with which functions run eight to ten times longer before V8's slowest compiler optimizes them, by its major
 * version: what this program does ends before that pays, and the threads of the compiler take time from it. V8 reports
 * flags that it does not know, so other versions have none.
 *
 * @type {Readonly<Record<string, string>>}
 */
const LATE_OPTIMIZATION = {
  11: '--interrupt-budget=1000000',
  12: '--invocation-count-for-turbofan=30000',
  13: '--invocation-count-for-turbofan=30000',
}

// Before all else: V8 rejects code caches that were written with other flags.
setFlagsFromString(LATE_OPTIMIZATION[process.versions.v8.split('.')[0] ?? ''] ?? '')

/**
 * The name of scripts in code caches, which contain it: with a folder, the same bundle would have other bytes elsewhere.
 * A part of a path would not do: V8 writes the whole path.
 */
const NAME = 'kubectl-crossplane.cjs'
const FOLDER = 'kubectl-crossplane-code'
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0
/** More than the first line of a bundle has. */
const MAX_INDEX = 4096
/** Caches that stay in the user's folder: for versions of Node.js that are used in turn. */
const MAX_KEPT = 20
/** Commands that write no cache of the first part: it would lack what others run, and to write it takes as long as they. */
const RUNS_LITTLE = new Set(['__complete', 'version', '--version'])

/**
 * A bundle and what reads it.
 *
 * @typedef {object} Program
 * @property {string} path
 * @property {(start: number, length: number) => string} read
 * @property {(name: string) => Buffer | undefined} ownCache
 * @property {(name: string) => Uint8Array} readFile what lies beside the bundle, or is an asset of its executable
 */

/**
 * Where a bundle contains an expression.
 *
 * @typedef {object} Part
 * @property {boolean} isFirst
 * @property {string} hash
 * @property {number} start
 * @property {number} length
 * @property {number} line
 */

/**
 * Returns what a bundle exports. Where a part has no valid code cache in the folder of the bundle or in the user's, one is
 * written into the user's when the process ends; a failure of that is ignored, since it only costs time.
 *
 * @param {string} path of the bundle
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{readonly main: (argv: readonly string[]) => Promise<number>}}
 */
function loadBundle(path, env = process.env) {
  const {read, owner} = openBundle(path)
  const ownCache = (/** @type {string} */ name) => readOwnCache(join(dirname(path), name), owner)
  return load({path, read, ownCache, readFile: besideOf(path)}, env)
}

/**
 * The same for a program that contains its bundle and code caches.
 *
 * @param {{readonly path: string, readonly bundle: Buffer, readonly ownCache: (name: string) => Buffer | undefined, readonly readFile: Program['readFile']}} program
 * @param {NodeJS.ProcessEnv} [env]
 */
function loadContained({path, bundle, ownCache, readFile}, env = process.env) {
  return load(
    {path, read: (start, length) => bundle.toString('latin1', start, start + length), ownCache, readFile},
    env,
  )
}

/**
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} env
 */
function load(program, env) {
  return run(partsOf(program), part => compile(program, part, env), program.readFile)
}

/**
 * Compiles a part with a code cache, or for one.
 *
 * @param {Program} program
 * @param {Part} part
 * @param {NodeJS.ProcessEnv} env
 */
function compile({path, read, ownCache}, part, env) {
  const source = read(part.start, part.length)
  const name = cacheName(part)
  const own = withCache(path, part, source, ownCache(name))
  if (own !== undefined) return own
  const folder = userFolder(env)
  const users = folder === undefined ? undefined : withCache(path, part, source, readUserCache(folder, name))
  if (users !== undefined) return users
  const script = new Script(source, {filename: path, lineOffset: part.line})
  if (folder !== undefined && (!part.isFirst || !RUNS_LITTLE.has(process.argv[2] ?? '')))
    process.once('exit', () => {
      // A command can change flags for some time: the cache would have those of the end, and its name those of now.
      if (cacheName(part) === name) writeUserCache(folder, name, script)
    })
  return script
}

/**
 * Compiles a bundle, runs it by `use`, and writes the code caches of what was compiled for that beside it.
 *
 * @param {string} path
 * @param {(bundle: ReturnType<typeof loadBundle>) => Promise<void>} use
 */
async function writeOwnCaches(path, use) {
  const {read} = openBundle(path)
  const parts = partsOf({read})
  const scripts = new Map(
    parts.map(part => {
      const source = read(part.start, part.length)
      return [part, new Script(source, {filename: NAME, lineOffset: part.line})]
    }),
  )
  const flags = cachedDataVersionTag()
  await use(run(parts, part => scripts.get(part), besideOf(path)))
  if (cachedDataVersionTag() !== flags) throw new Error('a command has left other flags of V8 behind')
  for (const [part, script] of scripts)
    fs.writeFileSync(join(dirname(path), cacheName(part)), script.createCachedData())
}

/** @param {string} path of a bundle @returns {Program['readFile']} */
function besideOf(path) {
  return name => fs.readFileSync(join(dirname(path), name))
}

/**
 * Opens a bundle, which is ASCII. It stays open, for parts that are read later, when another one may have its path.
 *
 * @param {string} path
 */
function openBundle(path) {
  const file = fs.openSync(path, 'r')
  return {
    owner: fs.fstatSync(file).uid,
    /** @type {Program['read']} */
    read: (start, length) => {
      const buffer = Buffer.allocUnsafeSlow(length)
      return buffer.toString('latin1', 0, fs.readSync(file, buffer, 0, length, start))
    },
  }
}

/**
 * Returns the parts of a bundle, which its first line lists. They begin in the third, and between them are a comma and the
 * end of a line.
 *
 * @param {Pick<Program, 'read'>} program
 * @returns {readonly Part[]}
 */
function partsOf({read}) {
  const [index = '', head = ''] = read(0, MAX_INDEX).split('\n', 2)
  /** @type {readonly {readonly hash: string, readonly length: number, readonly lines: number}[]} */
  const listed = JSON.parse(index.slice('// '.length))
  let start = index.length + head.length + 2
  let line = 2
  return listed.map(({hash, length, lines}, number) => {
    const part = {isFirst: number === 0, hash, start, length, line}
    start += length + ',\n'.length
    line += lines
    return part
  })
}

/** Names a cache by the hash of the part and by all that V8 checks. @param {Part} part */
function cacheName({hash}) {
  return `${hash}-${cachedDataVersionTag().toString(16)}.code-cache`
}

/**
 * Compiles with a code cache; returns undefined without one that V8 accepts.
 *
 * @param {string} path
 * @param {Part} part
 * @param {string} source
 * @param {Buffer | undefined} cachedData
 */
function withCache(path, {line}, source, cachedData) {
  if (cachedData === undefined) return undefined
  const script = new Script(source, {filename: path, lineOffset: line, cachedData})
  return script.cachedDataRejected === true ? undefined : script
}

/**
 * Runs the first part, with what returns the value of another.
 *
 * @param {readonly Part[]} parts
 * @param {(part: Part) => Script | undefined} scriptOf
 * @param {Program['readFile']} readFile
 */
function run(parts, scriptOf, readFile) {
  const valueOf = (/** @type {number} */ number) =>
    scriptOf(/** @type {Part} */ (parts[number]))?.runInThisContext()
  return valueOf(0)(require, valueOf, readFile)
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

module.exports = {loadBundle, loadContained, writeOwnCaches}
