import {expect} from '@jest/globals'
import {setTimeout as sleep} from 'node:timers/promises'
import {accepted, until} from '../cluster/kube.js'
import {crossplane} from '../cluster/servers.js'
import type {Core} from '../xpkg/core/describe-core.js'
import type {AuthoredPackage} from '../xpkg/core/published-packages.js'
import {asObject, asObjects, asText} from '../../src/yaml/json-value.js'
import type {AdoptedRepository} from './adopted-repository.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {documentsIn} from './programs.js'

/** What is pushed; the clone is that of the command. */
const BARE = 'git --git-dir ../repository.git'
const IS_MOVING = `${BARE} show main:moves/crossplane-packages.lock | grep '^moving:'`
const FLAGS = `--path moves --git . --push --yes`
const HOME = 'moves/packages'
const MINE = {apiVersion: 'core.example.org/v1', kind: 'Own', metadata: {name: 'mine'}}
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/owns.core.example.org'
const PROVIDERS = '/apis/pkg.crossplane.io/v1/providers'

/** The packages that move, below a host. */
export function movingPackages(host: string): readonly AuthoredPackage[] {
  return ['market/sql', 'community/sql'].map(path => ({
    ...{repository: `${host}/${path}`, tag: 'v1.0.0', kind: 'Provider', requires: [], defines: 'Own'},
  }))
}

/** Which of both requests of the first commit is applied before the controller applies all. */
type First = 'the new request' | 'the former request'

/** A package that moves between two registries by commits, which a controller with pruning applies. */
export class MovedInGit {
  readonly #core: Core
  readonly #kind: ReconcilerKind
  readonly #repository: AdoptedRepository

  constructor(core: Core, kind: ReconcilerKind, repository: AdoptedRepository) {
    this.#core = core
    this.#kind = kind
    this.#repository = repository
  }

  /** Commits the package to a home of its own, and starts its tree. */
  async begin(): Promise<void> {
    const {files} = this.#repository
    const flags = this.#kind.flags(this.#repository.url).join(' ')
    await this.#repository.paste(
      `kubectl crossplane package install ${this.#core.host}/market/sql:v1.0.0 ${FLAGS} --core-version v${crossplane.version} ${flags}`,
    )
    const start = this.#kind.layout === 'flux' ? 'flux/start.yaml' : 'argocd/start.yaml'
    const health = 'argocd/health.yaml'
    const documents = [health, start].flatMap(path =>
      files.has(`${HOME}/${path}`) ? documentsIn(files.read(`${HOME}/${path}`)) : [],
    )
    for (const object of documents.filter(({kind}) => kind !== 'GitRepository'))
      accepted(await this.#core.cluster.kube.apply(object, {manager: 'kubectl', force: true}))
    await this.#whilePoked(() => this.#healthy('market-sql'))
    await until(
      () => this.#core.cluster.kube.apply(MINE, {force: true}),
      ({code}) => code < 300,
    )
  }

