import {asText} from '../yaml/json-value.js'
import type {SurfacePackage} from './compare-sets.js'
import type {CrdSurface} from './package-surface.js'

/** A kind of a set of packages. */
interface SetKind {
  readonly crd: CrdSurface
  /** The package that has it. */
  readonly package: string
}

/** Returns the name by which a kind is found. */
export function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`
}

/** Returns the kinds of a cluster that has a set of packages, or the inputs of functions; of several packages with one kind, that of the first, or of the first where it is active. */
export function setKinds(
  packages: readonly SurfacePackage[],
  of: 'cluster' | 'functions' = 'cluster',
): ReadonlyMap<string, SetKind> {
  const kinds = new Map<string, SetKind>()
  for (const {package: name, surface} of packages)
    for (const crd of surface.crds) {
      const key = kindKey(asText(crd.spec.group), crd.kind)
      if ((crd.source === 'function-input') !== (of === 'functions')) continue
      const first = kinds.get(key)
      // An inactive definition makes no kind: that of another package is served.
      if (first === undefined || (first.crd.isInactive && !crd.isInactive))
        kinds.set(key, {crd, package: name})
    }
  return kinds
}
