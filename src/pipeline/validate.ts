import {readObjects, type UsageFile} from '../usage/objects/read-objects.js'
import {validateObjects, type ValidationOptions} from '../usage/validation/validate-objects.js'
import type {Validation} from '../usage/validation/validation.js'
import {packagesOfSet, readSurfaces, type SetQuery, surfaceReader} from './package-set.js'
import type {RequestPorts} from './request/read-request.js'

/** Validates the objects of files by the schemas of a set of packages. */
export async function validate(
  query: SetQuery,
  files: readonly UsageFile[],
  options: ValidationOptions,
  ports: RequestPorts,
): Promise<Validation> {
  const packages = await readSurfaces(await packagesOfSet(query, ports), surfaceReader())
  const validation = validateObjects(packages, readObjects(files), options)
  const unread = packages.flatMap(({package: name, surface}) =>
    surface.unread.map(part => ({file: name, object: part.name, reason: part.reason})),
  )
  return {...validation, unread: [...unread, ...validation.unread]}
}
