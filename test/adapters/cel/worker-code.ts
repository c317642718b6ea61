import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import type {WorkerCode} from '../../../src/adapters/cel/worker-code.js'

const ROOT = join(import.meta.dirname, '../../..')
const ENTRY = 'src/adapters/cel/rule-worker.ts'

let script: string | undefined

/** Takes the place of the module of that name where sources run: a worker cannot run TypeScript. */
export function workerCode(): WorkerCode {
  script ??= bundled()
  return {script}
}

function bundled(): string {
  const args = [ENTRY, '--bundle', '--platform=node', '--format=cjs', '--log-level=warning']
  const {status, stdout, stderr} = spawnSync(join(ROOT, 'node_modules/.bin/esbuild'), args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  if (status !== 0) throw new Error(`cannot bundle ${ENTRY}: ${stderr}`)
  return stdout
}
