import {spawnSync} from 'node:child_process'
import {beforeAll, describe, expect, it} from '@jest/globals'
import type {FileSystem} from '../../src/adapters/file-system.js'
import {type LockHolder, thisProcess} from '../../src/adapters/lock-holder.js'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {type PendingWrite, pendingWrite} from '../../src/commit/recover-folder.js'
import {writeStreamed} from '../../src/commit/streamed-write.js'
import {type FolderWrite, writeFolder} from '../../src/commit/write-folder.js'
import type {OutputFile} from '../../src/plan/folder/file-tree.js'
import {oursIn, withForeignFolder} from './foreign-folder.js'
import {type Fate, immortal, type MortalFileSystem, mortalFileSystem} from './mortal-file-system.js'

type Contents = Readonly<Record<string, string>>

/** Between them: files added, changed, deleted and left alone, folders that appear and that vanish. */
const OLD: Contents = {
  'crds/same.yaml': 'same\n',
  'crds/stale.yaml': 'stale\n',
  'installs/team.a/role.yaml': 'v1\n',
  'installs/team.gone/record.yaml': 'the only one in its folder\n',
  'kustomization.yaml': 'of the old\n',
}
const NEW: Contents = {
  'crds/same.yaml': 'same\n',
  'installs/team.a/role.yaml': 'v2\n',
  'installs/team.new/inner/record.yaml': 'the first one in its folders\n',
  'kustomization.yaml': 'of the new\n',
}

/** As whom those write that die: the lock they leave is that of a process that runs no more. */
let deadProcess: LockHolder
beforeAll(async () => {
  deadProcess = {...(await thisProcess()), pid: spawnSync('true').pid}
})

interface Scenario {
  readonly name: string
  /** What an earlier run wrote, if there was one. */
  readonly from?: Contents
  /** What the run writes that is interrupted. */
  readonly to: Contents
  /** What the next run is asked to write. */
  readonly next: Contents
}

const scenarios: readonly Scenario[] = [
  {name: 'a first write, repeated', to: OLD, next: OLD},
  {name: 'an upgrade, repeated', from: OLD, to: NEW, next: NEW},
  {name: 'an upgrade that is undone', from: OLD, to: NEW, next: OLD},
]

/** Writes a list of files, which are in memory, or each when it is made. */
type Writer = typeof writeFolder
const asStream: Writer = async (files, folder) => {
  const {change} = await writeStreamed(folder, {
    expectOwn: () => undefined,
    make: async sink => {
      for (const {path, content} of files) await sink.put(path, content)
    },
  })
  return change
}
let writer: Writer = writeFolder

describe.each([
  {how: 'a list', of: writeFolder},
  {how: 'a stream', of: asStream},
])('a process that dies during a write of $how', ({of}) => {
  beforeAll(() => {
    writer = of
  })

  it.each(scenarios)(
    'leaves a folder that the next run completes or rolls back, at each system call: $name',
    async scenario => {
      const want = await cleanTree(scenario)
      for (const [index, [call]] of (await callsOf(scenario)).entries()) {
        await expectMadeWhole(scenario, {at: index + 1, fate: 'dies'}, want)
        if (call === 'write') await expectMadeWhole(scenario, {at: index + 1, fate: 'torn'}, want)
      }
    },
  )

  it('leaves the same at each system call of a recovery', async () => {
    const upgrade: Scenario = {name: 'an upgrade', from: OLD, to: NEW, next: NEW}
    const want = await cleanTree(upgrade)
    const halfWay: Fatality = {
      at: (await callsOf(upgrade)).findLastIndex(([call]) => call === 'rename'),
      fate: 'dies',
    }
    const recovery = await inFolder(upgrade, async root => {
      await dieIn(root, upgrade.to, halfWay)
      const {files, calls} = immortal()
      expect(await write(root, upgrade.next, files)).toMatchObject({recovered: 'completed'})
      return calls
    })
    for (const index of recovery.keys()) {
      await inFolder(upgrade, async root => {
        await dieIn(root, upgrade.to, halfWay)
        await dieIn(root, upgrade.next, {at: index + 1, fate: 'dies'})
        await write(root, upgrade.next)
        expect({index, tree: await oursIn(root)}).toEqual({index, tree: want})
      })
    }
  })
})

