import {clearTimeout, setTimeout} from 'node:timers'
import {Worker} from 'node:worker_threads'
import type {EngineFault} from './engine.js'
import {readEngineFile} from './engine-files.js'
import {type Stopped, stopFault} from './stop-fault.js'

/** What calls of templates within templates can take of the stack. Helm allows 1,000 calls of `include`. */
const STACK_MEGABYTES = 64

/** The module of the engines, compiled. The types of Node.js do not have those of WebAssembly. */
export type CompiledModule = object

/** What the worker says: its module once it is compiled, or the response to a request, or that it is of no more use. */
interface WorkerMessage {
  readonly module?: CompiledModule
  readonly response?: Uint8Array
  readonly stopped?: Stopped
}

type Answer = Uint8Array | EngineFault

/** One instance of the module in a thread of its own. It answers one request at a time, and ends after a fault. */
export class EngineWorker {
  /** The compiled module, for the next worker. */
  module: CompiledModule | undefined
  readonly #thread: Worker
  /** Becomes known when the module is compiled, or cannot be: that is no part of the time of a request. */
  readonly #start: Promise<EngineFault | undefined>
  #started: (fault: EngineFault | undefined) => void = () => undefined
  #answer: (answer: Answer) => void = () => undefined

  constructor(module: CompiledModule | undefined) {
    this.module = module
    this.#start = new Promise(resolve => {
      this.#started = resolve
    })
    const code = new TextDecoder().decode(readEngineFile('worker.cjs'))
    this.#thread = new Worker(code, {
      eval: true,
      workerData: module === undefined ? {compressed: readEngineFile('engines.wasm.gz')} : {module},
      env: {},
      resourceLimits: {stackSizeMb: STACK_MEGABYTES},
    })
    this.#thread.on('message', (message: WorkerMessage) => {
      this.#receive(message)
    })
    this.#thread.on('error', error => {
      this.#receive({stopped: {overflow: false, log: '', error: String(error)}})
    })
  }

  /** Sends a request; returns the response, or why there is none. Only meanwhile the worker keeps the process alive. */
  async ask(request: Uint8Array<ArrayBuffer>, timeLimit: number): Promise<Answer> {
    this.#thread.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      const fault = await this.#start
      if (fault !== undefined) return fault
      return await new Promise(resolve => {
        this.#answer = resolve
        timer = setTimeout(() => {
          resolve(stopFault({seconds: timeLimit / 1000}))
        }, timeLimit)
        this.#thread.postMessage(request, [request.buffer])
      })
    } finally {
      clearTimeout(timer)
      this.#thread.unref()
    }
  }

  async end(): Promise<void> {
    await this.#thread.terminate()
  }

  #receive({module, response, stopped}: WorkerMessage): void {
    if (module !== undefined) {
      this.module = module
      this.#started(undefined)
    }
    if (response !== undefined) this.#answer(response)
    if (stopped !== undefined) {
      this.#started(stopFault(stopped))
      this.#answer(stopFault(stopped))
    }
  }
}
