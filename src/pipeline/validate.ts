import {activatedSet, policiesAmong} from '../usage/activation/activation.js'
import {unreadParts} from '../usage/compare-sets.js'
import {type InputFailures, readObjects, type UnreadFiles} from '../usage/objects/read-objects.js'
import type {UsageFile} from '../usage/objects/used-object.js'
import {validateObjects, type ValidationOptions} from '../usage/validation/validate-objects.js'
import type {Validation} from '../usage/validation/validation.js'
import {present} from '../present.js'
import type {PackageComparison} from './impact/compare-packages.js'
import {packageSet, readSurfaces, type SetQuery, surfaceReader} from './impact/package-set.js'
import type {RequestPorts} from './request/read-request.js'

/** A validation, and what could not be read for it. */
interface FileValidation {
  readonly validation: Validation
  readonly failures: InputFailures
  readonly unreadCrds: PackageComparison['unread']
}

/** Validates the objects of files by the schemas of a set of packages. */
export async function validate(
  query: SetQuery,
  {files, ...others}: UnreadFiles & {readonly files: readonly UsageFile[]},
  options: ValidationOptions,
  ports: RequestPorts,
): Promise<FileValidation> {
  const set = await packageSet(query, ports)
  const {unreadable, empty, ...objects} = readObjects(files, others)
  const choice = {...set.activation, others: policiesAmong(objects.objects)}
  const packages = activatedSet(await readSurfaces(set.packages, surfaceReader(ports)), choice)
  const validation = validateObjects(packages, objects, {
    ...options,
    ...present({coreVersion: set.coreVersion}),
  })
  const unreadCrds = unreadParts(packages)
  const unread = unreadCrds.map(({package: file, name: object, reason}) => ({file, object, reason}))
  return {
    validation: {...validation, unread: [...unread, ...validation.unread]},
    failures: {unreadable, empty},
    unreadCrds,
  }
}
