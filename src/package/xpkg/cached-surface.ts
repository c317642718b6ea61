import type {LocatedPackage} from '../../locate/located-package.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {PackageSurface, SurfaceOptions} from '../../usage/package-surface.js'
import {
  compositionsDocument,
  compositionsOfDocument,
  surfaceDocument,
  surfaceKey,
  surfaceOfDocument,
} from '../../usage/surface-document.js'
import {compositionsOfXpkg, surfaceOfXpkg} from './surface.js'

/**
 * Returns what users of a package depend on, from the cache if the same content was read before. A package is located and verified
 * in any case: the cache saves only the time to parse it. Throws as `surfaceOfXpkg` does.
 */
export async function cachedSurface(
  located: LocatedPackage,
  {hasCompositions = false, ...options}: Partial<SurfaceOptions> = {},
): Promise<PackageSurface> {
  const surface = await ownSurface(located, options)
  const {compositions = []} = surface.activation ?? {}
  if (!hasCompositions || !compositions.some(({kind}) => kind === 'Composition')) return surface
  return {...surface, compositions: await cachedCompositions(located, options)}
}

/** They are a document of their own: most commands need only what they compose. */
async function cachedCompositions(
  located: LocatedPackage,
  {cache}: Pick<Partial<SurfaceOptions>, 'cache'>,
): Promise<readonly JsonObject[]> {
  if (cache === undefined) return compositionsOfXpkg(located)
  const key = `${surfaceKey(located.files, {})} compositions`
  const document = await cache.surface(key)
  const stored = document && compositionsOfDocument(document)
  if (stored !== undefined) return stored
  const compositions = compositionsOfXpkg(located)
  const fresh = compositionsDocument(compositions)
  if (fresh !== undefined) await cache.rememberSurface(key, fresh)
  return compositions
}

async function ownSurface(
  located: LocatedPackage,
  {cache, specs, ...options}: Partial<SurfaceOptions>,
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
