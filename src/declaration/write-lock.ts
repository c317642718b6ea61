import {API_VERSION} from '../api-version.js'
import {present} from '../present.js'
import type {JsonObject} from '../yaml/json-value.js'
import {writeYaml} from '../yaml/write-yaml.js'
import {
  installKey,
  type Lock,
  LOCK_FORMAT,
  LOCK_KIND,
  type LockedInstall,
  type LockedMismatch,
  type LockedPackage,
  type LockedXpkg,
  mismatchKey,
} from './lock.js'
import {signaturesValue} from './locked-signatures.js'
import {movingValue} from './moving.js'

const HEAD =
  '# Written by kubectl crossplane package lock. Keep it beside the declaration, under version control.\n'

/** Writes a lock for review and merging: sorted, one item per line. */
export function writeLock(lock: Lock): string {
  return `${HEAD}${writeYaml([lockValue(lock)])}`
}

function lockValue(lock: Lock): JsonObject {
  const {acceptedMismatches, assumptions, packages, xpkgs, more, renderVersion, requestHash} = lock
  const {moving = []} = lock
  const impacts = Object.entries(lock.acceptedImpacts ?? {})
  return {
    ...more,
    apiVersion: API_VERSION,
    kind: LOCK_KIND,
    formatVersion: LOCK_FORMAT,
    renderVersion,
    requestHash,
    packages: Object.fromEntries(
      packages.map(lockedPackage => [lockedPackage.identity, packageValue(lockedPackage)]),
    ),
    ...(xpkgs === undefined || (xpkgs.length === 0 && packages.length > 0)
      ? {}
      : {xpkgs: Object.fromEntries(xpkgs.map(xpkg => [xpkg.repository, xpkgValue(xpkg)]))}),
    ...(moving.length === 0 ? {} : {moving: moving.map(movingValue)}),
    ...(acceptedMismatches.length === 0
      ? {}
      : {acceptedMismatches: [...acceptedMismatches].sort(byText).map(mismatchValue)}),
    ...(Object.keys(assumptions).length === 0 ? {} : {assumptions}),
    ...(impacts.length === 0
      ? {}
      : {acceptedImpacts: Object.fromEntries(impacts.map(([name, own]) => [name, {...own}]))}),
  }
}

function byText(a: LockedMismatch, b: LockedMismatch): number {
  return mismatchKey(a) < mismatchKey(b) ? -1 : Number(mismatchKey(a) > mismatchKey(b))
}

function mismatchValue({more, ...mismatch}: LockedMismatch): JsonObject {
  return {...more, ...mismatch}
}

function packageValue(locked: LockedPackage): JsonObject {
  const {tag, version, digest, summaryHash, installs, more} = locked
  return {
    ...more,
    tag,
    version,
    ...present({digest}),
    summaryHash,
    ...signaturesValue(locked),
    installs: Object.fromEntries(installs.map(install => [installKey(install), installValue(install)])),
  }
}

function xpkgValue({repository: _key, ...locked}: LockedXpkg): JsonObject {
  const {requires, requestedAs = [], more, signatures, images, ...fields} = locked
  return {
    ...more,
    ...present(fields),
    ...signaturesValue(present({signatures, images})),
    ...(requestedAs.length === 0 ? {} : {requestedAs: [...requestedAs].sort()}),
    ...(Object.keys(requires).length === 0 ? {} : {requires}),
  }
}

function installValue({mode, requestedFor, requestedAs = [], for: needs, more}: LockedInstall): JsonObject {
  const sorted = Object.entries(needs).map(([by, texts]) => [by, [...texts].sort()] as const)
  return {
    ...more,
    mode,
    ...(requestedFor.length === 0 ? {} : {requestedFor: [...requestedFor].sort()}),
    ...(requestedAs.length === 0 ? {} : {requestedAs: [...requestedAs].sort()}),
    ...(sorted.length === 0 ? {} : {for: Object.fromEntries(sorted)}),
  }
}
