import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {BundledPackage} from '../bundle/bundled-packages.mjs'

/** A package, and its integrity as package-lock.json has it. */
export interface LockedPackage extends Pick<BundledPackage, 'license' | 'name' | 'version'> {
  readonly integrity: string
}

/** Returns packages with their integrity; throws if package-lock.json does not list one, or another version of it. */
export function lockedPackages(root: string, packages: readonly BundledPackage[]): readonly LockedPackage[] {
  const {packages: locked} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, {readonly version?: string; readonly integrity?: string}>>
  }
  return packages.map(({folder, name, version, license}) => {
    const {version: lockedVersion, integrity} = locked[folder] ?? {}
    if (integrity === undefined || lockedVersion !== version)
      throw new Error(`package-lock.json does not list ${name} ${version}`)
    return {name, version, license, integrity}
  })
}
