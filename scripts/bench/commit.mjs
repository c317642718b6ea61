// What it costs to commit rendered files, from the first call of git to the end of the last, beside plain git. That adds and
// commits files that exist, so that the time is also given without what the program does between two calls of git: it
// resolves and renders the declaration of HEAD, which is no part of a commit, and later writes the files.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {environment} from './execute.mjs'
import {generatePackage} from './generate-package.mjs'
import {median} from './table.mjs'

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
    generatePackage(join(available, `example/${name}@v1.0.0`), kinds, {first: index * kinds})
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
 * Milliseconds: all from the first call of git to the end of the last, and two parts of it; and the number of calls.
 *
 * @param {readonly string[]} command
 * @param {string} trace
 */
function commitTimes([program = '', ...args], trace) {
  rmSync(trace, {force: true})
  run(program, args, {...GIT, GIT_TRACE2_EVENT: trace})
  const calls = callsIn(readFileSync(trace, 'utf8'))
  return {
    all: Math.max(...calls.map(({end}) => end)) - Math.min(...calls.map(({start}) => start)),
    calls: calls.length,
    // Before the planned paths are compared with the working tree, and before the written files are staged.
    rendering: longestPause(calls, 'check-ignore'),
    writing: longestPause(calls, 'add', 'check-ignore'),
  }
}

/** @typedef {{argv: string[], start: number, end: number}} Call */

/**
 * The calls of git by the program, without those that git makes.
 *
 * @param {string} trace
 * @returns {Call[]}
 */
function callsIn(trace) {
  const events = trace
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  return events.flatMap(({event, sid, time, argv}) => {
    if (event !== 'start' || sid.includes('/')) return []
    const exit = events.find(each => each.event === 'exit' && each.sid === sid)
    return [{argv, start: Date.parse(time), end: Date.parse(exit?.time ?? time)}]
  })
}

/**
 * The longest pause up to the first call of a subcommand; with `from`, after the first call of that one.
 *
 * @param {readonly Call[]} calls
 * @param {string} to
 * @param {string} [from]
 */
function longestPause(calls, to, from) {
  const first = (/** @type {string} */ command) => calls.findIndex(({argv}) => argv.includes(command))
  const between = calls.slice(from === undefined ? 0 : first(from), first(to) + 1)
  const pauses = between.slice(1).map(({start}, index) => {
    const earlier = between.slice(0, index + 1)
    return start - Math.max(...earlier.map(({end}) => end))
  })
  return Math.max(0, ...pauses)
}

const [FILES, RUNS] = [1000, 5]

/** @type {import('./parts.mjs').Part} */
export const COMMIT = {
  name: 'commit',
  title: 'Commit',
  about: `\`package upgrade --git\` of ${FILES} files, from its first call of Git to the end of the last, compared with \`git add\` and \`git commit\` of existing files; then without resolving and rendering, and without writing the files. Medians of ${RUNS} runs.`,
  measure: async ({folder: parent, best: {name: build, command}}) => {
    const folder = join(parent, 'commits')
    mkdirSync(folder)
    const {home, available} = declaredPackages(folder, FILES)
    const times = Array.from({length: RUNS}, (_, index) => {
      const at = (/** @type {string} */ name) => join(folder, `${name}-${index}`)
      const [ours, plain] = [at('ours'), at('plain')]
      for (const copy of [ours, plain]) cpSync(home, copy, {recursive: true})
      const source = ['--packages', available, '--quiet']
      const upgrade = [...command, 'package', 'upgrade', '--git', ours, ...source, '--yes']
      const commit = commitTimes(upgrade, at('trace'))
      cpSync(ours, plain, {recursive: true, filter: path => !path.endsWith('/.git')})
      return {...commit, git: addAndCommit(plain)}
    })
    const middle = (/** @type {(time: (typeof times)[number]) => number} */ of) => median(times.map(of))
    const peer = {name: 'git add && git commit', ms: middle(time => time.git)}
    const row = (/** @type {string} */ work, /** @type {(time: (typeof times)[number]) => number} */ of) => ({
      work,
      build,
      ms: middle(of),
      peer,
    })
    return {
      rows: [
        {work: peer.name, ms: peer.ms},
        {...row('upgrade --git', time => time.all), details: `${middle(time => time.calls)} calls of git`},
        {...row('… without resolving and rendering', time => time.all - time.rendering), wanted: 2},
        row('… and without writing the files', time => time.all - time.rendering - time.writing),
      ],
      missing: [],
    }
  },
}
