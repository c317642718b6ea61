import type {LockChanges} from '../../declaration/lock-changes.js'
import type {Lock, LockedPackage} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {crdDeltas, unknownDelta} from '../../inspect/policy/crd-delta.js'
import {crdVersions} from '../../inspect/policy/planned-files.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {comparedCrds, lockedCrdWarnings} from '../../plan/git/judge-xpkgs.js'
import {formatImageName} from '../../reference/image-name.js'
import {LockedPackages} from '../../resolve/lock/locked-packages.js'
import type {ResolvedPackages} from '../../resolve/packages/solve-and-read.js'
import type {Package} from '../../unpack/package.js'
import {asObject, type JsonObject} from '../../yaml/json-value.js'
import type {Release} from '../reports.js'

/** A lock and the one before it. */
interface Relocked {
  readonly before: Lock
  readonly after: Lock
  readonly changes: LockChanges
}

type Resolved = Extract<ResolvedPackages, {readonly kind: 'resolved'}>

/** Returns what new versions of locked packages take away. Reads the versions before. */
export async function lockedRelease(
  {before, after, changes}: Relocked,
  {opened, input: {identify}}: Pick<Resolved, 'opened' | 'input'>,
  ports: PackagePorts,
): Promise<Release> {
  const locked = new LockedPackages(ports, name => identify(formatImageName(name)))
  const changed = new Set(
    changes.packages.flatMap(({package: name, old, new: next}) =>
      old === undefined || next === undefined ? [] : [name],
    ),
  )
  // A CRD can move to another package of the set.
  const all = [...opened.values()].flatMap(one => [...crdsOf(one.package)])
  const compared = await Promise.all(
    before.packages.map(async old => {
      const {identity: repository} = old
      const [now, next] = [after.packages.find(one => one.identity === repository), opened.get(repository)]
      if (!changed.has(repository) || now === undefined || next === undefined) return []
      const crds = new Map([...all, ...crdsOf(next.package)])
      const former = await formerCrds(old, locked)
      return [{repository, versions: `${old.tag} -> ${now.tag}`, former, crds}]
    }),
  )
  const releases = compared.flat()
  return {
    warnings: lockedCrdWarnings(
      releases.map(({former, crds, ...own}) =>
        comparedCrds(own, 'reason' in former ? former : specsOf(former), specsOf(crds)),
      ),
    ),
    crds: releases.flatMap(({repository, former, crds}) =>
      'reason' in former
        ? [unknownDelta(repository)]
        : crdDeltas([...former].map(([name, crd]) => crdVersions(crd, crds.get(name)))),
    ),
  }
}

type Crds = ReadonlyMap<string, KubernetesObject>

async function formerCrds(
  old: LockedPackage,
  locked: LockedPackages,
): Promise<Crds | {readonly reason: string}> {
  try {
    const read = await locked.open(old)
    return read === undefined ? {reason: `no folder has ${old.tag}`} : crdsOf(read.package)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {reason: error.message}
  }
}

function crdsOf({crds}: Package): Crds {
  return new Map(crds.map(({definition, object}) => [definition.name, object]))
}

function specsOf(crds: Crds): ReadonlyMap<string, JsonObject> {
  return new Map([...crds].map(([name, {spec}]) => [name, asObject(spec)]))
}
