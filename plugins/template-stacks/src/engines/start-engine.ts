import {unpackedChart} from 'kubectl-crossplane/plugin'
import type {
  Engine,
  EngineFault,
  Files,
  InspectRequest,
  OutputOf,
  RenderRequest,
  TemplateFacts,
} from './engine.js'
import {type CompiledModule, EngineWorker} from './engine-worker.js'
import {faultError} from './fault-error.js'
import {type EngineCall, requestBytes} from './request-bytes.js'

/** How long one request can take, in milliseconds: real packages take less than a hundredth of it. */
const TIME_LIMIT = 30_000

const TOO_LARGE: EngineFault = {
  code: 'limit-exceeded',
  message: 'its archives have more than 64 MiB, or too many files',
}

/** The response of the program of the engines. */
interface EngineResponse {
  readonly result?: unknown
  readonly fault?: EngineFault
}

/** Returns an engine, which loads nothing before its first request. `timeLimit` is that of each request. */
export function startEngine({timeLimit = TIME_LIMIT}: {readonly timeLimit?: number} = {}): Engine {
  return new WorkerEngine(timeLimit)
}

/** Runs `work` with an engine, which is closed afterwards. */
export async function withEngine<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
  const engine = startEngine()
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Runs requests one after the other in one worker, which ends with a request that exceeds a limit. */
class WorkerEngine implements Engine {
  readonly #timeLimit: number
  #module: CompiledModule | undefined
  #worker: EngineWorker | undefined
  #last: Promise<unknown> = Promise.resolve()
  readonly #large = new WeakMap<Files, Promise<boolean>>()

  constructor(timeLimit: number) {
    this.#timeLimit = timeLimit
  }

  async render<R extends RenderRequest>(request: R): Promise<OutputOf<R>> {
    return (await this.#result({op: 'render', ...request})) as OutputOf<R>
  }

  async inspect(request: InspectRequest): Promise<TemplateFacts> {
    return (await this.#result({op: 'inspect', ...request})) as TemplateFacts
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.end()
  }

  /** Waits for the requests before. */
  async #result(call: EngineCall): Promise<unknown> {
    if (call.engine === 'helm3' && (await this.#isTooLarge(call.files))) throw faultError(call, TOO_LARGE)
    const bytes = requestBytes(call)
    const response = this.#last.then(() => this.#respond(bytes))
    this.#last = response.catch(() => undefined)
    const {result, fault} = await response
    if (fault !== undefined) throw faultError(call, fault)
    return result
  }

  /** Helm unpacks each archive for each dependency that it could be, until the memory is full. */
  async #isTooLarge(files: Files): Promise<boolean> {
    const cached = this.#large.get(files)
    if (cached !== undefined) return await cached
    const listed = [...files].map(([path, bytes]) => ({path, bytes}))
    const large = unpackedChart(listed).then(({isTooLarge = false}) => isTooLarge)
    this.#large.set(files, large)
    return await large
  }

  async #respond(request: Uint8Array<ArrayBuffer>): Promise<EngineResponse> {
    const worker = (this.#worker ??= new EngineWorker(this.#module))
    const answer = await worker.ask(request, this.#timeLimit)
    this.#module = worker.module
    if (answer instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(answer)) as EngineResponse
    await this.close()
    return {fault: answer}
  }
}
