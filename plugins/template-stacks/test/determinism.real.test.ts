import {expect, it, jest} from '@jest/globals'
import {existsSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'

// Every process compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const PROGRAM = resolve('bin/run.js')
const EXAMPLE = resolve('examples/template-stacks/caching-web-service')
const TEST = join(EXAMPLE, 'tests/cache-is-known')
const RENDER = [
  ...[PROGRAM, 'template', 'render', EXAMPLE],
  ...['-f', join(TEST, 'cr.yaml'), '--state', join(TEST, 'state.yaml')],
]
const missing = existsSync('plugins/template-stacks/dist/command-map.js')
  ? undefined
  : 'the program is not built'

describeReal('template render', missing, () => {
  const home = temporaryFolder()

  it('prints the same bytes in every process, time zone, locale and folder, and without a PATH', async () => {
    const settings = [
      {env: {TZ: 'UTC', LANG: 'C'}},
      {env: {TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'}, cwd: '/'},
      {env: {TZ: 'America/St_Johns', PATH: '', HOME: home}, cwd: home},
    ]
    const outputs = []
    for (const options of settings) outputs.push(await runProgram(process.execPath, RENDER, options))
    const texts = new Set(outputs.map(({status, stdout}) => `${status}\n${stdout}`))
    expect([texts.size, outputs[0]?.status, outputs[0]?.stdout.includes('kind: Redis')]).toEqual([1, 0, true])
  })
})

describeReal('template render under strace', missing ?? missingTool('strace'), () => {
  const home = temporaryFolder()

  /** The files that a run of Node.js opened, and its sockets but for that of the system's cache of users. */
  async function traced(name: string, args: readonly string[]) {
    const log = join(home, name)
    const options = ['-f', '-qq', '-e', 'trace=open,openat,connect', '-o', log, process.execPath]
    const {status, stdout} = await runProgram('strace', [...options, ...args], {env: {HOME: home}, cwd: home})
    const calls = readFileSync(log, 'utf8').split('\n')
    return {
      status,
      stdout,
      opened: calls.flatMap(call => /\bopen(?:at)?\(.*?"([^"]*)".* = \d+$/.exec(call)?.[1] ?? []),
      connected: calls.filter(call => call.includes('connect(') && !call.includes('nscd')),
    }
  }

  it('opens no file outside of the package and the program, and connects to nothing', async () => {
    // Node.js itself reads libraries and the user's entry, and what Linux says about memory when it starts a worker.
    const bare = await traced('bare', ['-e', 'require("os").userInfo()'])
    const {status, stdout, opened, connected} = await traced('render', RENDER)
    expect([status, stdout.includes('kind: Redis')]).toEqual([0, true])
    const own = new Set(bare.opened)
    const others = opened.filter(
      path => !own.has(path) && !/^\/(?:proc|dev)\//.test(path) && !path.startsWith(`${resolve('.')}/`),
    )
    expect({others: [...new Set(others)], connected}).toEqual({others: [], connected: []})
    expect(opened).toContain(join(EXAMPLE, '.registry/behavior.yaml'))
  })
})