describe.each([
  {how: 'a list', of: writeFolder},
  {how: 'a stream', of: asStream},
])('a full disk during a write of $how', ({of}) => {
  beforeAll(() => {
    writer = of
  })

  it.each(scenarios.slice(0, 2))(
    'leaves a complete folder or one that the next run recovers, at each system call: $name',
    async scenario => {
      const want = await cleanTree(scenario)
      for (const index of (await callsOf(scenario)).keys()) {
        await inFolder(scenario, async root => {
          const {files} = mortalFileSystem(index + 1, 'no space')
          const failing = write(root, scenario.to, files, deadProcess)
          await expect(failing).rejects.toMatchObject({code: 'output-failed'})
          expect({index, left: await stateOf(root, scenario)}).not.toEqual({index, left: 'to-roll-back'})
          await write(root, scenario.next)
          expect({index, tree: await oursIn(root)}).toEqual({index, tree: want})
        })
      }
    },
  )
})

interface Fatality {
  /** The number of the call, from 1. */
  readonly at: number
  readonly fate: Fate
}

async function expectMadeWhole(scenario: Scenario, fatality: Fatality, want: Contents): Promise<void> {
  await inFolder(scenario, async root => {
    await dieIn(root, scenario.to, fatality)
    const left = await stateOf(root, scenario)
    const {recovered} = await write(root, scenario.next)
    const then = {recovered, tree: await oursIn(root), left: await stateOf(root, scenario)}
    const recovery = {whole: undefined, 'to-roll-back': 'rolled-back', 'to-complete': 'completed'}[left]
    expect({...fatality, ...then}).toEqual({...fatality, recovered: recovery, tree: want, left: 'whole'})
  })
}

/** Holds the folder to be as it was or as it shall be, unless it says itself that it is in between. */
async function stateOf(root: string, {from, to, next}: Scenario): Promise<PendingWrite | 'whole'> {
  const pending = await pendingWrite(outputFolder(root))
  if (pending === 'to-complete') return pending
  const ours = Object.entries(await oursIn(root)).filter(([path]) => !path.startsWith('.kubectl-crossplane'))
  const whole = pending === 'to-roll-back' ? [from ?? {}] : [from ?? {}, to, next]
  expect(whole).toContainEqual(Object.fromEntries(ours))
  return pending ?? 'whole'
}

/** Runs a write until it dies, and then on what it left. */
async function dieIn(root: string, contents: Contents, {at, fate}: Fatality): Promise<void> {
  const {files, death} = mortalFileSystem(at, fate)
  const end = await Promise.race([death, write(root, contents, files, deadProcess)])
  expect(end).toBe('dead')
}

/** All calls that change something when nothing goes wrong. */
async function callsOf(scenario: Scenario): Promise<MortalFileSystem['calls']> {
  return inFolder(scenario, async root => {
    const {files, calls} = immortal()
    await write(root, scenario.to, files)
    return calls
  })
}

/** What is in the folder when nothing goes wrong. */
async function cleanTree(scenario: Scenario): Promise<Contents> {
  return inFolder(scenario, async root => {
    await write(root, scenario.next)
    return oursIn(root)
  })
}

async function inFolder<T>({from}: Scenario, body: (root: string) => Promise<T>): Promise<T> {
  return withForeignFolder(async root => {
    if (from) await write(root, from)
    return body(root)
  })
}

async function write(
  root: string,
  contents: Contents,
  files: FileSystem = immortal().files,
  process?: LockHolder,
): Promise<FolderWrite> {
  const outputs: OutputFile[] = Object.entries(contents).map(([path, content]) => ({path, content}))
  return writer(outputs, outputFolder(root, {files, whoAmI: process && (() => Promise.resolve(process))}))
}
