import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {Allowance} from '../fetch/allowance.js'
import type {FieldPath, JsonObject} from '../yaml/json-value.js'
import type {YamlBudget} from '../yaml/read-yaml.js'
import {type App, readApp} from './app.js'
import {readBehavior} from './behavior.js'
import {readController} from './controller.js'
import {metadataOf} from './crd-metadata.js'
import {readCrds, type SourceCrd} from './crds.js'
import {type FileKinds, fileKinds} from './file-kinds.js'
import {type DiagnosticCollector, errorIn, type SourceDocument} from './diagnostics.js'
import {type MetadataFiles, readMetadataFiles} from './metadata-files.js'
import type {Behavior, Icon, Package} from './package.js'
import {compareWalkOrder, directoryOf, displayPath, type PackageFile} from './package-file.js'
import {count} from '../text.js'

/** Everything that could be read of a package, and its errors and warnings in walk order. */
export interface Examination {
  readonly files: FileKinds
  readonly app?: App
  readonly metadata: MetadataFiles
  /** The CRDs without errors. */
  readonly crds: readonly SourceCrd[]
  readonly controller?: JsonObject
  readonly behavior?: Behavior
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** The documents of the files that were read as YAML. */
  readonly documents: ReadonlyMap<PackageFile, readonly SourceDocument[]>
  /** The places in which scalars became text, of the documents that were read as their types. */
  readonly converted: ReadonlyMap<SourceDocument, readonly FieldPath[]>
  /** The package, if there are no errors. */
  readonly package?: Package
}

/**
 * Reads the files below `.registry/`, in any order, as a package. `name` is the package's in messages, `folder` the one that
 * the files are from. Throws `package-invalid` with every error of the package, and `limit-exceeded`.
 */
export function readPackage(name: string, files: readonly PackageFile[], folder?: string): Package {
  const {package: read, errors} = examinePackage(files)
  if (read === undefined) throw invalidPackage(name, errors, folder)
  return read
}

/** Reads everything that can be read of a package, despite errors elsewhere in it. Throws `limit-exceeded`. */
export function examinePackage(files: readonly PackageFile[]): Examination {
  const documents = new Map<PackageFile, readonly SourceDocument[]>()
  const converted = new Map<SourceDocument, readonly FieldPath[]>()
  const budget = packageBudget(files)
  const collector: DiagnosticCollector = {errors: [], warnings: [], budget, documents, converted}
  const sorted = [...files].sort(compareWalkOrder)
  const kinds = fileKinds(sorted)
  const app = readApp(kinds.apps, collector)
  const contents = readContents(app, kinds, collector)
  const warnings = inWalkOrder(collector.warnings, sorted)
  const examined = {
    ...contents,
    files: kinds,
    errors: inWalkOrder(collector.errors, sorted),
    warnings,
    documents,
    converted,
  }
  if (app === undefined) return examined
  if (collector.errors.length > 0) return {...examined, app}
  return {...examined, app, package: packageOf(app, contents, warnings)}
}

/**
 * Fifteen times, and fifty times, the content of the largest known package: what a command needs for it stays below 10 s
 * and 500 MB. More CRDs, about 1,480 of 48 KB, belong into several packages.
 */
const MAX_PACKAGE_VALUES = 150_000
const MAX_PACKAGE_SEPARATORS = 1_000_000

function packageBudget(files: readonly PackageFile[]): YamlBudget {
  const values = new Allowance(MAX_PACKAGE_VALUES, 'values, together with the other files of the package')
  const size = files.reduce((sum, {bytes}) => sum + bytes.length, 0)
  // So few bytes cannot have too many, and counting takes time.
  if (size <= MAX_PACKAGE_SEPARATORS) return {values}
  const separators = new Allowance(
    MAX_PACKAGE_SEPARATORS,
    'lines and punctuation marks, together with the other files of the package',
  )
  return {values, separators}
}

type Contents = Pick<Examination, 'metadata' | 'crds' | 'controller' | 'behavior'>

function readContents(app: App | undefined, files: FileKinds, collector: DiagnosticCollector): Contents {
  const metadata = readMetadataFiles(files, collector)
  const crds = readCrds(files.crds, app?.permissionScope ?? 'Cluster', collector)
  const controller = readController(files.installs, collector)
  const behavior = readBehavior(files.behaviors, collector)
  if (controller !== undefined && behavior !== undefined) rejectBoth(files, collector)
  return {
    metadata,
    crds,
    controller,
    behavior,
  }
}

function packageOf(app: App, contents: Contents, warnings: readonly Diagnostic[]): Package {
  const {metadata, crds, controller, behavior} = contents
  return {
    app: app.fields,
    title: app.title,
    version: app.version,
    permissionScope: app.permissionScope,
    dependencies: app.dependencies,
    icons: metadata.icons.all
      .filter(({file}) => directoryOf(file).length === 0)
      .map(({value}): Icon => value),
    crds: crds.map(crd => ({
      file: displayPath(crd.file),
      object: crd.object,
      definition: crd.definition,
      metadata: metadataOf(crd, metadata),
    })),
    controller,
    behavior,
    warnings,
  }
}

function rejectBoth({installs, behaviors}: FileKinds, collector: DiagnosticCollector): void {
  const [install, behavior] = [installs[0], behaviors[0]]
  if (install === undefined || behavior === undefined) return
  const message = `a package has either a controller or a behavior, but ${displayPath(install)} also exists`
  errorIn(behavior, {rule: 'behavior-and-install', message}, collector)
}

/** Sorts diagnostics by the order of `files`, which is walk order; those without a file come first. */
export function inWalkOrder(diagnostics: readonly Diagnostic[], files: readonly PackageFile[]): Diagnostic[] {
  const places = new Map(files.map((file, index) => [displayPath(file), index]))
  const placeOf = ({file}: Diagnostic) => places.get(file ?? '') ?? -1
  return [...diagnostics].sort((a, b) => placeOf(a) - placeOf(b) || (a.line ?? 0) - (b.line ?? 0))
}

/** Creates the error for an invalid package, with every error of it. */
export function invalidPackage(
  name: string,
  errors: readonly Diagnostic[],
  packageFolder?: string,
): CrossplaneError {
  const total = count(errors.length, 'error')
  return new CrossplaneError('package-invalid', `cannot read the package ${name}: ${total}`, {
    diagnostics: errors,
    suggestions: ['Fix the package, or report the errors to its authors.'],
    packageFolder,
  })
}
