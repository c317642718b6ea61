import {derivedName} from '../../../src/xpkg/package-name.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {pick} from '../../soak/campaign.js'
import type {AuthoredPackage} from './published-packages.js'

/** What every cluster chooses from: a family, Providers and Functions of their own, and Configurations that require them. */
export function importedWorld(path: string): readonly AuthoredPackage[] {
  const one = (name: string, kind: string, requires: readonly [kind: string, name: string][] = []) =>
    ['v1.0.0', 'v1.1.0'].map((tag): AuthoredPackage => ({
      repository: `${path}/${name}`,
      tag,
      kind,
      requires: requires.map(([required, to]) => ({
        kind: required,
        repository: `${path}/${to}`,
        version: '>=v1.0.0',
      })),
    }))
  return [
    ...one('provider-helm', 'Provider'),
    ...one('provider-sql', 'Provider'),
    ...one('function-auto', 'Function'),
    ...one('provider-family', 'Provider'),
    ...one('provider-member', 'Provider', [['Provider', 'provider-family']]),
    ...one('configuration-app', 'Configuration', [
      ['Provider', 'provider-member'],
      ['Function', 'function-auto'],
    ]),
  ]
}

/** Objects as a team writes them by hand, dependencies first. */
export interface WrittenCluster {
  readonly prepared: readonly JsonObject[]
  readonly requests: readonly JsonObject[]
  /** Whether every request skips the resolver. */
  readonly isUnresolved: boolean
}

/**
 * Returns requests for some packages of the world, in versions, names, pins and settings of their own. Crossplane's resolver accepts
 * no digests where a version is required.
 */
export function writtenCluster(
  random: () => number,
  world: readonly AuthoredPackage[],
  digests: ReadonlyMap<string, string>,
): WrittenCluster {
  const isUnresolved = random() < 0.4
  const names = [...new Set(world.map(({repository}) => repository))]
  const required = new Set(world.flatMap(({requires}) => requires.map(({repository}) => repository)))
  const chosen = closed(
    names.filter(() => random() < 0.6),
    world,
  )
  const picked = chosen.length === 0 ? names.slice(0, 1) : names.filter(name => chosen.includes(name))
  const written = picked.map(repository => {
    const {tag, kind} = pick(
      random,
      world.filter(one => one.repository === repository),
    )
    const reference = `${repository}:${tag}`
    const isRequired = required.has(repository)
    const form = pick(random, isUnresolved ? ['digest', 'config'] : isRequired ? ['tag', 'config'] : FORMS)
    const digest = `${repository}@${digests.get(reference)}`
    const name = random() < 0.7 ? repository.split('/').at(-1)! : derivedName(repository)
    return {
      config: form === 'config' ? [imageConfig(`pin-${name}`, reference, digest)] : [],
      request: {
        apiVersion: 'pkg.crossplane.io/v1',
        kind,
        metadata: {name},
        spec: {
          package: form === 'digest' ? digest : reference,
          ...settings(random, kind),
          ...(isUnresolved ? {skipDependencyResolution: true} : {}),
        },
      },
    }
  })
  return {
    prepared: [
      {
        apiVersion: 'pkg.crossplane.io/v1beta1',
        kind: 'DeploymentRuntimeConfig',
        metadata: {name: 'large'},
        spec: {},
      },
      ...written.flatMap(({config}) => config),
    ],
    requests: written.map(({request}) => request),
    isUnresolved,
  }
}

const FORMS = ['tag', 'config', 'digest'] as const

function settings(random: () => number, kind: string): JsonObject {
  return {
    ...(random() < 0.3 ? {revisionHistoryLimit: 3} : {}),
    ...(random() < 0.2 ? {packagePullPolicy: 'Always'} : {}),
    ...(random() < 0.3 && kind !== 'Configuration' ? {runtimeConfigRef: {name: 'large'}} : {}),
  }
}

/** With what they require: otherwise Crossplane would install it. */
function closed(names: readonly string[], world: readonly AuthoredPackage[]): readonly string[] {
  const all = new Set(names)
  // The set grows while it is walked.
  for (const name of all)
    for (const {repository, requires} of world)
      if (repository === name) for (const one of requires) all.add(one.repository)
  return [...all]
}

function imageConfig(name: string, prefix: string, target: string): JsonObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name},
    spec: {matchImages: [{type: 'Prefix', prefix}], rewriteImage: {prefix: target}},
  }
}
