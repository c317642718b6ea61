import {expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {crossplane} from '../cluster/servers.js'
import {AdoptedCluster} from '../xpkg/core/adopted-clusters.js'
import type {Core} from '../xpkg/core/describe-core.js'
import {type AdoptedRepository, adoptedRepository, bootstrap} from './adopted-repository.js'
import type {Reconciler, ReconcilerKind} from './describe-reconciled.js'
import {addHealthChecks} from './programs.js'

const CORE = `--core-version v${crossplane.version}`
const COMMITTED = '--git . --push --yes --context test'

const NOT_FOUND = 1
const ENTRY_TO_ADD = /Add "(- package: [^"]+)" to packages/

/** A controller beside a cluster, and the repository that it applies. */
export interface CommittingController {
  readonly repository: AdoptedRepository
  readonly reconciler: Reconciler
}

/** Starts a controller on an empty repository. */
export async function committingController(
  temporary: string,
  {cluster}: Core,
  kind: ReconcilerKind,
): Promise<CommittingController> {
  const repository = await adoptedRepository(mkdtempSync(join(temporary, 'home-')), cluster.kubeconfig)
  const reconciler = await kind.start(cluster, repository.url, repository.files)
  await bootstrap(cluster, kind, repository.url)
  return {repository, reconciler}
}

type Parts = ConstructorParameters<typeof AdoptedCluster>

/**
 * A cluster that is adopted by commits which a controller applies. What is not healthy keeps its controller waiting, so that only
 * requests that stay out of the tree are broken.
 */
export class CommittedCluster extends AdoptedCluster {
  readonly #kind: ReconcilerKind
  readonly #start: () => Promise<CommittingController>
  #running: CommittingController | undefined

  constructor(
    [core, cluster, choices]: Parts,
    kind: ReconcilerKind,
    start: () => Promise<CommittingController>,
  ) {
    const broken = cluster.broken.filter(({spec}) => !JSON.stringify(spec).includes('runtimeConfigRef'))
    super(core, {...cluster, broken, paused: []}, choices)
    this.#kind = kind
    this.#start = start
  }

  protected override async adopt(): Promise<void> {
    const {repository, reconciler} = (this.#running = await this.#start())
    const flags = this.#kind.flags(repository.url).join(' ')
    await this.#shell([0], 'git rm -rq --ignore-unmatch . && git clean -fdq')
    const {stderr} = await this.#shell([0], `kubectl crossplane package import ${CORE} ${flags}`)
    this.expectFindings(stderr, repository.files.read('crossplane-packages.yaml'))
    await this.#shell([0], 'kubectl crossplane package render --output-dir packages')
    await this.#shell([0], 'kubectl crossplane package check')
    const commit = repository.commit({})
    await addHealthChecks(this.core.cluster.kube, repository.files)
    await reconciler.startTree('packages')
    await reconciler.reconciled(commit)
    // Flux takes fields over from other managers when it applies an object again.
    await reconciler.reconciled(repository.commit({'README.md': 'The packages of the cluster.\n'}))
  }

  protected override async upgrade(
    references: readonly string[],
    _isSafe: boolean,
    statuses: readonly number[],
  ): Promise<number | null> {
    const upgrade = `kubectl crossplane package upgrade ${references.join(' ')} ${COMMITTED}`
    const {status, stderr} = await this.#shell([...statuses, NOT_FOUND], upgrade)
    const [, entry] = ENTRY_TO_ADD.exec(stderr) ?? []
    if (status === NOT_FOUND && entry !== undefined) return await this.#withEntry(entry, references, statuses)
    expect(statuses).toContain(status)
    if (status === 0) await this.#reconciled()
    return status
  }

  /** Adds the entry that an error names, for a package that only others require, and tries again; it stays out if that is rejected. */
  async #withEntry(
    entry: string,
    references: readonly string[],
    statuses: readonly number[],
  ): Promise<number | null> {
    const {repository} = this.#running!
    const path = 'crossplane-packages.yaml'
    const before = repository.files.read(path)
    repository.commit({[path]: before.replace(/^packages:\n/m, `$&${entry}\n`)})
    const status = await this.upgrade(references, true, statuses)
    if (status !== 0) repository.commit({[path]: before})
    return status
  }

  /** Two commits with a step by a command between them; the second one is that of the next upgrade. */
  protected override async withoutResolver(isPossible: boolean): Promise<boolean> {
    const statuses = isPossible ? [0] : [0, 1, 3, 5, 6]
    const setting = 'kubectl crossplane package upgrade --git . --push --yes --resolver=off --change-settings'
    const declared = this.#running!.repository.files.read('crossplane-packages.yaml')
    // A pin by tag in an entry takes precedence over flags, and is edited by hand before.
    const isByTag = /^ {2}pin: tag$/m.test(declared)
    const committed = await this.#shell(isByTag ? [0, 2] : statuses, setting)
    if (committed.status !== 0) return false
    // The tree waits for the Lock from now on, for which Argo CD needs a check.
    await addHealthChecks(this.core.cluster.kube, this.#running!.repository.files)
    await this.#reconciled()
    const step = `kubectl crossplane package upgrade --resolver=off --context test --yes ${CORE} --timeout 120s`
    return (await this.#shell(statuses, step)).status === 0
  }

  /** The controller leaves the objects; it is there for the next round. */
  override async end(): Promise<void> {
    await this.#running?.reconciler.stopTree('packages')
  }

  async #reconciled(): Promise<void> {
    const {reconciler, repository} = this.#running!
    await reconciler.reconciled(repository.head())
  }

  async #shell(statuses: readonly number[], script: string) {
    const result = await this.#running!.repository.shell(script)
    const {status, stdout, stderr} = result
    this.story.push(`$ ${script}: ${status}\n${stderr}${status === 0 ? '' : stdout}`)
    expect(statuses).toContain(status)
    return result
  }
}
