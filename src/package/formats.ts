import type {Lock, LockedInstance} from '../declaration/lock.js'
import {type FormatName, formatOf} from '../locate/expect-format.js'
import type {LocatedPackage} from '../locate/located-package.js'
import type {PackageFormat, RecognizedRequest} from './format.js'

/** Each is loaded when a request has a package of it. */
const FORMATS: Readonly<Record<FormatName, () => Promise<PackageFormat>>> = {
  stack: async () => (await import('./stack/stack-format.js')).STACK_FORMAT,
  xpkg: async () => (await import('./xpkg/xpkg-format.js')).XPKG_FORMAT,
}

/** In the order in which what is said of them is printed. */
const NAMES: readonly FormatName[] = ['xpkg', 'stack']

/** Loads a format. */
export async function packageFormat(name: FormatName): Promise<PackageFormat> {
  return await FORMATS[name]()
}

/** Loads the format of a package that was read. */
export async function formatFor(located: LocatedPackage): Promise<PackageFormat> {
  return await packageFormat(formatOf(located))
}

/** Returns the formats of the packages of a request; one without packages is treated like those of v0.12. */
export function requestedFormats({parts}: Pick<RecognizedRequest, 'parts'>): readonly FormatName[] {
  const names = NAMES.filter(name => parts[name].length > 0)
  return names.length === 0 ? ['stack'] : names
}

/** Returns the formats of the packages of a request and of a lock. */
export function concernedFormats(
  {parts}: Pick<RecognizedRequest, 'parts'>,
  lock: Lock | undefined,
): readonly FormatName[] {
  const locked = formatsInLock(lock)
  const names = NAMES.filter(name => parts[name].length > 0 || locked.includes(name))
  return names.length === 0 ? ['stack'] : names
}

/** Returns what a cluster has of a lock, of all formats. */
export async function lockedInstances(lock: Lock): Promise<readonly LockedInstance[]> {
  const formats = await Promise.all(formatsInLock(lock).map(packageFormat))
  return formats.flatMap(format => format.instances(lock))
}

/** Returns the formats of the packages of a lock. */
export function formatsInLock(lock: Pick<Lock, 'packages' | 'xpkgs'> | undefined): readonly FormatName[] {
  const {packages = [], xpkgs = []} = lock ?? {}
  return NAMES.filter(name => (name === 'xpkg' ? xpkgs : packages).length > 0)
}
