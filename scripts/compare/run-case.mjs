import {Buffer} from 'node:buffer'
import {fork, spawn} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {clearTimeout, setTimeout} from 'node:timers'
import {text} from 'node:stream/consumers'
import {once} from 'node:events'
import {dirname, join, relative} from 'node:path'

/**
 * A line is a command of the program, or after `$ ` one of the shell; `{examples}` and `{packages}` are folders.
 * @typedef {{
 *   readonly name: string,
 *   readonly folder?: string,
 *   readonly files?: Readonly<Record<string, string>>,
 *   readonly lines: readonly string[],
 * }} Case
 * @typedef {{readonly status: string, readonly stdout: string, readonly stderr: string}} Answer
 * @typedef {{
 *   readonly root: string,
 *   readonly run: (argv: readonly string[], cwd: string) => Promise<Answer>,
 *   readonly end: () => void,
 * }} Build
 * @typedef {{readonly build: Build, readonly folder: string, readonly world: Readonly<Record<string, string>>}} Place
 */

/** Folders that hold what one command left for the next, not what the user asked for. */
const INTERNAL = new Set(['.git', '.home'])
const COMMAND_SECONDS = 120

/** A process of a build, which is started again after a command that ended it or took too long. @param {string} root @returns {Build} */
export function startBuild(root) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  const end = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  return {
    root,
    end,
    run: async (argv, cwd) => {
      child ??= fork(join(import.meta.dirname, 'program.cjs'), [root])
      const asked = child
      /** @type {Promise<Answer>} */
      const answer = new Promise(resolve => {
        const fails = (/** @type {string} */ status) => resolve({status, stdout: '', stderr: ''})
        const timer = setTimeout(
          () => fails(`no end after ${COMMAND_SECONDS} seconds`),
          COMMAND_SECONDS * 1000,
        )
        const done = (/** @type {Answer} */ given) =>
          (clearTimeout(timer), resolve(given))
        asked.once('message', message => done(/** @type {Answer} */ (message)))
        asked.once('exit', (status, signal) =>
          done({status: `ended: ${String(signal ?? status)}`, stdout: '', stderr: ''}),
        )
      })
      asked.send({argv, cwd, env: environment(cwd)})
      const given = await answer
      asked.removeAllListeners()
      if (!/^\d+$/.test(given.status)) end()
      return given
    },
  }
}

/** What a case printed and wrote, by the part of it. @param {Case} each @param {Place} place */
export async function runCase(each, place) {
  const {folder} = place
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(join(folder, '.home'), {recursive: true})
  if (each.folder !== undefined) cpSync(each.folder, folder, {recursive: true})
  for (const [path, content] of Object.entries(each.files ?? {})) writeText(join(folder, path), content)
  /** @type {Map<string, Buffer>} */
  const parts = new Map()
  for (const [index, line] of each.lines.entries()) {
    const answer = await runLine(filled(line, place.world), place)
    for (const [part, value] of Object.entries(answer))
      parts.set(
        `${index + 1}: ${line}\n    ${part}`,
        Buffer.from(`${value.replaceAll(place.build.root, 'BUILD')}\n`),
      )
  }
  for (const path of filesBelow(folder)) parts.set(`file ${path}`, readFileSync(join(folder, path)))
  return parts
}

/** @param {string} path @param {string} content */
function writeText(path, content) {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, content)
}

/** @param {string} line @param {Readonly<Record<string, string>>} world */
const filled = (line, world) => line.replace(/\{([a-z]+)\}/g, (whole, name) => world[name] ?? whole)

/** @param {string} line @param {Place} place @returns {Promise<Answer>} */
async function runLine(line, {build, folder}) {
  if (!line.startsWith('$ ')) return await build.run(line.split(' '), folder)
  const child = spawn('sh', ['-c', line.slice(2)], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await once(child, 'close')
  const [stdout, stderr] = await output
  return {status: String(status), stdout, stderr}
}

/** Nothing of who runs this: no configuration, no cluster, no network, one date. @param {string} folder */
function environment(folder) {
  const home = join(folder, '.home')
  const date = '2020-02-20T02:20:20Z'
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    KUBECONFIG: join(home, 'no-kubeconfig'),
    CROSSPLANE_OFFLINE: 'true',
    CROSSPLANE_WAIT_NOTICE: '3600',
    SOURCE_DATE_EPOCH: '1582165220',
    TZ: 'UTC',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
    GIT_COMMITTER_DATE: date,
  }
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(path => !path.split('/').some(part => INTERNAL.has(part)))
    .sort()
}
