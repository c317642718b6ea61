import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readlinkSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {beforeAll, describe, expect, it} from '@jest/globals'
import {programCommand} from '../built-program.js'
import {describeReal} from '../real-parts.js'
import {runProgram, smallEnvironment} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'

const folder = writeTree(temporaryFolder(), {
  'request.yaml': `apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata: {name: database, namespace: a}
spec: {package: "example/cli-database:v0.2.0"}
`,
  'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages: [{package: "example/cli-database:v0.2.0"}]
`,
})
const packages = temporaryFolder()
execFileSync('mkdir', ['-p', join(packages, 'example')])
execFileSync('cp', ['-r', fixture('cli-database'), join(packages, 'example/cli-database@v0.2.0')])

beforeAll(() => {
  programCommand()
})

describe('process substitution', () => {
  it.each([
    {name: '-f', flag: '-f', file: 'request.yaml', argv: ['package', 'render', '--no-dependencies']},
    {
      name: '--declaration',
      flag: '--declaration',
      file: 'crossplane-packages.yaml',
      argv: ['package', 'tree'],
    },
  ])('gives the same as a file to $name', async ({flag, file, argv}) => {
    const words = programCommand(...argv, '--packages', packages, '--assume', 'as.example.org').flat()
    const run = (input: string) =>
      runProgram('bash', ['--norc', '-c', `"$@" ${flag} ${input}`, 'bash', ...words], {cwd: folder})
    const fromFile = await run(file)
    expect(fromFile.stdout).not.toBe('')
    expect(await run(`<(cat ${file})`)).toEqual(fromFile)
  })
})

const PROC = '/proc/self/fd'

/** Undefined for a file that was closed since it was listed. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

describeReal('a FIFO without a writer', existsSync(PROC) ? undefined : `no ${PROC}`, () => {
  it('is waited for until Ctrl-C', async () => {
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    const child = spawn(...programCommand('package', 'render', '-f', fifo), {
      stdio: 'ignore',
      env: smallEnvironment(),
    })
    const end = once(child, 'exit')
    const files = PROC.replace('self', String(child.pid))
    const isOpen = () => readdirSync(files).some(each => targetOf(join(files, each)) === fifo)
    while (!isOpen()) await sleep(20)
    child.kill('SIGINT')
    expect(await end).toEqual([130, null])
  })
})
