import {expect} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {bundledProgram, givenProgram} from '../built-program.js'
import {accepted, until} from '../cluster/kube.js'
import {runProgram} from '../run-program.js'
import {writeTree} from '../temporary-folder.js'
import type {Core} from '../xpkg/core/describe-core.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {serveGit} from './git-server.js'
import {createAll} from './programs.js'

/** A repository whose files a controller applies, with a shell in its clone for the commands that the program prints. */
export interface AdoptedRepository {
  /** As a controller reads it. */
  readonly url: string
  /** The clone. */
  readonly root: string
  readonly files: {read(path: string): string; has(path: string): boolean}
  /** Writes, commits and pushes files; returns the commit. */
  commit(files: Readonly<Record<string, string>>): string
  head(): string
  /** Runs commands as a user pastes them. */
  shell(
    script: string,
  ): Promise<{readonly status: number | null; readonly stdout: string; readonly stderr: string}>
  /** The same for commands that must succeed; returns what they print. */
  paste(script: string): Promise<string>
  close(): Promise<void>
}

/** Makes a repository in a folder, with a server for it, and a shell that reaches a cluster. */
export async function adoptedRepository(folder: string, kubeconfig: string): Promise<AdoptedRepository> {
  const server = await serveGit(folder)
  const [clone, bin] = [join(folder, 'clone'), join(folder, 'bin')]
  mkdirSync(clone)
  mkdirSync(bin)
  symlinkSync(givenProgram() ?? bundledProgram(), join(bin, 'kubectl-crossplane'))
  const PATH = [bin, process.env.PATH ?? ''].join(delimiter)
  const env = {PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', KUBECONFIG: kubeconfig}
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {cwd: clone, env, encoding: 'utf8'}).trim()
  const bare = join(folder, 'repository.git')
  git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'suite')
  git('config', 'user.email', 'suite@example.org')
  git('config', 'push.autoSetupRemote', 'true')
  git('remote', 'add', 'origin', bare)
  const shell = (script: string) => runProgram('bash', ['-euo', 'pipefail', '-c', script], {cwd: clone, env})
  return {
    url: `${server.url}/repository.git`,
    root: clone,
    files: {
      read: path => readFileSync(join(clone, path), 'utf8'),
      has: path => existsSync(join(clone, path)),
    },
    commit(files) {
      writeTree(clone, files)
      git('add', '--all')
      git('commit', '--quiet', '--message=Request packages')
      git('push', '--quiet')
      return git('rev-parse', 'HEAD')
    },
    head: () => git('rev-parse', 'HEAD'),
    shell,
    async paste(script) {
      const {status, stdout, stderr} = await shell(script)
      expect({script, status, stderr: status === 0 ? '' : `${stdout}${stderr}`}).toEqual({
        script,
        status: 0,
        stderr: '',
      })
      return `${stdout}${stderr}`
    },
    close: () => server.close(),
  }
}

/** Makes the source of Flux, as its bootstrap does; Argo CD has it in each Application. */
export async function bootstrap({kube}: Core['cluster'], kind: ReconcilerKind, url: string): Promise<void> {
  const source = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: {name: 'flux-system', namespace: 'flux-system'},
    spec: {interval: '1m', ref: {branch: 'main'}, url},
  }
  if (kind.layout === 'flux') await createAll(kube, [source])
}

/** A step of the program: what is done, and how it is checked. */
export interface PrintedStep {
  readonly commands: string
  readonly checks: string
}

/** Returns the steps in what `package import` printed. */
export function printedSteps(text: string): readonly PrintedStep[] {
  return text
    .split(/^(?=# Step \d)/m)
    .slice(1)
    .map(step => {
      const end = step.search(/^# Check, (?:once|before)/m)
      return {commands: step.slice(0, end), checks: step.slice(end)}
    })
}

/** A request as a team writes it. */
export function requestText(kind: string, name: string, reference: string): string {
  return `apiVersion: pkg.crossplane.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n  package: ${reference}\n`
}

/** The custom resources of a suite. */
const INSTANCES = ['Base', 'Net'].map(kind => ({
  apiVersion: 'core.example.org/v1',
  kind,
  metadata: {name: 'mine'},
}))

/** Creates a custom resource of each kind of the packages. */
export async function createInstances({kube}: Core['cluster']): Promise<void> {
  for (const object of INSTANCES)
    await until(
      () => kube.apply(object, {force: true}),
      ({code}) => code < 300,
    )
}

const LISTS = [
  ...['providers', 'functions', 'configurations'].map(name => `/apis/pkg.crossplane.io/v1/${name}`),
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
]

/** Returns the UIDs of requests, of the CRDs of packages, and of custom resources: what is deleted and created again has others. */
export async function uidsOf({kube}: Core['cluster']): Promise<readonly string[]> {
  const lists = await Promise.all(LISTS.map(async path => accepted(await kube.send('GET', path))))
  const instances = await Promise.all(INSTANCES.map(async object => (await kube.get(object)).body))
  const line = ({kind, metadata}: JsonObject) => {
    const {name, uid} = asObject(metadata)
    return `${asText(kind)} ${asText(name)} ${asText(uid)}`
  }
  const listed = lists.flatMap(({items}) => asObjects(items).map(line))
  // Built-in kinds are not named in lists.
  const isOwn = (text: string) => !text.startsWith(' ') || text.includes('.core.example.org ')
  return [...listed.filter(isOwn), ...instances.map(line)].sort()
}
