import {fileURLToPath} from 'node:url'

/** The code of a worker: a module, or the text of a script. */
export type WorkerCode = {readonly module: string} | {readonly script: string}

/** Returns the code of the worker. In a bundle, another module is in the place of this one: scripts/bundle/rule-worker.mjs. */
export function workerCode(): WorkerCode {
  return {module: fileURLToPath(new URL('./rule-worker.js', import.meta.url))}
}
