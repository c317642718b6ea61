// What it costs to commit rendered files: beside plain git, which adds and commits files that exist, and without the time
// that the same rendering takes.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {generatePackage} from './generate-package.mjs'
import {environment, median} from './measure.mjs'

/** One package cannot have as many CRDs as there are files. */
const PACKAGES = 4

const GIT = {
  ...environment,
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.org',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

/**
 * Runs a program to its end, and returns when that was.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} env
 */
function run(command, args, env = GIT) {
  const {status, stderr} = spawnSync(command, args, {env, stdio: ['ignore', 'ignore', 'pipe']})
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${String(stderr)}`)
  return Date.now()
}

/**
 * A repository whose declaration has packages with as many CRDs as the commit is to have files.
 *
 * @param {string} folder
 * @param {number} files
 */
function declaredPackages(folder, files) {
  const [home, available] = [join(folder, 'home'), join(folder, 'available')]
  const names = Array.from({length: PACKAGES}, (_, index) => `bench${index}`)
  const kinds = Math.ceil(files / PACKAGES)
  for (const [index, name] of names.entries())
    generatePackage(join(available, `example/${name}@v1.0.0`), kinds, index * kinds)
  mkdirSync(home)
  const entries = names.map(name => `- {package: example/${name}:v1.0.0, namespace: x}\n`)
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n'
  writeFileSync(join(home, 'crossplane-packages.yaml'), head + entries.join(''))
  run('git', ['-C', home, 'init', '--quiet', '--initial-branch=main'])
  addAndCommit(home)
  return {home, available}
}

/** @param {string} home */
function addAndCommit(home) {
  const start = Date.now()
  run('git', ['-C', home, 'add', '--all'])
  return run('git', ['-C', home, 'commit', '--quiet', '--message=files']) - start
}

/**
 * The milliseconds from the first call of git to the end of the program.
 *
 * @param {string[]} args
 * @param {string} trace
 */
function sinceFirstGit(args, trace) {
  rmSync(trace, {force: true})
  const end = run(process.execPath, args, {...GIT, GIT_TRACE2_EVENT: trace})
  const [first = ''] = readFileSync(trace, 'utf8').split('\n')
  return end - Date.parse(JSON.parse(first).time)
}

/**
 * Rows of a table: name, milliseconds, the ratio to the first row and the wanted one.
 *
 * @param {string} program
 * @param {string} folder
 * @param {{runs: number, files: number}} size
 */
export function measureCommits(program, folder, {runs, files}) {
  mkdirSync(folder)
  const {home, available} = declaredPackages(folder, files)
  const times = Array.from({length: runs}, (_, index) => {
    const at = (/** @type {string} */ name) => join(folder, `${name}-${index}`)
    const [ours, plain] = [at('ours'), at('plain')]
    for (const copy of [ours, plain]) cpSync(home, copy, {recursive: true})
    const source = ['--packages', available, '--quiet']
    const upgrade = [program, 'package', 'upgrade', '--git', ours, ...source, '--yes']
    const commit = sinceFirstGit(upgrade, at('trace'))
    const declaration = ['--declaration', join(home, 'crossplane-packages.yaml')]
    const [begin, started] = [Date.now(), run(process.execPath, [program, 'version'])]
    const render = [program, 'package', 'render', ...declaration, ...source, '--output-dir', at('tree')]
    const rendering = run(process.execPath, render) - started - (started - begin)
    cpSync(ours, plain, {recursive: true, filter: path => !path.endsWith('/.git')})
    return {commit, rendering, git: addAndCommit(plain)}
  })
  const middle = (/** @type {(time: (typeof times)[number]) => number} */ of) => median(times.map(of))
  const git = middle(time => time.git)
  const row = (/** @type {string} */ name, /** @type {number} */ milliseconds, wanted = '') => [
    name,
    milliseconds.toFixed(0),
    `${(milliseconds / git).toFixed(2)}x`,
    wanted,
  ]
  return [
    row(`git add && git commit, ${files} files`, git),
    row(
      `package upgrade --git, from the first call of git`,
      middle(time => time.commit),
    ),
    row(
      '  without rendering, as render --output-dir does',
      middle(time => time.commit - time.rendering),
      '<= 1.5x',
    ),
  ]
}
