import {type ChildProcess, spawn} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {programWords} from '../../built-program.js'
import type {TestCluster} from '../../cluster/api-server.js'
import type {Listen} from '../../listening.js'
import {type ProgramResult, smallEnvironment} from '../../run-program.js'
import {type Write, type WriteGate, writeGate, type WriteObserver} from './write-gate.js'

/** A signal, and the write at which it is sent. */
export interface Interruption {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  readonly at: (write: Write) => boolean
  /** Whether the API server has answered the write; a write that it has not is lost when the run is killed. */
  readonly isAnswered: boolean
}

/** How a run ended; `writes` are the lines of what it sent until the signal, the one at which it was sent included. */
export interface InterruptedRun extends Pick<ProgramResult, 'status' | 'signal' | 'stderr'> {
  readonly writes: readonly string[]
  readonly isInterrupted: boolean
}

/** Runs the built program as the administrator of a cluster; `observing` returns what learns of its writes. */
export type RunGated = (
  args: readonly string[],
  observing: (child: ChildProcess) => WriteObserver,
) => Promise<Omit<ProgramResult, 'stdout'>>

/** A cluster behind a gate. */
export type GatedCluster = TestCluster & Pick<WriteGate, 'observed'>

/** Opens a gate before a cluster. */
export async function gatedCluster(cluster: TestCluster, listen: Listen): Promise<GatedCluster> {
  const gate = writeGate(cluster)
  const server = `http://127.0.0.1:${await listen(gate.server)}`
  const kubeconfig = join(cluster.folder, 'gate-kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server)))
  return {...cluster, kubeconfig, observed: (observer, work) => gate.observed(observer, work)}
}

/** Returns what runs the built program through a gate, one run at a time. */
export async function gated(cluster: TestCluster, listen: Listen): Promise<RunGated> {
  return gatedProgram(await gatedCluster(cluster, listen))
}

/** Returns what runs the built program through an open gate. */
export function gatedProgram(gate: GatedCluster): RunGated {
  const [command, ...words] = programWords()
  return async (args, observing) => {
    const child = spawn(command, [...words, ...args], {
      env: {...smallEnvironment(), KUBECONFIG: gate.kubeconfig},
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise<Pick<ProgramResult, 'status' | 'signal'>>(resolve => {
      child.once('exit', (status, signal) => resolve({status, signal}))
    })
    return await gate.observed(observing(child), async () => {
      const stderr = await text(child.stderr)
      return {...(await ended), stderr}
    })
  }
}

/** Runs the program, interrupted or not. */
export async function interrupted(
  run: RunGated,
  args: readonly string[],
  interruption?: Interruption,
): Promise<InterruptedRun> {
  const writes: string[] = []
  let isInterrupted = false
  const ended = await run(args, child => {
    const interrupt = (write: Write, isAnswered: boolean) => {
      if (isInterrupted || interruption?.isAnswered !== isAnswered || !interruption.at(write)) return
      isInterrupted = true
      child.kill(interruption.signal)
    }
    return {
      before: write => {
        if (!isInterrupted) writes.push(write.line)
        interrupt(write, false)
        return !isInterrupted || interruption?.signal !== 'SIGKILL'
      },
      after: write => interrupt(write, true),
    }
  })
  return {...ended, writes, isInterrupted}
}

function kubeconfigOf(server: string) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'gate',
    clusters: [{name: 'gate', cluster: {server}}],
    users: [{name: 'gate', user: {}}],
    contexts: [{name: 'gate', context: {cluster: 'gate', user: 'gate'}}],
  }
}
