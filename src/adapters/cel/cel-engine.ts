import {clearTimeout, setTimeout} from 'node:timers'
import {Worker} from 'node:worker_threads'
import type {CompiledRule, RuleEngine, RuleVerdict} from '../../inspect/policy/rule-engine.js'
import type {WorkerRequest} from './rule-worker.js'
import {workerCode} from './worker-code.js'

/** What a rule may take. A rule of some lines takes less than a millisecond. */
const LIMITS = {ruleMs: 2000, allMs: 30_000, startMs: 30_000, memoryMb: 256, stackMb: 2} as const

/** Creates an engine in a worker of its own, which starts when rules are compiled. */
export function celEngine(): RuleEngine {
  let worker: RuleThread | undefined
  let left: number = LIMITS.allMs
  return {
    compile: async (rules, of) => {
      worker = new RuleThread()
      const compiled = await worker.ask({rules, of}, LIMITS.startMs)
      if (isLimit(compiled))
        return rules.map(() => ({faults: [{in: 'expression', row: 1, column: 1, ...compiled}]}))
      return compiled as readonly CompiledRule[]
    },
    evaluate: async (rules, variables) => {
      if (worker === undefined) throw new RangeError('the rules were not compiled')
      const verdicts: RuleVerdict[] = []
      await worker.ask({variables}, LIMITS.startMs)
      for (const evaluate of rules) {
        const start = performance.now()
        const verdict = await worker.ask({evaluate}, Math.min(LIMITS.ruleMs, left))
        left = Math.max(0, left - (performance.now() - start))
        verdicts.push(verdict as RuleVerdict)
        if (isLimit(verdict)) break
      }
      return verdicts
    },
  }
}

function isLimit(answer: unknown): answer is Extract<RuleVerdict, {readonly kind: 'limit'}> {
  return (answer as {readonly kind?: unknown} | undefined)?.kind === 'limit'
}

const limit = (message: string): RuleVerdict => ({kind: 'limit', message})

/** A worker that answers one request at a time, and keeps the process alive only meanwhile. It ends at a limit. */
class RuleThread {
  readonly #thread: Worker
  #answer: (answer: unknown) => void = () => undefined

  constructor() {
    const code = workerCode()
    const options = {
      env: {},
      resourceLimits: {maxOldGenerationSizeMb: LIMITS.memoryMb, stackSizeMb: LIMITS.stackMb},
    }
    this.#thread =
      'module' in code ? new Worker(code.module, options) : new Worker(code.script, {...options, eval: true})
    this.#thread.on('message', (answer: unknown) => {
      this.#answer(answer)
    })
    this.#thread.on('error', (error: Error & {readonly code?: string}) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#answer(limit(isMemory ? `it takes more than ${LIMITS.memoryMb} MiB of memory` : error.message))
    })
  }

  async ask(request: WorkerRequest, timeLimit: number): Promise<unknown> {
    this.#thread.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise(resolve => {
        this.#answer = resolve
        timer = setTimeout(() => {
          resolve(limit(`it takes longer than ${timeLimit / 1000} s`))
          void this.#thread.terminate()
        }, timeLimit)
        this.#thread.postMessage(request)
      })
    } finally {
      clearTimeout(timer)
      this.#thread.unref()
    }
  }
}
