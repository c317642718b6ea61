import {cpSync, mkdirSync} from 'node:fs'
import {basename, join} from 'node:path'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {runTool} from '../commands/git/git-world.js'
import {type CliResult, runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {type Authored, type Format, ownNames, packageFiles, type Place, reference} from './worlds.js'

/** What a check is tried on: packages that are in use, those that come next, and the settings of the user. */
export interface Fixture {
  /** In use before; without any, the packages are requested for the first time. */
  readonly before?: readonly Authored[]
  /** The last one is the one that is checked by itself. */
  readonly after: readonly Authored[]
  /** The requested packages; by default, all of `after`. */
  readonly requested?: readonly string[]
  /** Fields of a policy. */
  readonly policy?: JsonObject
  /** What an index yanks once `after` is published: all packages are in a registry then. */
  readonly yanked?: readonly Pick<Authored, 'name' | 'tag'>[]
}

/** Where a bench reads packages from, and by which names. */
export interface BenchSource {
  /** Gives the packages of a fixture their names, in any text. */
  readonly own: (text: string) => string
  /** Flags of each command; by default, those that read the folder of the bench. */
  readonly from?: readonly string[]
  /** Publishes the package of a folder; by default, it is read from there. */
  readonly publish?: (one: Authored, folder: string) => Promise<void>
  /** Yanks a version in the index of the bench. */
  readonly yank?: (name: string) => Promise<void>
  /** Runs the program; by default, without a cluster. */
  readonly run?: typeof runCli
}

/** A folder with packages, a declaration and what was made of them. */
export class Bench {
  readonly packages: string
  readonly #home: string
  /** Flags that say where packages are read from. */
  readonly from: readonly string[]
  readonly run: typeof runCli

  constructor(
    readonly root: string,
    readonly format: Format,
    readonly fixture: Fixture,
    private readonly source: BenchSource = {own: text => text},
  ) {
    this.packages = join(root, 'packages')
    this.#home = join(root, 'home')
    this.run = source.run ?? runCli
    this.from = source.from ?? ['--packages', this.packages, '--offline']
    mkdirSync(this.#home, {recursive: true})
  }

  get declaration(): string {
    return join(this.#home, 'crossplane-packages.yaml')
  }

  get lockFile(): string {
    return join(this.#home, 'crossplane-packages.lock')
  }

  own(text: string): string {
    return this.source.own(text)
  }

  async author(packages: readonly Authored[]): Promise<void> {
    const made = packages.filter(({source}) => source === undefined)
    const files = Object.entries(packageFiles(this.format, made))
    writeTree(
      this.packages,
      Object.fromEntries(files.map(([path, text]) => [this.own(path), this.own(text)])),
    )
    for (const one of packages)
      if (one.source !== undefined)
        cpSync(one.source, this.folderOf(one), {recursive: true, filter: isOfPackage})
    for (const one of packages) await this.source.publish?.(one, this.folderOf(one))
  }

  /** Publishes what comes next. */
  async authorNext(): Promise<void> {
    const {after, yanked = []} = this.fixture
    await this.author(after)
    for (const {name, tag} of yanked) await this.source.yank?.(this.own(reference(name, tag)))
  }

  folderOf({name, tag}: Pick<Authored, 'name' | 'tag'>): string {
    return join(this.packages, this.source.own(`example/${name}@${tag}`))
  }

  declare(policy?: JsonObject): void {
    const names = this.fixture.requested ?? this.fixture.after.map(({name}) => reference(name))
    const {own} = this.source
    const declaration = {
      ...{apiVersion: API, kind: 'PackageDeclaration'},
      ...(policy === undefined ? {} : {policy: 'policy.yaml'}),
      packages: [...new Set(names)].map(name => ({package: name})),
    }
    writeTree(this.#home, {
      'crossplane-packages.yaml': own(writeYaml([declaration])),
      ...(policy === undefined
        ? {}
        : {'policy.yaml': own(writeYaml([{apiVersion: API, kind: 'Policy', ...policy}]))}),
    })
  }

  async publish(verb: 'lint' | 'build' | 'push', host: string): Promise<CliResult> {
    const {name, tag} = this.fixture.after.at(-1)!
    const source = this.folderOf({name, tag})
    const targets = {
      lint: [],
      build: [`oci:${join(this.root, 'built')}:${tag}`],
      push: [`${host}/${basename(this.root).toLowerCase()}/${name}:${tag}`],
    }
    return await runCli('package', verb, ...targets[verb], source)
  }

  /** Locks `after`; what changes under the same tag is not an upgrade. */
  async lock(): Promise<CliResult> {
    return await this.lockFirst(...(this.isUpgrade ? ['--upgrade'] : []))
  }

  async lockFirst(...flags: readonly string[]): Promise<CliResult> {
    return await this.#run('package', 'lock', ...flags)
  }

  /** Whether the fixture has other versions than before, and not other content of the same ones. */
  get isUpgrade(): boolean {
    const {before = [], after} = this.fixture
    const tags = new Set(before.map(({tag}) => tag))
    return before.length > 0 && !after.every(({tag}) => tags.has(tag))
  }

  /** Locks and renders what is in use before. */
  async locked(): Promise<void> {
    expectDone(await this.lockFirst())
    expectDone(await this.render('--locked'))
  }

  async render(...flags: readonly string[]): Promise<CliResult> {
    return await this.#run('package', 'render', '--output-dir', join(this.#home, 'packages'), ...flags)
  }

  async check(): Promise<CliResult> {
    return await this.#run('package', 'check')
  }

  async bundle(): Promise<CliResult> {
    return await this.#run('bundle', 'create', '--dry-run=client')
  }

  async changeInGit(...flags: readonly string[]): Promise<CliResult> {
    const git = (...args: readonly string[]) => runTool('git', '-C', this.#home, ...args)
    git('init', '--quiet', '--initial-branch=main')
    git('config', 'user.name', 'A U Thor')
    git('config', 'user.email', 'author@example.org')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Before')
    const {own} = this.source
    const {before, after} = this.fixture
    // An upgrade accepts other content of the same tag.
    const change =
      before !== undefined && !this.isUpgrade
        ? ['install', ...after.map(({name}) => own(reference(name)))]
        : ['upgrade']
    return await this.run('package', ...change, '--git', this.#home, ...this.from, '--yes', ...flags)
  }

  async #run(...words: readonly string[]): Promise<CliResult> {
    return await this.run(...words, '--declaration', this.declaration, ...this.from)
  }
}

/** Some folders of a corpus have files of other programs. */
function isOfPackage(path: string): boolean {
  return !['auth.yaml', 'kustomize'].includes(basename(path))
}

/** Of policies and declarations. */
export const API = 'packages.kubectl-crossplane.dev/v1alpha1'

/** Tries a fixture at a place that needs no cluster, below a new folder; returns the result of the last command. */
export async function tryAt(
  place: Place,
  format: Format,
  fixture: Fixture,
  {root, host}: {readonly root: string; readonly host: string},
): Promise<CliResult> {
  const {before, after, policy, yanked} = fixture
  const name = basename(root).toLowerCase()
  const source = yanked && indexed({own: ownNames(name, host)}, `${host}/${name}/index`)
  const bench = new Bench(root, format, fixture, source)
  if (place === 'lint' || place === 'build' || place === 'push') {
    await bench.author(after)
    return await bench.publish(place, host)
  }
  bench.declare()
  if (before !== undefined) {
    await bench.author(before)
    await bench.locked()
  }
  await bench.authorNext()
  await prepare(place, bench)
  bench.declare(policy)
  return await runAt(place, bench)
}

/** Makes what a place reads with the settings of before: without the policy, which is what the place is to find. */
async function prepare(place: Place, bench: Bench): Promise<void> {
  if (place === 'render' || place === 'check' || place === 'bundle') await bench.lock()
  if (place === 'check') await bench.render()
}

async function runAt(place: Place, bench: Bench): Promise<CliResult> {
  switch (place) {
    case 'lock':
      return await bench.lock()
    case 'render':
      return await bench.render()
    case 'check':
      return await bench.check()
    case '--git':
      return await bench.changeInGit()
    case 'bundle':
      return await bench.bundle()
    default:
      throw new Error(`${place} needs a cluster`)
  }
}

/** Publishes packages in their registry and in an index, from which versions are read. */
export function indexed<Source extends BenchSource>(source: Source, root: string): Source {
  const {own, from = []} = source
  const index = ['--index', root]
  return {
    ...source,
    from: [...from, ...index],
    publish: async ({name, tag}, folder) => {
      const words = ['push', own(reference(name, tag)), folder, '--force', '--no-lint']
      expectDone(await runCli('package', ...words, ...index))
    },
    yank: async name =>
      expectDone(await runCli('registry', 'index', 'yank', name, '--reason', 'it is broken', ...index)),
  }
}

/** Throws for a command that failed. */
export function expectDone({status, stderr}: CliResult): void {
  if (status !== 0) throw new Error(`the world cannot be made: ${stderr}`)
}
