// `npm run test:executable [-- PATH…]`: runs the suites that start the program as a process on the executable of this
// platform, or on the program that KUBECTL_CROSSPLANE_PROGRAM names. Words select suites whose paths contain one of them.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {archiveName, platformName, programName, thisPlatform} from './release/platforms.js'

const root = join(import.meta.dirname, '..')
const LOADER = ['--import', './test/cluster/typescript.mjs']
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
/** What starts the program for suites. */
const STARTERS = ['test/built-program.ts', 'test/run-cli.ts', 'test/run-program.ts']

/** Suites that import one of these, and do not run the given program, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'test/adapters/cache-folder.kill.long.test.ts': 'it starts modules of the sources',
  'test/adapters/kubernetes-client.long.test.ts': 'it starts modules of the sources',
  'test/ci-templates.test.ts': 'it starts steps of a workflow',
  'test/cli/shell/open-files.test.ts': 'an executable opens too few files to reach the limit',
  'test/cli/shell/progress/progress.test.ts': 'it calls modules of the sources',
  'test/cli/shell/process-events.test.ts': 'it imports modules of dist/ into a program of its own',
  'test/commands/bug.test.ts': 'it adds a command with a bug to dist/',
  'test/commands/module-list.long.test.ts':
    'it lists the modules of dist/ and node_modules that Node.js loads',
  'test/load-bundle.long.test.ts': 'it starts bundles of its own',
  'test/npm-package.real.test.ts': 'it tests the npm package',
  'test/release/krew.real.test.ts': 'it makes the executable itself, and compares it with the sources',
  'test/release/release.real.test.ts': 'it makes the executable itself, and compares it with the sources',
  'test/start-scripts.test.ts': 'it starts scripts with programs of its own',
}

const given = process.env.KUBECTL_CROSSPLANE_PROGRAM
const folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-executable-'))
try {
  process.exitCode = runSuites(given ?? executableIn(folder), process.argv.slice(2))
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/** Makes and unpacks the release of this platform; returns the path of its program. */
function executableIn(folder: string): string {
  const platform = thisPlatform()
  if (platform === undefined) throw new Error(`there is no release for ${process.platform}/${process.arch}`)
  const args = ['scripts/release/release.ts', '--platform', platformName(platform), '--output', folder]
  run(process.execPath, [...LOADER, ...args])
  run('tar', ['-xf', join(folder, archiveName(platform)), '-C', folder])
  return join(folder, 'kubectl-crossplane', programName(platform))
}

function runSuites(program: string, words: readonly string[]): number {
  const suites = suitesThatStart().filter(
    path => words.length === 0 || words.some(word => path.includes(word)),
  )
  if (suites.length === 0) throw new Error(`no suite starts the program: ${words.join(' ')}`)
  process.stdout.write(`${suites.length} suites run ${program}\n`)
  const args = [...JEST, '--ci', '--workerIdleMemoryLimit=1500MB', '--runTestsByPath', ...suites]
  const env = {...process.env, KUBECTL_CROSSPLANE_PROGRAM: program}
  return spawnSync(process.execPath, args, {cwd: root, env, stdio: 'inherit'}).status ?? 1
}

/** Returns the paths of the suites that import what starts the program; the campaigns repeat at random what these do. */
function suitesThatStart(): readonly string[] {
  const args = [...JEST, '--listTests', '--findRelatedTests', ...STARTERS]
  const paths = run(process.execPath, args)
    .split('\n')
    .filter(path => path.endsWith('.test.ts'))
    .map(path => relative(root, path).replaceAll('\\', '/'))
    .sort()
  const unknown = Object.keys(EXCLUDED).find(path => !paths.includes(path))
  if (unknown !== undefined) throw new Error(`${unknown} need not be excluded`)
  return paths.filter(path => !(path in EXCLUDED))
}

function run(command: string, args: readonly string[]): string {
  const {status, error, stdout, stderr} = spawnSync(command, args, {cwd: root, encoding: 'utf8'})
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
