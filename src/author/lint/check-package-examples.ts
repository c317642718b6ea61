import type {ObjectJudge} from '../../crd/instances/check-object.js'
import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {withAllActive} from '../../usage/activation/activation.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {readObjects} from '../../usage/objects/read-objects.js'
import {validateObjects} from '../../usage/validation/validate-objects.js'
import {hasAnyText} from './check-compositions.js'

/** The examples of a package, and what they are judged by. */
export interface JudgedExamples {
  /** The files of the package. */
  readonly files: readonly PackageFile[]
  readonly examples: readonly PackageFile[]
  /** The packages that it depends on, as far as they are known. */
  readonly closure: readonly SurfacePackage[]
}

/**
 * Reports what a strict API server rejects in the examples of a Configuration, by its own kinds and those of packages that it depends on, as
 * far as they are known: of other kinds, and of Compositions, nothing is reported.
 */
export function invalidExamples(
  {files, examples, closure}: JudgedExamples,
  judge: Pick<ObjectJudge, 'match' | 'rules'>,
): readonly Diagnostic[] {
  if (examples.length === 0) return []
  const definitions = readObjects(files.filter(file => hasAnyText(file, DEFINITIONS))).objects
  const own = readObjects(examples)
  const paths = new Set(examples.map(({path}) => path))
  const {findings} = validateObjects(
    withAllActive(closure),
    {...own, objects: [...definitions, ...own.objects.filter(({kind}) => kind !== 'Composition')]},
    {...judge, allowUnknown: []},
  )
  return findings
    .filter(({file, rule}) => paths.has(file) && rule !== 'no-schema')
    .map(({file, line, path, object, message}) => ({
      ...({severity: 'warning', rule: 'xpkg-example-invalid'} as const),
      ...{file, line, message: path === undefined ? `${object}: ${message}` : message},
      ...present({field: path}),
    }))
}

/** Reports whether files can be those of a Configuration, for whose examples other packages are read. */
export function canBeConfiguration(files: readonly PackageFile[]): boolean {
  return files.some(
    file => hasAnyText(file, ['meta.pkg.crossplane.io']) && hasAnyText(file, ['Configuration']),
  )
}

const DEFINITIONS = ['kind: CompositeResourceDefinition', '"CompositeResourceDefinition"']
