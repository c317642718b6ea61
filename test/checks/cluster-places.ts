import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import type {TestCluster} from '../cluster/api-server.js'
import {accepted} from '../cluster/kube.js'
import {runIn} from '../commands/cluster/installing.js'
import type {CliResult} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {API, Bench, type BenchSource, expectDone, type Fixture} from './places.js'
import {type Authored, type Format, harmless, kindOf, type Place, reference, tagged} from './worlds.js'

/** The places that need a cluster. */
export const CLUSTER_PLACES = ['--git --context', 'install', 'upgrade'] as const satisfies readonly Place[]
export type ClusterPlace = (typeof CLUSTER_PLACES)[number]

/** How packages of a format get into a cluster. */
export interface ClusterWays extends BenchSource {
  readonly format: Format
  /** Flags of `package install`. */
  readonly installing: readonly string[]
  /** Flags that say how long a command waits before another one follows. */
  readonly waiting: readonly string[]
}

/** A fixture in a cluster, for some of the places. */
export class ClusterWorld {
  readonly #bench: Bench
  readonly #former: readonly Authored[]

  constructor(
    readonly fixture: Fixture,
    isInstalled: boolean,
    root: string,
    readonly cluster: TestCluster,
    readonly ways: ClusterWays,
  ) {
    this.#bench = new Bench(mkdtempSync(join(root, 'cluster-')), ways.format, fixture, {
      ...ways,
      run: (...words: string[]) => runIn(cluster, ...words),
    })
    const {before, after} = fixture
    this.#former = before ?? (isInstalled ? after.map(one => harmless(one)) : [])
  }

  /** Publishes what is in use before; returns the references to install. */
  async publish(): Promise<readonly string[]> {
    await this.#bench.author(this.#former)
    if (this.#former.length === 0) return []
    return (this.fixture.requested ?? tagged(this.#former)).map(this.ways.own)
  }

  async install(references: readonly string[]): Promise<void> {
    for (const name of references) expectDone(await this.#run('install', name, '--no-wait'))
  }

  /** Creates a custom resource of each kind that is installed, locks and renders it for a tree, and publishes what comes next. */
  async use(): Promise<void> {
    const {before} = this.fixture
    for (const object of customResources(before ?? []))
      accepted(await this.cluster.kube.create({...object, apiVersion: this.ways.own(object.apiVersion)}))
    this.#bench.declare()
    if (before !== undefined) await this.#bench.locked()
    await this.#bench.authorNext()
    this.#bench.declare(this.fixture.policy)
  }

  /** Tries a place; returns the result of the command that failed, or else of the last one. */
  async tryAt(place: ClusterPlace): Promise<CliResult> {
    const {before, after, requested, policy} = this.fixture
    if (place === '--git --context') return await this.#bench.changeInGit('--context', 'test')
    // Without a lock, a tag that has other content now is just that.
    if (before !== undefined && !this.#bench.isUpgrade)
      return await this.#run(place, '--declaration', this.#bench.declaration, '--no-wait')
    const file = join(this.#bench.root, 'policy.yaml')
    writeTree(this.#bench.root, {
      'policy.yaml': this.ways.own(writeYaml([{apiVersion: API, kind: 'Policy', ...policy}])),
    })
    const judged = policy === undefined ? [] : ['--policy', file]
    const names = (requested ?? tagged(after)).map(this.ways.own)
    for (const name of names.slice(0, -1)) {
      const result = await this.#run(place, name, ...judged, ...this.ways.waiting)
      if (result.status !== 0) return result
    }
    return await this.#run(place, names.at(-1)!, ...judged, '--no-wait')
  }

  /** Changes all requested packages by one command, which selects their newest versions. */
  async changeAll(place: ClusterPlace): Promise<CliResult> {
    const {before = [], after, requested = []} = this.fixture
    const names = requested.map(this.ways.own)
    if (place === '--git --context') return await this.#bench.changeInGit('--context', 'test')
    // What a change does to custom resources is not judged in Git.
    const flags = ['--no-wait', '--accept-impact']
    if (place === 'upgrade') return await this.#run(place, ...names, ...flags)
    const file = join(this.#bench.root, 'next/crossplane-packages.yaml')
    // Without a tag, what is installed stays.
    const newest = new Map(
      [...before, ...after].map(({name, tag}) => [reference(name), reference(name, tag)]),
    )
    const packages = requested.map(name => ({package: newest.get(name) ?? name}))
    const declaration = writeYaml([{apiVersion: API, kind: 'PackageDeclaration', packages}])
    writeTree(this.#bench.root, {'next/crossplane-packages.yaml': this.ways.own(declaration)})
    return await this.#run(place, '--declaration', file, ...flags)
  }

  async #run(verb: 'install' | 'upgrade', ...words: readonly string[]): Promise<CliResult> {
    const {installing} = this.ways
    const flags = [...this.#bench.from, '--yes', ...(verb === 'install' ? installing : [])]
    return await this.#bench.run('package', verb, ...words, ...flags)
  }
}

/** One for each kind; those of Functions are not installed by current cores. */
function customResources(packages: readonly Authored[]) {
  const crds = packages.flatMap(({kind, crds: own = []}) => (kind === 'Function' ? [] : own))
  return crds.map(({plural, versions: [version] = ['v1']}) => ({
    apiVersion: `example.org/${version}`,
    kind: kindOf(plural),
    metadata: {name: 'mine'},
    spec: {a: 'text'},
  }))
}
