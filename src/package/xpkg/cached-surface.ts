import type {LocatedPackage} from '../../locate/located-package.js'
import type {PackageSurface, SurfaceOptions} from '../../usage/package-surface.js'
import {surfaceDocument, surfaceKey, surfaceOfDocument} from '../../usage/surface-document.js'
import {surfaceOfXpkg} from './surface.js'

/**
 * Returns what users of a package depend on, from the cache if the same content was read before. A package is located and verified
 * in any case: the cache saves only the time to parse it. Throws as `surfaceOfXpkg` does.
 */
export async function cachedSurface(
  located: LocatedPackage,
  {cache, specs, ...options}: Partial<SurfaceOptions> = {},
): Promise<PackageSurface> {
  if (cache === undefined) return surfaceOfXpkg(located, options)
  const key = surfaceKey(located.files, options)
  const document = await cache.surface(key)
  const stored = document && surfaceOfDocument(document, specs)
  if (stored !== undefined) return stored
  const surface = surfaceOfXpkg(located, options)
  const fresh = surfaceDocument(surface)
  if (fresh !== undefined) await cache.rememberSurface(key, fresh)
  return surface
}
