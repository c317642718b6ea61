import {derivedName} from '../../../src/xpkg/package-name.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {pick} from '../../soak/campaign.js'
import type {AuthoredPackage} from './published-packages.js'

/** What every package is upgraded to. No cluster has it before. */
export const NEWEST = 'v1.2.0'
const TAGS = ['v1.0.0', 'v1.1.0', NEWEST]

/** What every cluster chooses from: a family, Providers and Functions of their own, and Configurations that require them. */
export function importedWorld(path: string): readonly AuthoredPackage[] {
  const one = (name: string, kind: string, more: Partial<AuthoredPackage> = {}) =>
    TAGS.map((tag): AuthoredPackage => ({repository: `${path}/${name}`, tag, kind, requires: [], ...more}))
  const requires = (...names: readonly (readonly [kind: string, name: string])[]) => ({
    requires: names.map(([kind, name]) => ({kind, repository: `${path}/${name}`, version: '>=v1.0.0'})),
  })
  return [
    ...one('provider-helm', 'Provider'),
    ...one('provider-sql', 'Provider'),
    ...one('function-auto', 'Function'),
    ...one(BROKEN, 'Function'),
    ...one('provider-family', 'Provider', {defines: 'Family'}),
    ...one('provider-member', 'Provider', requires(['Provider', 'provider-family'])),
    ...one(
      'configuration-app',
      'Configuration',
      requires(['Provider', 'provider-member'], ['Function', 'function-auto']),
    ),
  ].map(authored => (authored.tag === NEWEST ? requiringMore(authored) : authored))
}

/** The newest version excludes the oldest of what it requires. */
function requiringMore({requires, ...authored}: AuthoredPackage): AuthoredPackage {
  return {...authored, requires: requires.map(one => ({...one, version: '>=v1.1.0'}))}
}

/** Objects as a team writes them by hand, dependencies first. */
export interface WrittenCluster {
  readonly prepared: readonly JsonObject[]
  readonly requests: readonly JsonObject[]
  /** Requests that do not become healthy, for nothing of the others. */
  readonly broken: readonly JsonObject[]
  /** Those of the requests that are paused. */
  readonly paused: readonly JsonObject[]
  /** Requests whose upgrade makes Crossplane request nothing: others are under names that it does not derive, and required. */
  readonly safe: readonly JsonObject[]
  /** Returns the repositories of a request and of all that it requires. */
  withRequired(request: JsonObject): readonly string[]
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
  const skips: JsonObject = isUnresolved ? {skipDependencyResolution: true} : {}
  const names = [...new Set(world.map(({repository}) => repository))].filter(name => !name.endsWith(BROKEN))
  const chosen = closed(
    names.filter(() => random() < 0.6),
    world,
  )
  const picked = chosen.length === 0 ? names.slice(0, 1) : names.filter(name => chosen.includes(name))
  const requiredBy = (repository: string) => closed([repository], world).slice(1)
  const required = new Set(picked.flatMap(requiredBy))
  const written = picked.map(repository => {
    const versions = world.filter(one => one.repository === repository && one.tag !== NEWEST)
    const {tag, kind} = pick(random, versions)
    const reference = `${repository}:${tag}`
    const isRequired = required.has(repository)
    const form = pick(random, isUnresolved ? ['digest', 'config'] : isRequired ? ['tag', 'config'] : FORMS)
    const digest = `${repository}@${digests.get(reference)}`
    const name = random() < 0.7 ? repository.split('/').at(-1)! : derivedName(repository)
    const request = requestOf(kind, name, {
      package: form === 'digest' ? digest : reference,
      ...settings(random, kind),
      ...skips,
    })
    const isNamed = !isUnresolved && isRequired && name !== derivedName(repository)
    return {
      ...{repository, request, isNamed},
      config: form === 'config' ? [imageConfig(`pin-${name}`, reference, digest)] : [],
    }
  })
  const requests = written.map(({request}) => request)
  const named = new Set(written.filter(({isNamed}) => isNamed).map(({repository}) => repository))
  const isSafe = (repository: string) =>
    [repository, ...requiredBy(repository)].every(name => !named.has(name))
  return {
    prepared: [LARGE, ...written.flatMap(({config}) => config)],
    requests,
    broken: brokenRequests(names[0]!.replace(/[^/]+$/, ''), skips).filter(() => random() < 0.4),
    paused: random() < 0.4 ? [pick(random, requests)] : [],
    withRequired: request =>
      written.filter(one => one.request === request).flatMap(({repository}) => closed([repository], world)),
    safe: written.filter(({repository}) => isSafe(repository)).map(({request}) => request),
  }
}

const LARGE = {
  apiVersion: 'pkg.crossplane.io/v1beta1',
  kind: 'DeploymentRuntimeConfig',
  metadata: {name: 'large'},
  spec: {},
}

/** Versions that a registry does not have, and a controller without its settings. */
function brokenRequests(path: string, skips: JsonObject): readonly JsonObject[] {
  const controller = {runtimeConfigRef: {name: 'absent'}}
  return [
    requestOf('Provider', UNREADABLE, {package: `${path}provider-absent:v1.0.0`, ...skips}),
    requestOf('Function', 'idle', {package: `${path}${BROKEN}:v1.0.0`, ...controller, ...skips}),
  ]
}

const BROKEN = 'function-broken'

/** The name of the request whose package does not exist. */
export const UNREADABLE = 'absent'

function requestOf(kind: string, name: string, spec: JsonObject): JsonObject {
  return {apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name}, spec}
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
