import {spawnSync} from 'node:child_process'
import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {transformFile} from '@swc/core'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {pendingWrite} from '../../src/commit/recover-folder.js'
import {writeFolder} from '../../src/commit/write-folder.js'
import {oursIn, withForeignFolder} from './foreign-folder.js'

const OLD = [
  {path: 'a.yaml', content: 'A1\n'},
  {path: 'old/b.yaml', content: 'B\n'},
]
const NEW = [
  {path: 'a.yaml', content: 'A2\n'},
  {path: 'new/c.yaml', content: 'C\n'},
]

/** Writes to the folder of its first argument, and is killed when it is about to make the call of its second. */
const CHILD = `
import {realFileSystem} from './src/adapters/file-system.js'
import {outputFolder} from './src/adapters/output-folder.js'
import {writeFolder} from './src/commit/write-folder.js'

const [root, fatal, files] = process.argv.slice(2)
let calls = 0
const counted = call => (...args) => {
  if (++calls === Number(fatal)) process.kill(process.pid, 'SIGKILL')
  return call(...args)
}
const {mkdir, rename, rmdir, unlink, create: createReal} = realFileSystem
const create = async (...args) => {
  const {write, sync, close} = await counted(createReal)(...args)
  return {write: counted(write), sync: counted(sync), close}
}
const counting = Object.fromEntries(Object.entries({mkdir, rename, rmdir, unlink}).map(([name, call]) => [name, counted(call)]))
await writeFolder(JSON.parse(files), outputFolder(root, {files: {...realFileSystem, ...counting, create}}))
console.log(calls)
`

let program: string

beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), 'kill-program-'))
  await compile('adapters/output-folder')
  await compile('commit/write-folder')
  await writeFile(join(program, 'package.json'), '{"type": "module"}')
  await symlink(join(SOURCE, '../node_modules'), join(program, 'node_modules'))
  await writeFile(join(program, 'child.js'), CHILD)
})

afterAll(() => rm(program, {recursive: true}))

describe('a process that is killed during a write', () => {
  it('leaves a folder that the next process completes or rolls back, at every third system call', async () => {
    const [calls, clean] = await inFolder(async root => [
      Number(run(root, Infinity).stdout),
      await oursIn(root),
    ])
    const recoveries = new Set<string>()
    for (let fatal = 2; fatal <= calls; fatal += 3) {
      await inFolder(async root => {
        expect({fatal, signal: run(root, fatal).signal}).toEqual({fatal, signal: 'SIGKILL'})
        const pending = await pendingWrite(outputFolder(root))
        const change = await writeFolder(NEW, outputFolder(root))
        recoveries.add(`${pending ?? 'whole'}: ${change.recovered ?? 'nothing to do'}`)
        expect({fatal, tree: await oursIn(root)}).toEqual({fatal, tree: clean})
      })
    }
    expect([...recoveries].sort()).toEqual([
      'to-complete: completed',
      'to-roll-back: rolled-back',
      'whole: nothing to do',
    ])
  })
})

async function inFolder<T>(body: (root: string) => Promise<T>): Promise<T> {
  return withForeignFolder(async root => {
    await writeFolder(OLD, outputFolder(root))
    return body(root)
  })
}

function run(root: string, fatal: number) {
  const args = [join(program, 'child.js'), root, String(fatal), JSON.stringify(NEW)]
  return spawnSync(process.execPath, args, {encoding: 'utf8'})
}

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

/** Compiles a module below `src` and all that it imports into `program`. */
async function compile(module: string, done = new Set<string>()): Promise<void> {
  if (done.has(module)) return
  done.add(module)
  const {code} = await transformFile(join(SOURCE, `${module}.ts`), {
    jsc: {target: 'es2022', parser: {syntax: 'typescript'}},
    module: {type: 'es6'},
  })
  const target = join(program, 'src', `${module}.js`)
  await mkdir(dirname(target), {recursive: true})
  await writeFile(target, code)
  for (const [, imported = ''] of code.matchAll(/ from '(\.[^']+)\.js'/g)) {
    await compile(join(dirname(module), imported), done)
  }
}
