import {describe, expect, it} from '@jest/globals'
import {joinLocks} from '../../src/declaration/entries/join-locks.js'
import {splitLock} from '../../src/declaration/entries/split-lock.js'
import type {Lock, LockedXpkg} from '../../src/declaration/lock.js'
import type {MovingRequest} from '../../src/declaration/moving.js'
import {keptAnnotations} from '../../src/declaration/moving-objects.js'
import {readLock} from '../../src/declaration/read-lock.js'
import {writeLock} from '../../src/declaration/write-lock.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {isKeptByController} from '../../src/kubernetes/controller-annotations.js'
import {hash, LOCK} from './locks.js'

const [FORMER, NEXT] = ['registry.example.org/market/sql', 'registry.example.org/community/sql']

const metadata = (name: string, to = 'community-sql') => ({name, annotations: keptAnnotations(to)})
const request = (name = 'market-sql', spec = {}): KubernetesObject => ({
  ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: metadata(name)},
  spec: {package: `${FORMER}:v1.0.0`, revisionActivationPolicy: 'Manual', ...spec},
})
const rewrite = (prefix: string, target: string, spec = {}): KubernetesObject => ({
  ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: metadata('market-sql-v1.0.0')},
  spec: {matchImages: [{type: 'Prefix', prefix}], rewriteImage: {prefix: target}, ...spec},
})
const runtime = (name = 'market-sql'): KubernetesObject => ({
  ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'DeploymentRuntimeConfig', metadata: metadata(name)},
  spec: {serviceAccountTemplate: {metadata: {annotations: {a: 'b'}}}},
})
const PIN = rewrite(`${FORMER}:v1.0.0`, `${FORMER}@${hash('1')}`)
const ALL = {
  packagePullPolicy: 'Always',
  packagePullSecrets: [{name: 'a'}],
  revisionHistoryLimit: 2,
  runtimeConfigRef: {name: 'market-sql'},
  skipDependencyResolution: true,
}

const xpkg = (repository: string, kind = 'Provider', name?: string): LockedXpkg => ({
  ...{repository, kind, tag: 'v1.0.0', digest: hash('2'), summaryHash: hash('3'), mode: 'requested'},
  ...{requires: {}, more: {}},
  ...(name === undefined ? {} : {name}),
})
const moving = (fields: Partial<MovingRequest> = {}): MovingRequest => ({
  ...{from: 'market-sql', to: 'community-sql', isBack: false, order: 0, digest: hash('1')},
  objects: [request(), PIN],
  ...fields,
})
const lockOf = (all: readonly MovingRequest[], xpkgs = [xpkg(NEXT)]): Lock => ({
  ...LOCK,
  ...{xpkgs, moving: all},
})
const read = (lock: Lock) => readLock('a.lock', Buffer.from(writeLock(lock)))
const faults = (lock: Lock) => {
  try {
    read(lock)
  } catch (error) {
    if (error instanceof CrossplaneError) return error.diagnostics.map(({message}) => message)
    throw error
  }
  return []
}

