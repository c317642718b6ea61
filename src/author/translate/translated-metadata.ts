import type {Diagnostic} from '../../diagnostic.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import {listAll, quoted} from '../../text.js'
import type {Dependency} from '../../unpack/package.js'
import {asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {lostNote, type TranslationInput} from './translated.js'

/** The metadata object of a translated package, and what of app.yaml it cannot hold. */
export interface TranslatedMetadata {
  readonly metadata: JsonObject
  readonly notes: readonly Diagnostic[]
}

const PREFIX = 'meta.crossplane.io/'
/** Annotations of one object together have at most 256 KiB. */
const MAX_README = 64 * 1024

/** Fields of app.yaml that have no place in metadata. */
const LOST = ['category', 'company', 'icons', 'keywords', 'owners', 'packageType', 'website']

/** Translates app.yaml: descriptions become annotations, packages become dependencies on Providers. */
export function translatedMetadata({
  package: {app, dependencies, icons},
  name,
}: TranslationInput): TranslatedMetadata {
  const annotations = annotationsOf(app)
  const required = dependencies.flatMap(requirement)
  const lost = LOST.filter(field => (field === 'icons' ? icons.length > 0 : app[field] !== undefined))
  return {
    metadata: {
      apiVersion: 'meta.pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: {name, ...(Object.keys(annotations).length === 0 ? {} : {annotations})},
      spec: required.length === 0 ? {} : {dependsOn: required},
    },
    notes: [
      ...(lost.length === 0
        ? []
        : [lostNote('translate-app', `app.yaml: there is no place for ${listAll(lost, 'and')}`)]),
      ...crdNote(dependencies),
      ...dependencies.flatMap(packageNote),
      ...(asText(app.readme).length > MAX_README
        ? [lostNote('translate-app', 'app.yaml: the readme is too long for an annotation')]
        : []),
    ],
  }
}

function annotationsOf(app: JsonObject): JsonObject {
  const readme = asText(app.readme) || asText(app.overview)
  const values: Readonly<Record<string, string>> = {
    [`${PREFIX}description`]: asText(app.overviewShort),
    [`${PREFIX}license`]: asText(app.license),
    [`${PREFIX}maintainer`]: asObjects(app.maintainers)
      .map(({name, email}) => `${asText(name)} <${asText(email)}>`)
      .join(', '),
    [`${PREFIX}readme`]: readme.length > MAX_README ? '' : readme,
    [`${PREFIX}source`]: asText(app.source),
    'friendly-name.meta.crossplane.io': asText(app.title),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

/** Packages of 2020 are required without a version. */
function requirement(dependency: Dependency): readonly JsonObject[] {
  const repository = repositoryIn(dependency)
  return repository === undefined ? [] : [{provider: repository, version: '>=v0.0.0'}]
}

function repositoryIn(dependency: Dependency): string | undefined {
  if (!('package' in dependency)) return undefined
  const name = parseImageName(dependency.package)
  if (name === undefined) return undefined
  const {registry, path} = repositoryOf(name)
  return `${registry}/${path}`
}

function crdNote(dependencies: readonly Dependency[]): readonly Diagnostic[] {
  const crds = dependencies.flatMap(dependency => ('crd' in dependency ? [quoted(dependency.crd)] : []))
  if (crds.length === 0) return []
  const message = `app.yaml: packages for a current Crossplane can require packages, but not CRDs: ${listAll(crds, 'and')}`
  return [lostNote('translate-dependency', message)]
}

function packageNote(dependency: Dependency): readonly Diagnostic[] {
  if (!('package' in dependency)) return []
  const repository = repositoryIn(dependency)
  const name = `app.yaml: the required package ${quoted(dependency.package)}`
  const message =
    repository === undefined
      ? `${name} has no valid name`
      : `${name} has to be translated as well, and pushed to ${repository}`
  return [lostNote('translate-dependency', message)]
}
