import {isDigest, parseImageName} from '../../reference/image-name.js'
import {listAll, quoted} from '../../text.js'
import {type DiagnosticCollector, errorAt, type SourceDocument, warningAt} from '../../unpack/diagnostics.js'
import {asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {checkConstraint} from './check-constraint.js'
import {XPKG_KINDS} from './object-kinds.js'
import type {XpkgDependency} from './xpkg.js'

/** Where an entry of `dependsOn` is, for diagnostics. */
interface EntryContext {
  readonly document: SourceDocument
  readonly path: FieldPath
  readonly collector: DiagnosticCollector
}

/** Reads the dependencies of a package as the core does, and reports those that fail when it is installed. */
export function readDependencies(
  document: SourceDocument,
  spec: JsonObject,
  collector: DiagnosticCollector,
): readonly XpkgDependency[] {
  const seen = new Set<string>()
  return asObjects(spec.dependsOn).flatMap((entry, index) => {
    const context = {document, path: ['spec', 'dependsOn', index], collector}
    const dependency = readEntry(entry, context)
    if (dependency === undefined) return []
    checkNames(entry, dependency, context)
    checkRepository(dependency, context)
    checkKind(dependency, context)
    checkVersion(dependency, context)
    if (seen.has(dependency.package)) reportDuplicate(dependency, context)
    seen.add(dependency.package)
    return [dependency]
  })
}

const SHORT_FORMS = {configuration: 'Configuration', provider: 'Provider', function: 'Function'} as const

/** All three of the long form win over the short ones, of which the first counts. */
function readEntry(entry: JsonObject, context: EntryContext): XpkgDependency | undefined {
  const version = asText(entry.version)
  if (['apiVersion', 'kind', 'package'].every(name => typeof entry[name] === 'string'))
    return {
      apiVersion: asText(entry.apiVersion),
      kind: asText(entry.kind),
      package: asText(entry.package),
      version,
    }
  for (const [name, kind] of Object.entries(SHORT_FORMS)) {
    if (typeof entry[name] === 'string')
      return {apiVersion: 'pkg.crossplane.io/v1', kind, package: asText(entry[name]), version}
  }
  const missing = ['apiVersion', 'kind', 'package'].filter(name => typeof entry[name] !== 'string')
  errorAt(
    context.document,
    {
      rule: 'xpkg-dependency',
      path: context.path,
      message:
        missing.length === 3
          ? 'the entry names no package: it has neither provider, configuration or function, nor apiVersion, kind and package'
          : `the entry names no package: ${missing.join(' and ')} is missing`,
    },
    context.collector,
  )
  return undefined
}

/** Names of packages in an entry beside the one that counts are ignored without a message. */
function checkNames(entry: JsonObject, {package: repository}: XpkgDependency, context: EntryContext): void {
  const names = [...Object.keys(SHORT_FORMS), 'package'].filter(name => typeof entry[name] === 'string')
  const ignored = names.filter(name => entry[name] !== repository)
  if (ignored.length === 0) return
  const message = `the entry names several packages: of ${listAll(names)}, only ${quoted(repository)} is read`
  report('xpkg-dependency-names', message, {...context, path: [...context.path, ignored[0] ?? '']})
}

/** What the CRDs of requests accept before the tag: a registry with a dot and a path. */
const REPOSITORY = /^[^./@]+(?:\.[^./@]+)+(?:\/[^/:@]+)+$/

function checkRepository({package: repository}: XpkgDependency, context: EntryContext): void {
  const reason = repositoryFault(repository)
  if (reason === undefined) return
  report('xpkg-dependency-name', `${quoted(repository)} cannot be installed: ${reason}`, context)
}

/** Returns why neither a request nor a registry takes a repository. */
function repositoryFault(repository: string): string | undefined {
  const path = repository.slice(repository.indexOf('/') + 1)
  if (/\s/.test(repository)) return 'a repository has no blanks'
  if (/@|:[^/]*$/.test(repository)) return 'a repository has no tag or digest: it belongs into version'
  if (/\/(?:\/|$)/.test(repository)) return 'a part of its path is empty'
  if (repository.length > MAX_REPOSITORY || !REPOSITORY.test(repository))
    return 'a repository begins with the host of a registry, such as xpkg.crossplane.io/'
  if (/[A-Z]/.test(path)) return 'the path of a repository is lowercase'
  if (!PATH.test(path)) return 'the path of a repository has only lowercase letters, digits, . _ - and /'
  return parseImageName(repository) === undefined
    ? 'each part of its path begins and ends with a letter or digit, without two dots side by side'
    : undefined
}

const PATH = /^[a-z0-9/._-]+$/

const MAX_REPOSITORY = 1000

function checkKind({apiVersion, kind}: XpkgDependency, context: EntryContext): void {
  const isServed =
    XPKG_KINDS.some(served => served === kind) &&
    (apiVersion === 'pkg.crossplane.io/v1' ||
      (apiVersion === 'pkg.crossplane.io/v1beta1' && kind === 'Function'))
  if (isServed) return
  report('xpkg-dependency-kind', `${quoted(`${apiVersion} ${kind}`)} is not a kind of packages`, context)
}

function checkVersion({version}: XpkgDependency, context: EntryContext): void {
  if (isDigest(version)) return
  const path = [...context.path, 'version']
  if (version === '') {
    report('xpkg-constraint', 'the version is missing: no version satisfies an empty constraint', {
      ...context,
      path,
    })
    return
  }
  checkConstraint(version, {...context, path}, 'xpkg-constraint')
}

function reportDuplicate({package: repository}: XpkgDependency, context: EntryContext): void {
  warningAt(
    context.document,
    {
      rule: 'xpkg-dependency-twice',
      path: context.path,
      message: `${quoted(repository)} is already a dependency: both constraints have to hold`,
    },
    context.collector,
  )
}

function report(rule: string, message: string, {document, path, collector}: EntryContext): void {
  errorAt(document, {rule, path, message}, collector)
}
