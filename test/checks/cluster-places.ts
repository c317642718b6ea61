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
export const CLUSTER_PLACES = [
  '--git --context',
  'install',
  'upgrade',
  'move',
] as const satisfies readonly Place[]
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
    {isInstalled, isMove = false}: {readonly isInstalled: boolean; readonly isMove?: boolean},
    root: string,
    readonly cluster: TestCluster,
    readonly ways: ClusterWays,
  ) {
    this.#bench = new Bench(mkdtempSync(join(root, 'cluster-')), ways.format, fixture, {
      ...ways,
      run: (...words: string[]) => runIn(cluster, ...words),
    })
    const {before, after} = fixture
    const others = isMove ? after.filter(one => one !== movedOf(fixture)) : []
    const harmlessOnes = after.filter(one => !others.includes(one)).map(one => harmless(one))
    this.#former = before ?? (isInstalled ? [...others, ...harmlessOnes] : [])
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
    const {before, after, requested} = this.fixture
    if (place === '--git --context') return await this.#bench.changeInGit('--context', 'test')
    if (place === 'move') return await this.#move()
    // Without a lock, a tag that has other content now is just that.
    if (before !== undefined && !this.#bench.isUpgrade)
      return await this.#run(place, '--declaration', this.#bench.declaration, '--no-wait')
    const judged = this.#judged()
    const names = (requested ?? tagged(after)).map(this.ways.own)
    for (const name of names.slice(0, -1)) {
      const result = await this.#run(place, name, ...judged, ...this.ways.waiting)
      if (result.status !== 0) return result
    }
    return await this.#run(place, names.at(-1)!, ...judged, '--no-wait')
  }

  /** Moves a package to another repository, in its version after. */
  async #move(): Promise<CliResult> {
    const {name, tag, ...content} = movedOf(this.fixture)!
    const moved = {...content, name: `new-${name}`, tag}
    await this.#bench.author([moved])
    if (this.fixture.yanked?.some(one => one.tag === tag) === true)
      await this.ways.yank?.(this.ways.own(reference(moved.name, tag)))
    const places = [reference(name), reference(moved.name, tag)].map(this.ways.own)
    const flags = [...this.#judged(), ...this.#bench.from, '--dry-run=client']
    return await this.#bench.run('package', 'move', ...places, ...flags)
  }

  /** The policy of the fixture, as flags. */
  #judged(): readonly string[] {
    const {policy} = this.fixture
    if (policy === undefined) return []
    writeTree(this.#bench.root, {
      'policy.yaml': this.ways.own(writeYaml([{apiVersion: API, kind: 'Policy', ...policy}])),
    })
    return ['--policy', join(this.#bench.root, 'policy.yaml')]
  }

  /** Changes all requested packages by one command, which selects their newest versions. */
  async changeAll(place: Exclude<ClusterPlace, 'move'>): Promise<CliResult> {
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

/** The Provider of a fixture that moves: the last one. */
function movedOf({after}: Fixture): Authored | undefined {
  return after.findLast(({kind = 'Provider'}) => kind === 'Provider')
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
