// The worker that runs the WebAssembly module of the template engines. The module gets no files, sockets, processes,
// variables, time or randomness: what it imports from WASI answers so that its Go program runs, and nothing more.
const {Buffer} = require('node:buffer')
const {parentPort, workerData} = require('node:worker_threads')
const {setFlagsFromString} = require('node:v8')
const {gunzipSync} = require('node:zlib')

const {WebAssembly} = globalThis

/** Errors of WASI. See https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md */
const SUCCESS = 0
const BAD_FILE = 8
const NOT_SUPPORTED = 58

/** Of what the program writes on standard error during a request, this much is kept: its first lines tell why it stops. */
const MAX_LOG = 65_536

/** @type {WebAssembly.Memory} */
let memory
/** Nanoseconds since the program started, which only pass when it asks. */
let now = 0n
let log = ''

const view = () => new DataView(memory.buffer)

/** Thrown where the program ends itself, as Go does after a failure. */
class Exit extends Error {}

/** The functions that the program needs; all others of WASI are refused. */
const functions = {
  args_sizes_get: none,
  args_get: () => SUCCESS,
  environ_sizes_get: none,
  environ_get: () => SUCCESS,
  sched_yield: () => SUCCESS,
  clock_time_get,
  poll_oneoff,
  random_get,
  fd_write,
  fd_close: () => SUCCESS,
  fd_fdstat_get,
  fd_fdstat_set_flags: () => SUCCESS,
  fd_prestat_get: () => BAD_FILE,
  proc_exit,
}

/** There are no arguments and no variables. @param {number} count @param {number} size */
function none(count, size) {
  view().setUint32(count, 0, true)
  view().setUint32(size, 0, true)
  return SUCCESS
}

/** The date is always 1970-01-01. @param {number} clock @param {bigint} precision @param {number} result */
function clock_time_get(clock, precision, result) {
  const REALTIME = 0
  now += 1000n
  view().setBigUint64(result, clock === REALTIME ? 0n : now, true)
  return SUCCESS
}

/**
 * Nothing ever happens but that time passes.
 *
 * @param {number} subscriptions @param {number} events @param {number} count @param {number} result
 */
function poll_oneoff(subscriptions, events, count, result) {
  const CLOCK = 0
  let happened = 0
  for (let number = 0; number < count; number++) {
    const subscription = subscriptions + 48 * number
    if (view().getUint8(subscription + 8) !== CLOCK) continue
    now += view().getBigUint64(subscription + 24, true)
    const event = events + 32 * happened++
    view().setBigUint64(event, view().getBigUint64(subscription, true), true)
    view().setUint32(event + 8, 0, true)
  }
  view().setUint32(result, happened, true)
  return SUCCESS
}

/** The same bytes in each process, so that Go's maps have one order. @param {number} start @param {number} size */
function random_get(start, size) {
  new Uint8Array(memory.buffer, start, size).fill(1)
  return SUCCESS
}

/** @param {number} file @param {number} parts @param {number} count @param {number} result */
function fd_write(file, parts, count, result) {
  let size = 0
  for (let part = parts; part < parts + 8 * count; part += 8) {
    const length = view().getUint32(part + 4, true)
    const text = Buffer.from(memory.buffer, view().getUint32(part, true), Math.min(length, MAX_LOG))
    log = (log + text.toString('latin1')).slice(0, MAX_LOG)
    size += length
  }
  view().setUint32(result, size, true)
  return SUCCESS
}

/** Only the standard files exist. @param {number} file @param {number} result */
function fd_fdstat_get(file, result) {
  const CHARACTER_DEVICE = 2
  if (file > 2) return BAD_FILE
  new Uint8Array(memory.buffer, result, 24).fill(0)
  view().setUint8(result, CHARACTER_DEVICE)
  return SUCCESS
}

function proc_exit() {
  throw new Exit()
}

/**
 * Functions are checked and compiled when they are first called, and compiled again to run faster only if they run for
 * seconds: of a chart, that took half of the time of the first render, and made a thousand no faster.
 */
const COMPILER_FLAGS = [
  '--wasm-lazy-compilation',
  '--wasm-lazy-validation',
  '--wasm-tiering-budget=1000000000',
]

/**
 * Compiles the module.
 *
 * @param {{readonly compressed?: Uint8Array, readonly module?: WebAssembly.Module}} given
 */
function compiled({compressed, module}) {
  if (module !== undefined) return module
  for (const flag of COMPILER_FLAGS) setFlagsFromString(flag)
  // In one piece, which the default is not: pieces would be there twice while they are joined.
  const size = Buffer.from(compressed.buffer, compressed.byteOffset, compressed.length).readUInt32LE(
    compressed.length - 4,
  )
  return new WebAssembly.Module(gunzipSync(compressed, {chunkSize: size + 1}))
}

/** @param {WebAssembly.Module} module */
function start(module) {
  const imports = WebAssembly.Module.imports(module).map(({name}) => [
    name,
    Object.hasOwn(functions, name) ? functions[name] : () => NOT_SUPPORTED,
  ])
  const {exports} = new WebAssembly.Instance(module, {wasi_snapshot_preview1: Object.fromEntries(imports)})
  memory = exports.memory
  exports._initialize()
  return exports
}

/**
 * Answers one request. A copy of the response is returned: the memory is the program's.
 *
 * @param {Record<string, Function>} exports
 * @param {Uint8Array} request
 */
function respond({reserve, handle}, request) {
  const place = reserve(request.length) >>> 0
  new Uint8Array(memory.buffer, place, request.length).set(request)
  const response = BigInt.asUintN(64, handle())
  const at = Number(response >> 32n)
  return new Uint8Array(memory.buffer).slice(at, at + Number(response & 0xffffffffn))
}

/** @param {unknown} error */
function stopped(error) {
  return {stopped: {overflow: error instanceof RangeError, log, error: String(error)}}
}

try {
  const module = compiled(workerData)
  const exports = start(module)
  parentPort.postMessage({module})
  parentPort.on('message', request => {
    log = ''
    try {
      const response = respond(exports, request)
      parentPort.postMessage({response}, [response.buffer])
    } catch (error) {
      parentPort.postMessage(stopped(error))
    }
  })
} catch (error) {
  parentPort.postMessage(stopped(error))
}
