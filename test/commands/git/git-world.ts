import {afterAll, beforeAll, expect} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {chmodSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli} from '../../run-cli.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {APP_YAML, owner, prefixed} from '../locked-world.js'
import {setVariable} from '../../set-variable.js'

/** An identity that only the environment has, and no configuration of the machine. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'A U Thor',
  GIT_AUTHOR_EMAIL: 'author@example.org',
  GIT_COMMITTER_NAME: 'C O Mitter',
  GIT_COMMITTER_EMAIL: 'committer@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

/** Runs work with other variables of this process; undefined removes one. */
export async function withVariables<T>(
  variables: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.fromEntries(Object.keys(variables).map(name => [name, process.env[name]]))
  setVariables(variables)
  try {
    return await work()
  } finally {
    setVariables(before)
  }
}

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    setVariable(name, value)
  }
}

/** Runs a program with the variables of this process, which jest otherwise hides, and returns its output. */
export function runTool(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: {...process.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The repositories of a suite, with the folder of packages that they all use. */
export class GitWorlds {
  readonly #folder = temporaryFolder()
  readonly packages = join(this.#folder, 'packages')

  constructor() {
    const before = Object.fromEntries(Object.keys(IDENTITY).map(name => [name, process.env[name]]))
    beforeAll(() => {
      setVariables(IDENTITY)
      writeTree(this.#folder, prefixed('packages/', PACKAGES))
    })
    afterAll(() => setVariables(before))
  }

  /** A new folder. */
  folder(): string {
    return mkdtempSync(join(this.#folder, 'world-'))
  }

  /** A bare copy of a repository, which accepts pushes over HTTP. */
  bare(from: Repository = this.repository()): Repository {
    const bare = new Repository(this.folder(), this.packages)
    bare.git('clone', '--quiet', '--bare', `file://${from.root}`, '.')
    bare.git('config', 'http.receivepack', 'true')
    bare.git('config', 'uploadpack.allowFilter', 'true')
    return bare
  }

  /** A clone of a repository. */
  clone(from: Repository, ...flags: readonly string[]): Repository {
    const clone = new Repository(this.folder(), this.packages)
    clone.git('clone', '--quiet', ...flags, `file://${from.root}`, '.')
    return clone
  }

  /** A repository with one commit, unless it is to have none. */
  repository(files: Readonly<Record<string, string>> = {'README.md': 'ours\n'}): Repository {
    const repository = new Repository(this.folder(), this.packages)
    repository.git('init', '--quiet', '--initial-branch=main')
    if (Object.keys(files).length === 0) return repository
    writeTree(repository.root, files)
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message=first')
    return repository
  }
}

/** The files of a package whose permissions and CRDs are for a namespace. */
function inNamespaces(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const renamed = (text: string) => text.replace(/([sS]cope): Cluster/, '$1: Namespaced')
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, renamed(text)]))
}

/**
 * `x/app` requires a CRD of `x/as`. `x/site` requires it only in its first version. `x/web` requires a CRD of `x/parts`;
 * both are for namespaces. They name the packages, too: no owner has to be confirmed. `x/bs` has two versions.
 */
const PACKAGES = {
  'x/site@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{package: x/as}, {crd: as.x.example.org}]\n`,
  'x/site@v2.0.0/.registry/app.yaml': `version: v2.0.0\n${APP_YAML}`,
  ...inNamespaces({
    'x/web@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{package: x/parts}, {crd: parts.x.example.org}]\n`,
  }),
  ...inNamespaces(owner('v1.0.0', 'parts', 'v1')),
  'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{package: x/as}, {crd: as.x.example.org}]\n`,
  ...owner('v1.0.0', 'as', 'v1'),
  ...owner('v1.0.0', 'bs', 'v1'),
  ...owner('v2.0.0', 'bs', 'v1'),
}

/** Runs a command for a folder or a URL. */
export function runAt(
  git: string,
  packages: string,
  command: string,
  ...args: readonly string[]
): Promise<CliResult> {
  return runCli('package', command, ...args, '--git', git, '--packages', packages, '--yes', '--quiet')
}

/** A declaration without packages, whose tree is in another folder. */
export const OTHER_OUTPUT = [
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1',
  'kind: PackageDeclaration',
  'output: rendered/production',
  'packages: []',
  '',
].join('\n')

/** A repository, and the program that commits to it. */
export class Repository {
  readonly root: string
  readonly #packages: string

  constructor(root: string, packages: string) {
    this.root = root
    this.#packages = packages
  }

  git(...args: readonly string[]): string {
    return runTool('git', '-C', this.root, ...args)
  }

  at(path: string): string {
    return join(this.root, path)
  }

  text(path: string): string {
    return readFileSync(this.at(path), 'utf8')
  }

  write(files: Readonly<Record<string, string>>): void {
    writeTree(this.root, files)
  }

  serverHook(name: string, script: string): void {
    this.hook(name, script, 'hooks')
  }

  hook(name: string, script: string, folder = '.git/hooks'): void {
    const path = this.at(`${folder}/${name}`)
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }

  run(command: string, ...args: readonly string[]): Promise<CliResult> {
    return runAt(this.root, this.#packages, command, ...args)
  }

  install = (...args: readonly string[]) => this.run('install', ...args)
  upgrade = (...args: readonly string[]) => this.run('upgrade', ...args)

  async committed(run: Promise<CliResult>): Promise<void> {
    const {status, stderr} = await run
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringMatching(/: (?:committed|pushed) /)})
  }

  /** The number of commits. */
  commits(): number {
    return Number(this.git('rev-list', '--count', 'HEAD'))
  }

  /** What differs from HEAD; nothing after a commit. */
  status(): string {
    return this.git('status', '--porcelain', '--untracked-files=all')
  }
}
