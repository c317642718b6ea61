import {compareReleases, type Release, releaseIn} from './release.js'
import {escaped, listSome, shellWord} from '../text.js'
import {asObject, asText} from '../yaml/json-value.js'
import {parseExactJson} from '../yaml/exact-json.js'
import {type Check, okCheck} from './check.js'

/** An executable file in a folder of PATH. */
export interface ProgramFile {
  readonly path: string
  /** The last part of the path. */
  readonly name: string
  /** Whether it is this program, possibly by a link. */
  readonly isSelf: boolean
}

/** The name of this program for kubectl, and the prefix of the names of plugins for its subcommands. */
export const PROGRAM_NAME = 'kubectl-crossplane'

/**
 * Checks which program kubectl runs for the commands (`package install`) of this one: it prefers the first in PATH, and of
 * several names the longest. The files are in the order of PATH.
 */
export function checkPlugins(files: readonly ProgramFile[], commands: readonly string[]): readonly Check[] {
  const named = files.filter(({name}) => name === PROGRAM_NAME)
  const longer = files.filter(({name}) => name.startsWith(`${PROGRAM_NAME}-`))
  return [
    ownCheck(named),
    ...named.slice(1).flatMap(laterCheck),
    ...longer.map(file => longerCheck(file, commands)),
  ]
}

function ownCheck([first]: readonly ProgramFile[]): Check {
  if (first === undefined) {
    return {
      id: 'plugin',
      state: 'warning',
      message: `${PROGRAM_NAME} not found on PATH; kubectl cannot run it`,
      suggestion: `Add the folder of ${PROGRAM_NAME} to PATH.`,
    }
  }
  const path = escaped(first.path)
  if (first.isSelf) return okCheck('plugin', path)
  return {
    id: 'plugin',
    state: 'broken',
    message: `another program is first on PATH, and kubectl runs it: ${path}`,
    suggestion: disabled(first),
  }
}

function laterCheck(file: ProgramFile): Check[] {
  if (file.isSelf) return []
  const message = `another ${PROGRAM_NAME} is later on PATH: ${escaped(file.path)}`
  return [{id: 'plugin', state: 'warning', message, suggestion: disabled(file)}]
}

function longerCheck(file: ProgramFile, commands: readonly string[]): Check {
  const path = escaped(file.path)
  const words = wordsOf(file)
  const hidden = commands.filter(command => isPrefix(words, command.split(' ')))
  if (hidden.length > 0) {
    const message = `instead of ${listSome(hidden)}, kubectl runs ${path}`
    return {id: 'plugin', state: 'broken', message, suggestion: disabled(file)}
  }
  const longerThan = commands.find(command => isPrefix(command.split(' '), words))
  if (longerThan === undefined)
    return okCheck('plugin', `${path} adds the command ${escaped(words.join(' '))}`)
  const rest = words.slice(longerThan.split(' ').length).join(' ')
  const message = `instead of ${longerThan} with the argument ${escaped(rest)}, kubectl runs ${path}`
  return {id: 'plugin', state: 'warning', message, suggestion: disabled(file)}
}

/**
 * The words of the command that a file implements: kubectl joins them with dashes, and a dash within one is an
 * underscore.
 */
function wordsOf({name}: ProgramFile): readonly string[] {
  return name
    .slice(PROGRAM_NAME.length + 1)
    .split('-')
    .map(word => word.replaceAll('_', '-'))
}

function isPrefix(words: readonly string[], of: readonly string[]): boolean {
  return words.every((word, index) => of[index] === word)
}

/** kubectl runs executable files only; the file itself is kept, since it can belong to another program. */
function disabled({path}: ProgramFile): string {
  return `chmod -x ${shellWord(path)}`
}

/** The output of `kubectl version --client --output=json`, or the reason why it could not be run. */
export type KubectlOutput =
  | {readonly kind: 'absent'}
  | {readonly kind: 'failed'; readonly reason: string}
  | {readonly kind: 'printed'; readonly text: string}

/**
 * The first release that runs plugins from PATH, and the number of minor versions by which it may differ from its
 * server.
 */
const FIRST_WITH_PLUGINS: Release = {major: 1, minor: 12}
const MAX_SKEW = 1
const KUBECTL_PAGE = 'https://kubernetes.io/docs/tasks/tools/'

/**
 * Checks the age of kubectl, also against the server if its release is known
 * (https://kubernetes.io/releases/version-skew-policy/#kubectl).
 */
export function checkKubectl(output: KubectlOutput, server: Release | undefined): Check {
  const problem = (message: string, state: 'warning' | 'broken' = 'warning'): Check => {
    const release = server ?? FIRST_WITH_PLUGINS
    const wanted = `kubectl ${release.major}.${release.minor}${server === undefined ? ' or later' : ''}`
    return {id: 'kubectl', state, message, suggestion: `Install ${wanted}: ${KUBECTL_PAGE}`}
  }
  if (output.kind === 'absent') return problem('not found on PATH')
  if (output.kind === 'failed') return problem(`cannot run kubectl: ${escaped(output.reason)}`)
  const {text, release} = kubectlVersion(output.text)
  if (release === undefined) return problem('cannot read the version of kubectl')
  if (compareReleases(release, FIRST_WITH_PLUGINS) < 0) {
    return problem(`${text} is too old to run plugins`, 'broken')
  }
  const skew = server === undefined ? 0 : release.minor - server.minor
  if (Math.abs(skew) <= MAX_SKEW) return okCheck('kubectl', text)
  const age = `${Math.abs(skew)} minor versions ${skew < 0 ? 'older' : 'newer'} than the server`
  return problem(`${text} is ${age}; at most ${MAX_SKEW} is supported`)
}

function kubectlVersion(printed: string): {readonly text: string; readonly release: Release | undefined} {
  try {
    const text = asText(asObject(asObject(parseExactJson(printed)).clientVersion).gitVersion)
    return {text: escaped(text), release: releaseIn(text)}
  } catch {
    return {text: '', release: undefined}
  }
}

/** Checks the version of Node.js against a minimum such as `>=20.19`. */
export function checkNode(version: string, minimum: string): Check {
  const [actual, least] = [releaseIn(version), releaseIn(minimum.replace(/^>=/, ''))]
  const isOld = actual !== undefined && least !== undefined && compareReleases(actual, least) < 0
  if (!isOld) return okCheck('node', version)
  return {
    id: 'node',
    state: 'broken',
    message: `Node.js ${version} is not supported`,
    suggestion: `Install Node.js ${least.major}.${least.minor} or later: https://nodejs.org/`,
  }
}