  /** Moves the package; the process may be killed in between, and goes on then. */
  async move(from: string, to: string, first: First, killedAfter?: number): Promise<void> {
    const [before, old] = [await this.#uids(), from.replace('/', '-')]
    const next = to.replace('/', '-')
    const context = `--context test --timeout 240s ${FLAGS}`
    const move = `kubectl crossplane package move ${old} ${this.#core.host}/${to} --core-version v${crossplane.version} ${context}`
    await this.#whilePoked(
      async () => {
        if (killedAfter === undefined) return await this.#repository.paste(move)
        await this.#killed(move, killedAfter)
        return await this.#repository.paste(`kubectl crossplane package move --continue ${context}`)
      },
      () => this.#applyFirst(first === 'the new request' ? next : old),
    )
    expect(await this.#uids()).toEqual(before)
    await this.#whilePoked(() => this.#healthy(next))
    // No controller makes it anew.
    await this.#whilePoked(() => sleep(8000))
    expect(await this.#names()).not.toContain(old)
    expect(await this.#uids()).toEqual(before)
    expect(await this.#repository.paste('kubectl crossplane package check --git . --path moves')).toMatch(
      /: \d+ unchanged/,
    )
  }

  /** Goes back from a move that was killed once its first commit was deployed. */
  async moveBack(from: string, to: string, killedAfter: number): Promise<void> {
    const [before, old] = [await this.#uids(), from.replace('/', '-')]
    const next = to.replace('/', '-')
    const context = `--context test --timeout 240s ${FLAGS}`
    const move = `kubectl crossplane package move ${old} ${this.#core.host}/${to} --core-version v${crossplane.version} ${context}`
    await this.#whilePoked(async () => {
      await this.#killed(move, killedAfter)
      return await this.#repository.paste(`kubectl crossplane package move --back ${context}`)
    })
    await this.#whilePoked(() => this.#healthy(old))
    expect(await this.#names()).not.toContain(next)
    expect(await this.#uids()).toEqual(before)
  }

  /** Runs a command that is killed some seconds after its first commit was pushed. */
  async #killed(command: string, seconds: number): Promise<void> {
    const output = await this.#repository.paste(`${command} > ../killed.log 2>&1 & pid=$!
      while kill -0 $pid 2> /dev/null && ! { ${IS_MOVING} > /dev/null; }; do sleep 0.2; done
      sleep ${seconds}
      kill -KILL $pid
      wait $pid || echo ended with $?
      cat ../killed.log`)
    expect(output).toContain('ended with 137')
  }

  /** Applies one file of the last commit, as a controller that comes to it first does. */
  async #applyFirst(name: string): Promise<void> {
    const {status, stdout} = await this.#repository.shell(
      `${BARE} ls-tree -r --name-only main -- ${HOME} | grep '/provider-${name}.yaml$'`,
    )
    const [path] = stdout.trim().split('\n')
    if (status !== 0 || path === undefined) return
    const file = await this.#repository.shell(`${BARE} show main:${path} && ${IS_MOVING}`)
    if (file.status !== 0) return
    const [object] = documentsIn(file.stdout.replace(/^moving.*$/m, ''))
    await this.#core.cluster.kube.apply(object ?? {}, {manager: 'first', force: true})
  }

  async #healthy(name: string): Promise<void> {
    const {kube} = this.#core.cluster
    await until(
      async () => (await kube.send('GET', `${PROVIDERS}/${name}`)).body,
      ({status}) =>
        asObjects(asObject(status).conditions).some(one => one.type === 'Healthy' && one.status === 'True'),
      120,
    )
  }

  async #names(): Promise<readonly string[]> {
    const {items} = accepted(await this.#core.cluster.kube.send('GET', PROVIDERS))
    return asObjects(items).map(({metadata}) => asText(asObject(metadata).name))
  }

  async #uids(): Promise<readonly string[]> {
    const {kube} = this.#core.cluster
    const objects = [accepted(await kube.get(MINE)), accepted(await kube.send('GET', CRD))]
    return objects.map(({metadata}) => asText(asObject(metadata).uid))
  }

  /** Requests reconciliations as long as something runs: what controllers do by themselves takes minutes. */
  async #whilePoked<T>(work: () => Promise<T>, first: () => Promise<void> = async () => {}): Promise<T> {
    const end = new AbortController()
    const poking = (async () => {
      for (let token = 0; !end.signal.aborted; token += 1) {
        await first()
        await this.#poke(`${Date.now()}-${token}`)
        await sleep(1500)
      }
    })()
    try {
      return await work()
    } finally {
      end.abort()
      await poking
    }
  }

  async #poke(token: string): Promise<void> {
    const {kube} = this.#core.cluster
    const [lists, annotations] =
      this.#kind.layout === 'flux'
        ? [
            [
              '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories',
              '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations',
            ],
            {'reconcile.fluxcd.io/requestedAt': token},
          ]
        : [
            ['/apis/argoproj.io/v1alpha1/namespaces/argocd/applications'],
            {'argocd.argoproj.io/refresh': 'hard'},
          ]
    for (const list of lists)
      for (const {metadata} of asObjects((await kube.send('GET', list)).body.items))
        await kube.send(
          'PATCH',
          `${list}/${asText(asObject(metadata).name)}`,
          {metadata: {annotations}},
          'application/merge-patch+json',
        )
  }
}
