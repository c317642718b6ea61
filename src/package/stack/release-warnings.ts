import type {LockChanges} from '../../declaration/lock-changes.js'
import type {Lock, LockedPackage} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {comparedCrds, lockedCrdWarnings} from '../../plan/git/judge-xpkgs.js'
import {formatImageName} from '../../reference/image-name.js'
import {LockedPackages} from '../../resolve/lock/locked-packages.js'
import type {ResolvedPackages} from '../../resolve/packages/solve-and-read.js'
import type {Package} from '../../unpack/package.js'
import {asObject, type JsonObject} from '../../yaml/json-value.js'

/** A lock and the one before it. */
interface Relocked {
  readonly before: Lock
  readonly after: Lock
  readonly changes: LockChanges
}

type Resolved = Extract<ResolvedPackages, {readonly kind: 'resolved'}>

/** Returns what new versions of locked packages take away, as warnings: no tree changes yet. Reads the versions before. */
export async function releaseWarnings(
  {before, after, changes}: Relocked,
  {opened, input: {identify}}: Pick<Resolved, 'opened' | 'input'>,
  ports: PackagePorts,
): Promise<readonly Diagnostic[]> {
  const locked = new LockedPackages(ports, name => identify(formatImageName(name)))
  const changed = new Set(
    changes.packages.flatMap(({package: name, old, new: next}) =>
      old === undefined || next === undefined ? [] : [name],
    ),
  )
  // A CRD can move to another package of the set.
  const all = [...opened.values()].flatMap(one => [...specsOf(one.package)])
  const compared = await Promise.all(
    before.packages.map(async old => {
      const {identity: repository} = old
      const [now, next] = [after.packages.find(one => one.identity === repository), opened.get(repository)]
      if (!changed.has(repository) || now === undefined || next === undefined) return []
      const versions = `${old.tag} -> ${now.tag}`
      const specs = new Map([...all, ...specsOf(next.package)])
      return [comparedCrds({repository, versions}, await formerSpecs(old, locked), specs)]
    }),
  )
  return lockedCrdWarnings(compared.flat())
}

async function formerSpecs(
  old: LockedPackage,
  locked: LockedPackages,
): Promise<ReadonlyMap<string, JsonObject> | {readonly reason: string}> {
  try {
    const read = await locked.open(old)
    return read === undefined ? {reason: `no folder has ${old.tag}`} : specsOf(read.package)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {reason: error.message}
  }
}

function specsOf({crds}: Package): ReadonlyMap<string, JsonObject> {
  return new Map(crds.map(({definition, object}) => [definition.name, asObject(object.spec)]))
}
