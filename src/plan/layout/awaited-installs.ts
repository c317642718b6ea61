import type {InstallId, InstallSet, SetInstall} from '../../render/install-set.js'
import {cyclesIn} from './dependency-cycles.js'

/** An install as the lock names it. */
export function installKey({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}

/**
 * Returns the installs that each install waits for, by key: those that it requires, unless they require it in turn,
 * directly or through others. Installs that wait for each other would never start.
 */
export function awaitedInstalls({installs}: InstallSet): ReadonlyMap<string, readonly SetInstall[]> {
  const byKey = new Map(installs.map(install => [installKey(install), install]))
  const required = new Map([...byKey.keys()].map(key => [key, [] as string[]]))
  for (const [key, install] of byKey) {
    for (const dependent of Object.keys(install.for)) required.get(dependent)?.push(key)
  }
  const cycles = cyclesIn(required)
  const isAwaited = (key: string, other: string) => cycles.get(key) !== cycles.get(other)
  return new Map(
    [...required].map(([key, others]) => [
      key,
      others.filter(other => isAwaited(key, other)).flatMap(other => byKey.get(other) ?? []),
    ]),
  )
}
