import {bakeMetadata} from '../../author/build/bake-metadata.js'
import type {BaseImage} from '../../author/build/base-image.js'
import {buildImage, tagWarnings} from '../../author/build/build-image.js'
import type {SourceControl, SourceFacts} from '../../author/build/source-control.js'
import type {LintSubject} from '../../author/lint/candidate.js'
import {lintPackage} from '../../author/lint/lint-package.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Image} from '../../fetch/image.js'
import {filesInDirectory} from '../../locate/image-files.js'
import {isLocalPath} from '../../reference/package-reference.js'
import {parseImageName} from '../../reference/image-name.js'
import {present} from '../../present.js'
import type {Era} from '../../render/era.js'
import type {App} from '../../unpack/app.js'
import {directoryFiles} from '../../unpack/files/directory-files.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import {type Examination, examinePackage, invalidPackage} from '../../unpack/read-package.js'
import type {PackageSources} from '../../locate/package-sources.js'
import {count, shellWord} from '../../text.js'

/** The package to build. */
export interface BuildQuery {
  /** The folder that is or contains `.registry/`. */
  readonly path: string
  readonly lint: boolean
  /** The era whose annotations metadata files become; absent to keep the files. */
  readonly bake?: Era
  /** In seconds since 1970. */
  readonly epoch?: number
}

export interface BuildPorts {
  readonly sources: PackageSources
  readonly sourceControl: SourceControl
}

/** An image that is not written yet. */
export interface BuiltImage {
  readonly image: Image
  /** The requested tag, otherwise the version if it is a valid tag. */
  readonly tag?: string
  /** The number of files of the package. */
  readonly files: number
  readonly warnings: readonly Diagnostic[]
}

/**
 * Lints and builds a package. Throws `package-invalid` with all errors of lint, or without lint with those that prevent
 * the package from being rendered, and `usage` if tag and version differ.
 */
export async function buildPackage(
  query: BuildQuery,
  tag: string | undefined,
  base: BaseImage | undefined,
  {sources, sourceControl}: BuildPorts,
): Promise<BuiltImage> {
  const directory = await sources.directory(query.path)
  const files = await directoryFiles(directory)
  const examination = examinePackage(files)
  const app = readableApp(query.path, examination)
  const templates = await templatesOf(directory, examination)
  const warnings = [
    ...tagWarnings(app.version, tag),
    ...(query.lint ? lintWarnings(query.path, {files, tag, templates: templates?.files}) : []),
  ]
  const source = await sourceControl.facts(query.path)
  const packed = query.bake === undefined ? files : bakeMetadata(files, examination, query.bake)
  const image = buildImage({
    app,
    files: packed,
    ...present({templates}),
    base,
    source,
    epoch: query.epoch,
  })
  const imageTag = tag ?? tagFor(app)
  return {
    image,
    tag: imageTag,
    files: packed.length + (templates?.files.length ?? 0),
    warnings: [...warnings, ...missingTemplates(examination, templates), ...dirtyWarning(source)],
  }
}

type Templates = NonNullable<Parameters<typeof buildImage>[0]['templates']>

/** Reads the templates beside `.registry/`; undefined if there are none. Throws `source-unsafe` for a path out of the package. */
async function templatesOf(
  directory: PackageDirectory,
  {behavior}: Examination,
): Promise<Templates | undefined> {
  if (behavior === undefined) return undefined
  const {path} = behavior.source
  try {
    return {path, files: await filesInDirectory(directory, path)}
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

function missingTemplates({behavior}: Examination, templates: Templates | undefined): Diagnostic[] {
  if (behavior === undefined || behavior.source.image !== undefined || templates !== undefined) return []
  const message = `the folder ${behavior.source.path} of behavior.yaml does not exist: the image has no templates`
  return [{severity: 'warning', rule: 'templates-missing', message}]
}

function readableApp(name: string, {app, errors}: Examination): App {
  if (app === undefined || errors.length > 0) throw invalidPackage(name, errors)
  return app
}

/** Lints the package, and only counts its warnings: package lint lists them. */
function lintWarnings(name: string, subject: LintSubject): Diagnostic[] {
  const diagnostics = lintPackage(subject)
  const errors = diagnostics.filter(({severity}) => severity === 'error')
  if (errors.length > 0) throw rejected(name, errors)
  if (diagnostics.length === 0) return []
  const what = count(diagnostics.length, 'warning')
  return [
    {
      severity: 'warning',
      rule: 'lint',
      message: `lint found ${what}: kubectl crossplane package lint ${shellWord(asReference(name))}`,
    },
  ]
}

/** Formats a folder in the form that lint accepts. */
function asReference(path: string): string {
  return isLocalPath(path) ? path : `./${path}`
}

function rejected(name: string, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const total = count(diagnostics.length, 'error')
  return new CrossplaneError('package-invalid', `cannot build ${name}: lint found ${total}`, {
    diagnostics,
    suggestions: ['Pass --no-lint to build a package that can be rendered despite them.'],
  })
}

function tagFor({version}: App): string | undefined {
  return version === undefined ? undefined : parseImageName(`package:${version}`)?.tag
}

function dirtyWarning(source: SourceFacts | undefined): Diagnostic[] {
  if (source?.isDirty !== true) return []
  const message = 'the package has changes that are not committed: the image does not record a commit'
  return [{severity: 'warning', rule: 'uncommitted', message}]
}
