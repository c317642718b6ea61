import type {Diagnostic} from '../../diagnostic.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {withAllActive} from '../../usage/activation/activation.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {readObjects} from '../../usage/objects/read-objects.js'
import type {UsedObject} from '../../usage/objects/used-object.js'
import type {CompositionFinding} from '../../usage/validation/composition/composition-finding.js'
import {validateComposition} from '../../usage/validation/composition/validate-composition.js'
import {knownKinds} from '../../usage/validation/known-kinds.js'
import {asObject, asObjects, formatPath} from '../../yaml/json-value.js'

/**
 * Reports what fails or is dropped in the Compositions of a package for each composite resource, by the kinds of the package and of those that
 * it depends on, as far as they are known: of other kinds, nothing is reported.
 */
export function compositionErrors(
  files: readonly PackageFile[],
  closure: readonly SurfacePackage[] = [],
): readonly Diagnostic[] {
  const own = files.filter(file => hasAnyText(file, NAMED))
  const {objects} = readObjects(own)
  const kinds = knownKinds(withAllActive(closure), objects)
  return objects
    .filter(({kind, apiVersion}) => kind === 'Composition' && apiVersion === 'apiextensions.crossplane.io/v1')
    .flatMap(object =>
      validateComposition(object.value, {kinds, allows: () => true})
        .findings.filter(finding => isFatal(object, finding))
        .map(({place, message, isDropped}) => ({
          ...(isDropped === true ? DROPPED : FAILS),
          ...{message, file: object.file},
          ...{line: object.lineOf(place), field: formatPath(place)},
        })),
    )
}

const FAILS = {severity: 'error', rule: 'xpkg-composition-fails'} as const
const DROPPED = {severity: 'warning', rule: 'xpkg-composition-dropped'} as const
const NAMED = ['kind: Composition', 'kind: CompositeResourceDefinition', '"Composition']

/** Reports whether a package has Compositions, for which the packages that it depends on are read. */
export function hasCompositions(files: readonly PackageFile[]): boolean {
  return files.some(file => hasAnyText(file, COMPOSITIONS))
}

/** Reports whether a file has one of several texts: most files are not read for what only some have. */
export function hasAnyText({bytes}: PackageFile, texts: readonly string[]): boolean {
  return texts.some(text => Buffer.from(bytes).includes(text))
}

const COMPOSITIONS = ['kind: Composition\n', 'kind: Composition\r', '"Composition"']

/** A server rejects a pipeline without steps; a source that does not exist is a value that is always missing. */
function isFatal({value}: UsedObject, {rule, place, message}: CompositionFinding): boolean {
  const step = asObjects(asObject(value.spec).pipeline)[Number(place[2])]
  if (step?.input === undefined || rule === 'no-schema' || place[3] !== 'input') return false
  return !(rule === 'path-unknown' && place.at(-1) !== 'toFieldPath' && message.endsWith('does not exist'))
}
