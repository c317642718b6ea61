import {beforeAll, describe, expect, it} from '@jest/globals'
import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {builtProgram} from '../built-program.js'
import {type ProgramResult, runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const logs = join(folder, 'logs')

/** Commands that oclif loads as it loads ours, one file each. */
const COMMANDS: Readonly<Record<string, string>> = {
  throws: `export default class { static run() {}
 async _run() { throw new TypeError('boom') } }`,
  later: `export default class { static run() {}
 async _run() {
  setTimeout(() => { throw new TypeError('boom') })
  await new Promise(resolve => setTimeout(resolve, 60_000))
} }`,
  'not-awaited': `export default class { static run() {}
 async _run() {
  void Promise.reject(new TypeError('boom'))
  await new Promise(resolve => setTimeout(resolve, 60_000))
} }`,
  'no-error': `export default class { static run() {}
 async _run() { throw 'boom' } }`,
  'denied-path': `import {statSync} from 'node:fs'
export default class { static run() {}
 async _run() { statSync(${JSON.stringify('x'.repeat(300))}) } }`,
  'cannot-load': `import './nowhere.js'`,
}

/** The program's own main with these commands: what is simulated is the bug and nothing around it. */
beforeAll(() => {
  const main = pathToFileURL(join(dirname(builtProgram()), '../dist/cli/shell/main.js')).href
  const oclif = {bin: 'buggy', commands: {strategy: 'pattern', target: './commands'}}
  const manifest = Object.keys(COMMANDS).map(id => {
    const described = {
      id,
      aliases: [],
      args: {},
      flags: {},
      isESM: true,
      relativePath: ['commands', `${id}.js`],
    }
    return [id, described] as const
  })
  writeTree(folder, {
    'main.js': `import {main} from ${JSON.stringify(main)}
process.exitCode = await main(process.argv.slice(2), import.meta.url)`,
    'package.json': JSON.stringify({name: 'buggy', version: '0.0.0', type: 'module', oclif}),
    'oclif.manifest.json': JSON.stringify({version: '0.0.0', commands: Object.fromEntries(manifest)}),
    ...Object.fromEntries(Object.entries(COMMANDS).map(([id, code]) => [`commands/${id}.js`, code])),
  })
  mkdirSync(logs)
})

function run(args: readonly string[], env = {}): Promise<ProgramResult> {
  return runProgram(process.execPath, [join(folder, 'main.js'), ...args], {env: {TMPDIR: logs, ...env}})
}

const BUG = /^Error: this is a bug in kubectl-crossplane: the details are in (.+\/bug\.log)\nTry: [^\n]+\n$/

describe('a bug', () => {
  it.each([
    {name: 'throws', reason: 'in the command itself', log: /TypeError: boom\n\s+at /},
    {name: 'later', reason: 'in a callback that nothing awaits', log: /TypeError: boom\n\s+at /},
    {name: 'not-awaited', reason: 'in a promise that is not awaited', log: /TypeError: boom\n\s+at /},
    {name: 'no-error', reason: 'the thrown value is not an error', log: /'boom'/},
    {name: 'cannot-load', reason: 'a module is missing: no mistake in the command line', log: /nowhere\.js/},
  ])('reports $name in one line and writes the stack to a private file: $reason', async ({name, log}) => {
    const {status, stdout, stderr} = await run([name])
    const [, file = ''] = BUG.exec(stderr) ?? []
    expect({status, stdout, stderr}).toEqual({status: 1, stdout: '', stderr: expect.stringMatching(BUG)})
    expect(readFileSync(file, 'utf8')).toMatch(log)
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('has an error code and a log file in JSON output', async () => {
    const {status, stdout, stderr} = await run(['throws', '-o', 'json'])
    expect({status, stdout, ...(JSON.parse(stderr) as object)}).toEqual({
      status: 1,
      stdout: '',
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'Error',
      code: 'internal',
      message: expect.stringContaining(logs),
      faults: [],
      suggestions: [expect.any(String)],
    })
  })

  it('shows its stack with --debug', async () => {
    const {status, stderr} = await run(['throws', '--debug'])
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Error: this is a bug[^\n]+\nTry: [^\n]+\nTypeError: boom\n\s+at /),
    })
  })

  it('is reported even if the log file cannot be written', async () => {
    const before = readdirSync(logs)
    const {status, stdout, stderr} = await run(['throws'], {TMPDIR: join(folder, 'nowhere')})
    expect({status, stdout, stderr, files: readdirSync(logs)}).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: this is a bug [^\n]*--debug[^\n]*\nTry: [^\n]+\n$/),
      files: before,
    })
  })

  it('is not what a path is that cannot be read', async () => {
    expect(await run(['denied-path'])).toMatchObject({
      status: 1,
      stderr: `Error: cannot read ${'x'.repeat(300)}: name too long\n`,
    })
  })
})
