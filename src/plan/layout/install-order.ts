import type {InstallId, InstallSet, SetInstall} from '../../render/install-set.js'

/** An install as the lock names it. */
export function installKey({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}

/**
 * Returns the installs that each install requires, by key. Packages can require each other; a set has dependencies
 * first, so only requirements that lead back are left out, and the rest has no cycle.
 */
export function requiredInstalls({installs}: InstallSet): ReadonlyMap<string, readonly SetInstall[]> {
  return new Map(
    installs.map((install, index) => {
      const key = installKey(install)
      return [key, installs.slice(0, index).filter(earlier => earlier.for[key] !== undefined)]
    }),
  )
}

/** Returns the number of installs, one after the other, that must be ready before each install, by key. */
export function installDepths(set: InstallSet): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  for (const [key, required] of requiredInstalls(set)) {
    depths.set(key, Math.max(0, ...required.map(each => 1 + (depths.get(installKey(each)) ?? 0))))
  }
  return depths
}
