import type {Lock} from '../../declaration/lock.js'
import {digestOf} from '../../fetch/verified-bytes.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {Fact} from '../facts.js'
import type {CrossplaneReleases, SolverInput} from '../solver-input.js'

/** Increased with every release that renders the same packages differently, so that a lock records its rendering. */
export const RENDER_VERSION = 2

/** The settings that decide. */
export interface LockedPolicy {
  readonly facts: readonly Fact[]
  readonly crossplane: Pick<CrossplaneReleases, 'version'>
  readonly defaultSource?: string
  readonly systemNamespace: string
  readonly dependencyNamespace?: string
}

/** Returns the lock of a request without packages. */
export function emptyLock(policy: LockedPolicy, owners: SolverInput['owners']): Lock {
  return {
    requestHash: requestHash(policy, owners),
    renderVersion: RENDER_VERSION,
    packages: [],
    acceptedMismatches: [],
    assumptions: {},
    assumedBy: {},
    more: {},
  }
}

/**
 * Hashes the settings that decide a resolution. The request is recorded with the packages instead, so that two
 * branches which change different requests merge.
 */
function requestHash({facts, ...policy}: LockedPolicy, owners: SolverInput['owners']): string {
  return hashOf(writeJson(hashedSettings(facts, policy, owners)))
}

/** Returns the settings that decide a resolution, as they are hashed. */
export function hashedSettings(
  facts: readonly Fact[],
  {crossplane, defaultSource, systemNamespace, dependencyNamespace}: Omit<LockedPolicy, 'facts'>,
  owners: SolverInput['owners'],
): JsonObject {
  return {
    owners: owners
      .map(({group, identity}) => [group, identity])
      .sort(([a = ''], [b = '']) => compareText(a, b)),
    assumed: facts.filter(isAssumed).map(factText).sort(),
    crossplane: crossplane.version,
    systemNamespace,
    dependencyNamespace: dependencyNamespace ?? '',
    defaultSource: defaultSource ?? '',
  }
}

/** The other facts are tables of this program; those that were used are in the assumptions. */
function isAssumed({origin}: Fact): boolean {
  return origin === 'assumed'
}

function factText({served, ...fact}: Fact): string {
  return writeJson({...fact, ...present({served})})
}

/** Hashes a text. */
export function hashOf(text: string): string {
  return digestOf(Buffer.from(text))
}
