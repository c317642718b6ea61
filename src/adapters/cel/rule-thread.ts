import {clearTimeout, setTimeout} from 'node:timers'
import {Worker} from 'node:worker_threads'
import type {RuleVerdict} from '../../inspect/policy/rule-engine.js'
import type {WorkerRequest} from './rule-worker.js'
import {workerCode} from './worker-code.js'

/** What a rule may take, and how long the worker waits for more. A rule of some lines takes less than a millisecond. */
export const RULE_LIMITS = {
  ...{ruleMs: 2000, allMs: 30_000, startMs: 30_000, idleMs: 1000},
  ...{memoryMb: 256, stackMb: 2},
} as const

const limit = (message: string): RuleVerdict => ({kind: 'limit', message})

/**
 * A worker with compiled rules that answers one request at a time, and keeps the process alive only meanwhile. It ends at a
 * limit and after a while without requests: a controller has a policy for each of its passes.
 */
export class RuleThread {
  #rules: WorkerRequest | undefined
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #answer: (answer: unknown) => void = () => undefined

  /** Starts with rules; returns what compiling them gives, or a limit. */
  async start(rules: WorkerRequest): Promise<unknown> {
    this.#rules = rules
    return await this.#send(rules, RULE_LIMITS.startMs)
  }

  /** Returns the answer to a request, or a limit. */
  async ask(request: WorkerRequest, timeLimit: number): Promise<unknown> {
    if (this.#worker === undefined && this.#rules !== undefined) await this.start(this.#rules)
    return await this.#send(request, timeLimit)
  }

  async #send(request: WorkerRequest, timeLimit: number): Promise<unknown> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#started())
    worker.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise(resolve => {
        this.#answer = resolve
        timer = setTimeout(() => {
          resolve(limit(`it takes longer than ${timeLimit / 1000} s`))
          this.#end(worker)
        }, timeLimit)
        worker.postMessage(request)
      })
    } finally {
      clearTimeout(timer)
      worker.unref()
      this.#idle = setTimeout(() => {
        this.#end(worker)
      }, RULE_LIMITS.idleMs).unref()
    }
  }

  #started(): Worker {
    const code = workerCode()
    const {memoryMb, stackMb} = RULE_LIMITS
    const options = {env: {}, resourceLimits: {maxOldGenerationSizeMb: memoryMb, stackSizeMb: stackMb}}
    const worker =
      'module' in code ? new Worker(code.module, options) : new Worker(code.script, {...options, eval: true})
    worker.on('message', (answer: unknown) => {
      this.#answer(answer)
    })
    worker.on('error', (error: Error & {readonly code?: string}) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end(worker)
      this.#answer(limit(isMemory ? `it takes more than ${memoryMb} MiB of memory` : error.message))
    })
    return worker
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }
}
