import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {builtProgram} from './built-program.js'
import {runProgram} from './run-program.js'
import {temporaryFolder, writeTree} from './temporary-folder.js'

const ROOT = join(import.meta.dirname, '..')
const install = temporaryFolder()
const NAME = 'kubectl-crossplane-greet'

const GREET = `import {Command} from '@oclif/core/command'
import {argument, commonFlags, CrossplaneError, formatDocument, reportOutputFlag, show} from 'kubectl-crossplane/plugin'

export default class Greet extends Command {
  static override summary = 'Greet a user'
  static override args = {name: argument({description: 'Name of the user'})}
  static override flags = {...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Greet)
    const {name} = args
    if (name === undefined) throw new CrossplaneError('not-found', 'cannot greet: no name')
    const text = \`hello \${name}\\n\`
    await show(flags.output === 'text' ? text : formatDocument({kind: 'Greeting', name}, flags.output))
  }
}
`

/** The program as npm installs it, with a plugin beside its dependencies. */
beforeAll(() => {
  const program = dirname(dirname(builtProgram()))
  for (const path of ['bin', 'dist', 'oclif.manifest.json'])
    cpSync(join(program, path), join(install, path), {recursive: true})
  const pjson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {oclif: object}
  const oclif = {...pjson.oclif, plugins: [NAME]}
  const manifest = {...pjson, dependencies: {[NAME]: '1.0.0'}, oclif}
  writeFileSync(join(install, 'package.json'), JSON.stringify(manifest))
  mkdirSync(join(install, 'node_modules'))
  // A checkout has links of its own to the program and its plugins.
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && !name.startsWith('kubectl-crossplane'))
      symlinkSync(join(ROOT, 'node_modules', name), join(install, 'node_modules', name))
  symlinkSync(install, join(install, 'node_modules/kubectl-crossplane'))
  writeTree(join(install, 'node_modules', NAME), {
    'package.json': JSON.stringify({
      name: NAME,
      version: '1.0.0',
      type: 'module',
      oclif: {commands: {strategy: 'explicit', target: './dist/index.js', identifier: 'COMMANDS'}},
    }),
    'src/greet.ts': GREET,
    'src/index.ts': "import Greet from './greet.js'\n\nexport const COMMANDS = {'package:greet': Greet}\n",
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        strict: true,
        noImplicitOverride: true,
        skipLibCheck: false,
        types: [],
        rootDir: 'src',
        outDir: 'dist',
      },
    }),
  })
}, 120_000)

const run = (...argv: readonly string[]) =>
  runProgram(process.execPath, [join(install, 'bin/run.js'), ...argv])

describe('a plugin', () => {
  it('compiles against the published declarations', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const args = [tsc, '-p', join(install, 'node_modules', NAME), '--skipLibCheck']
    const {status, stdout} = spawnSync(process.execPath, args, {encoding: 'utf8'})
    expect({status, stdout}).toEqual({status: 0, stdout: ''})
  })

  it('adds a command that is found, run and documented', async () => {
    expect(await run('package', 'greet', 'anna')).toMatchObject({
      status: 0,
      stdout: 'hello anna\n',
      stderr: '',
    })
    const {stdout} = await run('package', 'greet', 'anna', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({kind: 'Greeting', name: 'anna'})
    expect((await run('help', 'package', 'greet')).stdout).toContain(
      'kubectl crossplane package greet [NAME] [flags]',
    )
    expect((await run('package', '--help')).stdout).toContain('package greet')
  })

  it('fails with the errors of the program', async () => {
    expect(await run('package', 'greet')).toMatchObject({status: 1, stderr: 'Error: cannot greet: no name\n'})
  })

  it('does not change the commands of the program', async () => {
    expect(await run('version')).toMatchObject({status: 0, stderr: ''})
  })
})