describe('the requests that leave, of a lock', () => {
  it.each([
    {name: 'as a move writes them', in: [request(), PIN]},
    {name: 'with all settings', in: [request('market-sql', ALL), PIN, runtime()]},
    {
      name: 'with a runtime configuration of the user',
      in: [request('market-sql', {runtimeConfigRef: {name: 'own'}})],
    },
    {name: 'with a mirror', in: [request(), rewrite('registry.example.org/', 'mirror.example.org/a/')]},
  ])('are read $name', ({in: objects}) => {
    const lock = lockOf([moving({objects})])
    expect(read(lock)).toEqual(lock)
    expect(objects.every(object => isKeptByController({...object}))).toBe(true)
  })

  it.each([
    {name: 'a name with a line break', in: {from: 'a\n\nevil'}, want: 'must name two requests'},
    {name: 'a name that no request has', in: {to: 'Evil Name'}, want: 'must name two requests'},
    {name: 'a target that is not locked', in: {to: 'nothing'}, want: 'must move to a Provider of the lock'},
    {name: 'no order', in: {order: -1}, want: 'must have an order'},
    {name: 'no Provider', in: {objects: [PIN]}, want: 'exactly one Provider'},
    {name: 'two Providers', in: {objects: [request(), request('evil')]}, want: 'exactly one Provider'},
    {name: 'another Provider', in: {objects: [request('evil')]}, want: 'exactly one Provider'},
    {
      name: 'a Provider that Crossplane activates',
      in: {objects: [request('market-sql', {revisionActivationPolicy: 'Automatic'})]},
      want: 'only the fields',
    },
    {
      name: 'a Provider without a policy',
      in: {objects: [{...request(), spec: {package: `${FORMER}:v1.0.0`}}]},
      want: 'not activated: Manual',
    },
    {
      name: 'a Provider with another field',
      in: {objects: [request('market-sql', {ignoreCrossplaneConstraints: true})]},
      want: 'only the fields',
    },
    {
      name: 'a Provider of another group',
      in: {objects: [{...request(), apiVersion: 'pkg.crossplane.io/v1/evil'}]},
      want: 'only the fields',
    },
    {
      name: 'a Provider that a controller deletes',
      in: {objects: [{...request(), metadata: {name: 'market-sql'}}]},
      want: 'Provider is another one',
    },
    {
      name: 'a Provider with labels',
      in: {objects: [{...request(), metadata: {...metadata('market-sql'), labels: {a: 'b'}}}]},
      want: 'Provider is another one',
    },
    {
      name: 'an object without metadata',
      in: {objects: [request(), {apiVersion: 'pkg.crossplane.io/v1', kind: 'ImageConfig'} as never]},
      want: 'ImageConfig is another one',
    },
    {
      name: 'another kind',
      in: {objects: [request(), {...PIN, kind: 'Function'}]},
      want: 'only objects of these kinds',
    },
    {
      name: 'a pin of another digest',
      in: {objects: [request(), rewrite(`${FORMER}:v1.0.0`, `attacker.example/sql@${hash('9')}`)]},
      want: 'only ImageConfigs of the package',
    },
    {
      name: 'a rewrite of another repository',
      in: {objects: [request(), rewrite('registry.example.org/other/', 'attacker.example/')]},
      want: 'only ImageConfigs of the package',
    },
    {
      name: 'a rewrite of parts of names',
      in: {objects: [request(), rewrite('regis', 'attacker.example/')]},
      want: 'only ImageConfigs of the package',
    },
    {
      name: 'credentials of a registry',
      in: {
        objects: [
          request(),
          rewrite(`${FORMER}:v1.0.0`, `${FORMER}@${hash('1')}`, {registry: {authentication: {}}}),
        ],
      },
      want: 'only ImageConfigs of the package',
    },
    {
      name: 'a runtime configuration that its Provider does not have',
      in: {objects: [request(), runtime()]},
      want: 'only the DeploymentRuntimeConfig of its Provider',
    },
    {
      name: 'the runtime configuration of all packages',
      in: {objects: [request('market-sql', {runtimeConfigRef: {name: 'default'}}), runtime('default')]},
      want: 'only the DeploymentRuntimeConfig of its Provider',
    },
  ])('are rejected with $name', ({in: fields, want}) => {
    expect(faults(lockOf([moving(fields)])).join('\n')).toContain(want)
  })

  it('move to a Provider, and are not requested any more', () => {
    const target = [xpkg(NEXT, 'Function')]
    expect(faults(lockOf([moving()], target)).join('\n')).toContain('must move to a Provider of the lock')
    const both = [xpkg(NEXT), xpkg(FORMER)]
    expect(faults(lockOf([moving()], both)).join('\n')).toContain('must not be requested')
    expect(faults(lockOf([moving(), moving()])).join('\n')).toContain('must name each request once')
  })
})

describe('the requests that leave, in a lock for each package', () => {
  /** The names of the files say the opposite. */
  const [family, member] = [
    xpkg('registry.example.org/new/z-family'),
    xpkg('registry.example.org/new/a-member'),
  ]
  const leaves = (name: string, order: number): MovingRequest => ({
    ...{from: `old-${name}`, to: `new-${name}`, isBack: false, order},
    objects: [{...request(`old-${name}`), metadata: metadata(`old-${name}`, `new-${name}`)}],
  })
  const all = [leaves('z-family', 0), leaves('a-member', 1)]
  const joined = (lock: Lock) =>
    joinLocks(
      [...splitLock(lock)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([file, own]) => ({file, lock: read(own)})),
    ).lock

  it('keep the order in which they move together', () => {
    expect(joined(lockOf(all, [member, family])).moving).toEqual(all)
  })

  it('are with the Provider alone, and not with a Function of its name', () => {
    const other = xpkg('registry.example.org/other/sql', 'Function', 'community-sql')
    expect(joined(lockOf([moving()], [xpkg(NEXT), other])).moving).toEqual([moving()])
  })
})
