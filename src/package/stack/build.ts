import {join} from 'node:path/posix'
import {bakeMetadata} from '../../author/build/bake-metadata.js'
import {buildImage, type ImageFolder, tagWarnings} from '../../author/build/build-image.js'
import type {SourceFacts} from '../../author/build/source-control.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {filesInDirectory} from '../../locate/image-files.js'
import {locatePackage} from '../../locate/locate-package.js'
import {parseImageName} from '../../reference/image-name.js'
import {present} from '../../present.js'
import type {App} from '../../unpack/app.js'
import {directoryFiles, folderInDirectory} from '../../unpack/files/directory-files.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import {type Examination, examinePackage, invalidPackage} from '../../unpack/read-package.js'
import type {PackageSources} from '../../locate/package-sources.js'
import type {BuildPorts, BuildQuery, BuildSource, BuiltImage, FolderCopy} from '../build.js'
import {lintOutcome} from '../lint-outcome.js'
import {lintStack} from './lint.js'

/**
 * Lints and builds a package of Crossplane v0.12. Throws `package-invalid` with all errors of lint, or without lint with those that
 * prevent the package from being rendered, and `usage` if tag and version differ, and for flags of the other format.
 */
export async function buildStack(
  query: BuildQuery,
  {directory, tag, base}: BuildSource,
  ports: BuildPorts,
): Promise<BuiltImage> {
  const {sources, sourceControl} = ports
  rejectXpkgFlags(query)
  const files = await directoryFiles(directory)
  const examination = examinePackage(files)
  const app = readableApp(query.path, examination)
  const templates = await templatesOf(directory, examination)
  const warnings = [
    ...tagWarnings(app.version, tag),
    ...(query.lint ? await linted(query.path, tag, ports) : []),
  ]
  const folders = besideFolders(query, templates)
  const source = await sourceControl.facts(query.path, folders)
  const packed = query.bake === undefined ? files : bakeMetadata(files, examination, query.bake)
  const copies = await Promise.all((query.copies ?? []).map(async copy => await folderOf(copy, sources)))
  const image = buildImage({
    app,
    files: packed,
    copies,
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
    folders,
    warnings: [...warnings, ...missingTemplates(examination, templates), ...dirtyWarning(source)],
  }
}

/** All checks of `package lint`, for the tag that the package gets. */
async function linted(
  path: string,
  tag: string | undefined,
  {sources, schemaRules, checkTemplates}: BuildPorts,
): Promise<readonly Diagnostic[]> {
  const ports = {sources, schemaRules, remote: {}, ...present({checkTemplates})}
  const located = await locatePackage({kind: 'directory', path}, ports)
  return lintOutcome(path, await lintStack({...located, ...present({tag})}, {}, ports), NO_LINT)
}

function rejectXpkgFlags({path, examples, ignore = []}: BuildQuery): void {
  const flag = examples === undefined ? (ignore.length > 0 ? 'ignore' : undefined) : 'examples'
  if (flag === undefined) return
  throw new CrossplaneError('usage', `--${flag} does not apply to ${path}: it has no crossplane.yaml`, {
    suggestions: [`Leave out --${flag}: of a package of Crossplane v0.12, only .registry/ is read.`],
  })
}

const NO_LINT = 'Pass --no-lint to build a package that can be rendered despite them.'

async function folderOf({from, to}: FolderCopy, sources: PackageSources): Promise<ImageFolder> {
  const files = (await folderInDirectory(await sources.directory(from), [])) ?? []
  if (files.length > 0) return {path: to, files}
  throw new CrossplaneError('not-found', `cannot copy ${from} into the image: the folder is empty`, {
    suggestions: ['Build the program first, or correct --copy.'],
  })
}

/** Reads the templates beside `.registry/`; undefined if there are none. Throws `source-unsafe` for a path out of the package. */
async function templatesOf(
  directory: PackageDirectory,
  {behavior}: Examination,
): Promise<ImageFolder | undefined> {
  if (behavior === undefined) return undefined
  const {path} = behavior.source
  try {
    return {path, files: await filesInDirectory(directory, path)}
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

function besideFolders({path, copies = []}: BuildQuery, templates: ImageFolder | undefined): string[] {
  const own = templates === undefined ? [] : [join(path, templates.path)]
  return [...own, ...copies.map(({from}) => from)]
}

function missingTemplates({behavior}: Examination, templates: ImageFolder | undefined): Diagnostic[] {
  if (behavior === undefined || behavior.source.image !== undefined || templates !== undefined) return []
  const message = `the folder ${behavior.source.path} of behavior.yaml: no such file or directory; the image has no templates`
  return [{severity: 'warning', rule: 'templates-missing', message}]
}

function readableApp(name: string, {app, errors}: Examination): App {
  if (app === undefined || errors.length > 0) throw invalidPackage(name, errors)
  return app
}

function tagFor({version}: App): string | undefined {
  return version === undefined ? undefined : parseImageName(`package:${version}`)?.tag
}

function dirtyWarning(source: SourceFacts | undefined): Diagnostic[] {
  if (source?.unread !== undefined) {
    const {message, suggestions} = source.unread
    return [
      {
        severity: 'warning',
        rule: 'commit-unread',
        message: `the image does not record a commit: ${message}`,
        suggestions,
      },
    ]
  }
  if (source?.isDirty !== true) return []
  const message = 'files of the image are not committed: it does not record a commit'
  return [{severity: 'warning', rule: 'uncommitted', message}]
}
