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
const KINDS = ['Own', 'Member']
const mine = (kind: string) => ({apiVersion: 'core.example.org/v1', kind, metadata: {name: 'mine'}})
const crdOf = (kind: string) =>
  `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.toLowerCase()}s.core.example.org`
const PROVIDERS = '/apis/pkg.crossplane.io/v1/providers'

/** The packages that move, below a host. */
export function movingPackages(host: string): readonly AuthoredPackage[] {
  return ['market', 'community'].flatMap(place => {
    const version = (name: string, more: Partial<AuthoredPackage>): AuthoredPackage => ({
      ...{repository: `${host}/${place}/${name}`, tag: 'v1.0.0', kind: 'Provider', requires: []},
      ...more,
    })
    const family = {kind: 'Provider', repository: `${host}/${place}/family`, version: '>=v1.0.0'}
    return [
      version('sql', {defines: 'Own'}),
      version('family', {}),
      version('member', {defines: 'Member', requires: [family]}),
    ]
  })
}

/** What moves from one place to the other: a package, or a family with its member. */
type Moving = readonly [first: string, ...members: readonly string[]]
export const ALONE: Moving = ['sql']
export const FAMILY: Moving = ['family', 'member']

interface Move {
  readonly what: Moving
  readonly from: string
  readonly to: string
}

const namesIn = (place: string, what: Moving) => what.map(name => `${place}-${name}`)

/** Which of both requests of the first commit is applied before the controller applies all. */
type First = 'the new request' | 'the former request'

/** Packages that move between two registries by commits, which a controller with pruning applies. */
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
    await this.#repository.paste(
      `kubectl crossplane package install ${this.#core.host}/market/member:v1.0.0 ${FLAGS}`,
    )
    await this.#whilePoked(() => this.#healthy(['market-sql', 'market-family', 'market-member']))
    for (const kind of KINDS)
      await until(
        () => this.#core.cluster.kube.apply(mine(kind), {force: true}),
        ({code}) => code < 300,
      )
  }

  /** The command that moves packages, and what all commands of a move have. */
  #command({what, from, to}: Move) {
    const [first, ...members] = what
    const family = members.length > 0 ? '--family ' : ''
    const context = `--context test --timeout 240s ${FLAGS}`
    return {
      context,
      move: `kubectl crossplane package move ${from}-${first} ${this.#core.host}/${to}/${first} ${family}--core-version v${crossplane.version} ${context}`,
    }
  }

  /** Moves the packages; the process may be killed in between, and goes on then. */
  async move(own: Move, first: First, killedAfter?: number): Promise<void> {
    const before = await this.#uids()
    const [old, next] = [namesIn(own.from, own.what), namesIn(own.to, own.what)]
    const {context, move} = this.#command(own)
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
    expect((await this.#names()).filter(name => old.includes(name))).toEqual([])
    expect(await this.#uids()).toEqual(before)
    expect(await this.#repository.paste('kubectl crossplane package check --git . --path moves')).toMatch(
      /: \d+ unchanged/,
    )
  }

  /** Goes back from a move that was killed once its first commit was deployed. */
  async moveBack(own: Move, killedAfter: number): Promise<void> {
    const before = await this.#uids()
    const [old, next] = [namesIn(own.from, own.what), namesIn(own.to, own.what)]
    const {context, move} = this.#command(own)
    await this.#whilePoked(async () => {
      await this.#killed(move, killedAfter)
      return await this.#repository.paste(`kubectl crossplane package move --back ${context}`)
    })
    await this.#whilePoked(() => this.#healthy(old))
    expect((await this.#names()).filter(name => next.includes(name))).toEqual([])
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

  /** Applies some files of the last commit, as a controller that comes to them first does. */
  async #applyFirst(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#applyOne(name)
  }

  async #applyOne(name: string): Promise<void> {
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

  async #healthy(names: readonly string[]): Promise<void> {
    const {kube} = this.#core.cluster
    for (const name of names)
      await until(
        async () => (await kube.send('GET', `${PROVIDERS}/${name}`)).body,
        ({status}) =>
          asObjects(asObject(status).conditions).some(one => one.type === 'Healthy' && one.status === 'True'),
        240,
      )
  }

  async #names(): Promise<readonly string[]> {
    const {items} = accepted(await this.#core.cluster.kube.send('GET', PROVIDERS))
    return asObjects(items).map(({metadata}) => asText(asObject(metadata).name))
  }

  async #uids(): Promise<readonly string[]> {
    const {kube} = this.#core.cluster
    const objects = await Promise.all(
      KINDS.flatMap(kind => [kube.get(mine(kind)), kube.send('GET', crdOf(kind))]),
    )
    return objects.map(accepted).map(({metadata}) => asText(asObject(metadata).uid))
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
