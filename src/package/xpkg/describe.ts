import type {LocatedPackage} from '../../locate/located-package.js'
import type {SurfaceCache} from '../../usage/package-surface.js'
import {type PackageExamples, readExamples} from '../../xpkg/content/read-examples.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {Description} from '../description.js'
import {cachedSurface} from './cached-surface.js'
import {inspectExamined, readable} from './inspect.js'
import {presentXpkg} from './presentation.js'

/** Describes a package; its surface can be in the cache. Throws `package-invalid`. */
export async function describeXpkg(
  located: LocatedPackage,
  cache: SurfaceCache | undefined,
): Promise<Description> {
  const examined = readable(located, examineXpkg(located.files))
  return {
    presentation: presentXpkg(examined.xpkg),
    inspection: inspectExamined(located, examined),
    surface: await cachedSurface(located, {isDescribed: true, cache}),
    examples: examplesOf(located),
  }
}

function examplesOf({
  xpkg: {examples = [], unreadExamples} = {form: 'image'},
}: LocatedPackage): PackageExamples {
  const {examples: all, unread} = readExamples(examples)
  return {examples: all, unread: unreadExamples === undefined ? unread : [unreadExamples, ...unread]}
}
