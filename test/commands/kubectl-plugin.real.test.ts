import {beforeAll, expect, it} from '@jest/globals'
import {existsSync, mkdirSync, symlinkSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {builtProgram, givenProgram} from '../built-program.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {type ProgramOptions, type ProgramResult, runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {DATABASE, fixture} from './fixtures.js'

describeReal('the program as a kubectl plugin', missingTool('kubectl'), () => {
  const temporary = temporaryFolder()
  const plugins = join(temporary, 'plugins')
  const packages = join(temporary, 'packages')
  const linked = join(temporary, 'linked')
  // npm adds the programs of node_modules to PATH, and this one is among them.
  const foldersWithoutProgram = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => !existsSync(join(folder, 'kubectl-crossplane')))
  const env = {
    PATH: [plugins, ...foldersWithoutProgram].join(delimiter),
    HOME: temporary,
    KUBECONFIG: join(temporary, 'nowhere'),
  }
  const kubectl = (args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> =>
    runProgram('kubectl', args, {...options, env})
  const crossplane = (...args: readonly string[]) => kubectl(['crossplane', ...args])

  beforeAll(() => {
    mkdirSync(plugins)
    symlinkSync(givenProgram() ?? builtProgram(), join(plugins, 'kubectl-crossplane'))
    mkdirSync(join(packages, 'a'), {recursive: true})
    mkdirSync(join(linked, '.registry'), {recursive: true})
    symlinkSync('/etc/hostname', join(linked, '.registry/app.yaml'))
    symlinkSync(fixture('cli-database'), join(packages, 'a/b@v1'))
  })

  it('is listed by kubectl', async () => {
    const {status, stdout, stderr} = await kubectl(['plugin', 'list'])
    const complaints = stderr.split('\n').filter(line => line.includes('kubectl-crossplane'))
    expect({status, complaints, lines: stdout.split('\n')}).toEqual({
      status: 0,
      complaints: [],
      lines: expect.arrayContaining([join(plugins, 'kubectl-crossplane')]),
    })
  })

  it.each([
    {name: 'version', in: ['version']},
    {name: 'an install set', in: ['package', 'render', ...DATABASE]},
    {name: 'an install set as JSON', in: ['package', 'render', ...DATABASE, '-o', 'json']},
    {name: 'help', in: ['package', 'render', '--help']},
    {name: 'nothing at all', in: []},
    {name: 'a usage error', in: ['package', 'render', '--nope']},
    {name: 'an unknown command', in: ['packages']},
    {name: 'a broken package', in: ['package', 'render', fixture('cli-broken')]},
    {name: 'an argument with blanks', in: ['package', 'render', './no such folder']},
  ])('$name: gives the same output and status as without kubectl', async ({in: args}) => {
    expect(await crossplane(...args)).toEqual({...(await runCli(...args)), signal: null})
  })

  it.each([
    {status: 1, in: ['package', 'render', fixture('cli-broken')]},
    {status: 2, in: ['package', 'render']},
    {status: 4, in: ['package', 'render', linked]},
    {status: 5, in: ['package', 'render', ...DATABASE, '--output-dir', '/dev/null']},
  ])('exits with status $status', async ({status, in: args}) => {
    expect((await crossplane(...args)).status).toBe(status)
  })

  it('reads standard input', async () => {
    const {stdout: request} = await runCli('package', 'generate-install', 'a/b:v1', 'db', '-n', 'a', '-c')
    const args = ['crossplane', 'package', 'render', '-f', '-', '--packages', packages]
    const {status, stdout} = await kubectl(args, {input: request})
    const want = await runCli(
      'package',
      'render',
      'a/b:v1',
      'db',
      '-n',
      'a',
      '--packages',
      packages,
      '--no-dependencies',
    )
    expect({status, stdout}).toEqual({status: 0, stdout: want.stdout})
  })

  it('resolves relative paths in the working folder of the user', async () => {
    const args = ['crossplane', 'package', 'render', './cli-database', ...DATABASE.slice(1)]
    const {stdout} = await kubectl(args, {cwd: join(fixture('cli-database'), '..')})
    expect(stdout).toBe((await runCli('package', 'render', ...DATABASE)).stdout)
  })
})
