import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, openSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {Readable} from 'node:stream'
import {text} from 'node:stream/consumers'
import {setTimeout as sleep} from 'node:timers/promises'
import {programCommand} from '../built-program.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {runProgram, smallEnvironment} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {DATABASE} from './fixtures.js'

const folder = temporaryFolder()
const logs = join(folder, 'logs')
mkdirSync(logs)

const definition = (kind: string) => `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: ${kind}s.example.org}
spec:
  group: example.org
  names: {kind: ${kind}, plural: ${kind}s}
  scope: Cluster
  version: v1
  preserveUnknownFields: false
  validation: {openAPIV3Schema: {type: object, description: '${'long '.repeat(2000)}'}}
`
const kinds = Array.from({length: 100}, (_, index) => `kind${index}`)
/** A package whose install set is a megabyte, sixteen times what a pipe holds, and which has a warning. */
const LARGE = [
  'package',
  'render',
  writeTree(join(folder, 'large'), {
    '.registry/app.yaml': 'title: Large\nversion: 1.0.0\npermissionScope: Cluster\npackageType: Large\n',
    '.registry/crds.crd.yaml': kinds.map(definition).join('---'),
  }),
]

beforeAll(() => {
  programCommand()
})

const start = (args: readonly string[], stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe']) =>
  spawn(...programCommand(...args), {stdio, env: {...smallEnvironment(), TMPDIR: logs}})

const ended = (child: ReturnType<typeof spawn>) =>
  new Promise<{status: number | null; signal: string | null}>(resolve => {
    child.once('exit', (status, signal) => resolve({status, signal}))
  })

/** What comes from a stream, if it is a pipe of ours. */
const read = async (stream: Readable | null) => (stream === null ? '' : await text(stream))

describe('a pipe', () => {
  it('receives a large result completely, however slowly it is read', async () => {
    const want = await runCli(...LARGE)
    const child = start(LARGE)
    const end = ended(child)
    await sleep(1000)
    const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)])
    expect(stdout.length).toBeGreaterThan(1_000_000)
    expect({...(await end), same: stdout === want.stdout, stderr}).toEqual({
      status: 0,
      signal: null,
      same: true,
      stderr: want.stderr,
    })
  })

  it('that is closed early ends the program with SIGPIPE, without a message', async () => {
    const child = start(LARGE)
    const end = ended(child)
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect({stderr: await read(child.stderr), ...(await end), logs: readdirSync(logs)}).toEqual({
      stderr: expect.stringMatching(/^Warning: [^\n]+\n$/),
      status: 141,
      signal: null,
      logs: [],
    })
  })

  it('for stderr can be closed without losing output', async () => {
    const child = start(LARGE)
    const end = ended(child)
    child.stderr?.destroy()
    const stdout = await read(child.stdout)
    expect({length: stdout.length, ...(await end)}).toEqual({
      length: (await runCli(...LARGE)).stdout.length,
      status: 0,
      signal: null,
    })
  })
})

describeReal('a full disk', existsSync('/dev/full') ? undefined : 'no /dev/full', () => {
  it.each([
    {name: 'a large answer', in: LARGE},
    {name: 'a small answer', in: ['version']},
  ])('$name that cannot be written is an error with a code', async ({in: argv}) => {
    const full = openSync('/dev/full', 'w')
    const child = start([...argv, '--output', 'json'], ['ignore', full, 'pipe'])
    const end = ended(child)
    const stderr = (await read(child.stderr)).replace(/^Warning: .*\n/, '')
    expect({...(await end), ...(JSON.parse(stderr) as object)}).toMatchObject({
      status: 1,
      signal: null,
      kind: 'Error',
      code: 'output-failed',
      cause: expect.stringContaining('ENOSPC'),
    })
  })
})

describe('an interruption', () => {
  it.each([
    {signal: 'SIGINT', want: 130},
    {signal: 'SIGTERM', want: 143},
  ] as const)('$signal exits with $want and prints how to continue', async ({signal, want}) => {
    const child = start(['package', 'render', '--filename', '-'], ['pipe', 'pipe', 'pipe'])
    const end = ended(child)
    const messages = read(child.stderr)
    // More than a pipe holds is written only once the program reads, so it is at work; then it waits for the rest.
    await new Promise(resolve => child.stdin?.write(`#${' '.repeat(1_000_000)}`, resolve))
    child.kill(signal)
    expect({...(await end), stdout: await read(child.stdout), stderr: await messages}).toEqual({
      status: want,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^Interrupted\. [^\n]+\n$/),
    })
  })
})

describe('color', () => {
  const failing = ['package', 'render', '--output=yaml']
  const ESCAPE = '\u001B['
  it.each([
    {name: 'without a terminal', reason: 'a log file is not a terminal', args: [], env: {}, want: false},
    {name: '--color always', reason: 'requested', args: ['--color', 'always'], env: {}, want: true},
    {name: '--color=always', reason: 'requested', args: ['--color=always'], env: {}, want: true},
    {
      name: '--color never',
      reason: 'requested',
      args: ['--color', 'never'],
      env: {FORCE_COLOR: '1'},
      want: false,
    },
    {
      name: '--color always and NO_COLOR',
      reason: 'a flag is nearer than the environment',
      args: ['--color', 'always'],
      env: {NO_COLOR: '1'},
      want: true,
    },
  ])('$name: $reason', async ({args, env, want}) => {
    const {status, stdout, stderr} = await runProgram(...programCommand(...failing, ...args), {env})
    expect({status, stdout, colored: stderr.includes(ESCAPE)}).toEqual({
      status: 2,
      stdout: '',
      colored: want,
    })
  })

  it('is never in the result on stdout', async () => {
    const argv = ['package', 'render', ...DATABASE]
    const plain = await runCli(...argv)
    const {stdout} = await runProgram(...programCommand(...argv, '--color=always'), {
      env: {FORCE_COLOR: '3'},
    })
    expect(stdout).toBe(plain.stdout)
  })
})
