import {createHash} from 'node:crypto'
import {
  installKey,
  type Lock,
  type LockedInstall,
  lockedName,
  lockedVersions,
  type LockedPackage,
  type LockedXpkg,
} from '../lock.js'

const MAX_LENGTH = 200

/** Returns the name of the files of an install, without an ending: NAMESPACE.NAME. */
function installFileName(install: Pick<LockedInstall, 'namespace' | 'name'>): string {
  const {namespace, name} = install
  const whole = `${namespace}.${name}`
  if (whole.length <= MAX_LENGTH) return whole
  const hash = createHash('sha256').update(installKey(install)).digest('hex').slice(0, 8)
  return `${whole.slice(0, MAX_LENGTH)}-${hash}`
}

/** Returns the same for a package for a current Crossplane: HOST_PATH, which is the name of no install. */
function xpkgFileName({repository}: LockedXpkg): string {
  const whole = repository.replace(/[/:]/g, '_')
  if (whole.length <= MAX_LENGTH && !/[_:]/.test(repository)) return whole
  const hash = createHash('sha256').update(repository).digest('hex').slice(0, 8)
  return `${whole.slice(0, MAX_LENGTH)}_${hash}`
}

/**
 * Returns the lock of each install by the name of its files. It has what the install requires, and not its dependents, so
 * that another dependent does not change it.
 */
export function splitLock(lock: Lock): ReadonlyMap<string, Lock> {
  const installs = lock.packages.flatMap(own => own.installs.map(install => ({own, install})))
  return new Map([
    ...installs.map(({own, install}) => [installFileName(install), lockOf(lock, own, install)] as const),
    ...(lock.xpkgs ?? []).map(xpkg => [xpkgFileName(xpkg), lockOfXpkg(lock, xpkg)] as const),
  ])
}

/** Each has what it requires, and not its dependents. */
function lockOfXpkg(lock: Lock, xpkg: LockedXpkg): Lock {
  const own = withImpactsOf(xpkg.repository, lock)
  const {moving: all = [], ...others} = own
  const moving = all.filter(({to}) => xpkg.kind === 'Provider' && to === lockedName(xpkg))
  return {
    ...{...others, packages: [], xpkgs: [xpkg], acceptedMismatches: [], assumptions: {}},
    ...(moving.length === 0 ? {} : {moving}),
  }
}

/** Accepted effects of packages that no lock has any more are in all of them. */
function withImpactsOf(repository: string, {acceptedImpacts, ...lock}: Lock): Lock {
  const versions = lockedVersions(lock)
  const own = Object.entries(acceptedImpacts ?? {}).filter(
    ([name]) => name === repository || !versions.has(name),
  )
  return own.length === 0 ? lock : {...lock, acceptedImpacts: Object.fromEntries(own)}
}

function lockOf(lock: Lock, own: LockedPackage, install: LockedInstall): Lock {
  const {identity} = own
  const requires = requirementsOf(installKey(install), lock)
  const more = Object.keys(requires).length === 0 ? install.more : {...install.more, requires}
  const isAssumed = (text: string) => lock.assumedBy?.[text]?.includes(identity) ?? true
  const {moving: _ofXpkgs, ...others} = withImpactsOf(identity, lock)
  return {
    ...others,
    xpkgs: [],
    packages: [{...own, installs: [{...install, for: {}, more}]}],
    acceptedMismatches: lock.acceptedMismatches.filter(
      mismatch => (mismatch.requirer ?? mismatch.owner) === identity,
    ),
    assumptions: Object.fromEntries(Object.entries(lock.assumptions).filter(([text]) => isAssumed(text))),
  }
}

/** The requirements of an install, by the installs that satisfy them. */
function requirementsOf(key: string, {packages}: Lock): Record<string, readonly string[]> {
  const all = packages.flatMap(({installs}) => installs)
  return Object.fromEntries(
    all.flatMap(install => {
      const texts = install.for[key]
      return texts === undefined ? [] : [[installKey(install), texts] as const]
    }),
  )
}
