import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {TestCluster} from '../../cluster/api-server.js'
import type {CompiledScript} from '../../compile-for-child.js'
import type {TinyControllerOptions} from './tiny-controller.js'

/** The script of the controller, for `compileForChild`. */
export const TINY_CONTROLLER = 'test/commands/cluster/tiny-controller.ts'

/** The finalizer that it puts on instances. */
export const FINALIZER = 'tiny.demo.example.org/external'

/** A controller that runs as a process of its own. */
export interface Controller {
  /** The names of what exists outside of the cluster, as NAMESPACE/NAME, sorted. */
  external(): readonly string[]
  kill(): Promise<void>
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
}

/** What a controller serves. */
export interface Served {
  /** The plural of the kind, in `demo.example.org/v1`. */
  readonly plural: string
  /** The Deployment that it ends with. */
  readonly namespace: string
  readonly deployment: string
}

/** Starts a controller in a folder of its own. */
export function startController(
  {url, ca, tokens}: TestCluster,
  {path}: Pick<CompiledScript, 'path'>,
  folder: string,
  {plural, namespace, deployment}: Served,
): Controller {
  const state = join(folder, 'external')
  writeFileSync(state, '')
  const options: TinyControllerOptions = {
    ...{url, ca, token: tokens.admin, state, finalizer: FINALIZER},
    instances: `/apis/demo.example.org/v1/${plural}`,
    deployment: `/apis/apps/v1/namespaces/${namespace}/deployments/${deployment}`,
  }
  const child = spawn(process.execPath, [path, JSON.stringify(options)], {stdio: 'inherit'})
  const ended = once(child, 'exit')
  return {
    external: () => readFileSync(state, 'utf8').split('\n').filter(Boolean).sort(),
    kill: () => killed(child, ended),
    ended,
  }
}

async function killed(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null) child.kill('SIGKILL')
  await ended
}
