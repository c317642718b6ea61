import {formatImageName, type ImageName} from '../reference/image-name.js'
import type {Install} from '../render/package-record.js'
import type {PermissionScope} from '../unpack/package.js'
import {asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'

/** The source of a package, and the identity that follows from it. */
export interface PackageOrigin {
  /** The folder, layout or archive that was read. */
  readonly readFrom: string
  /** The reference that it is pulled with; absent for a local package without --as-package. */
  readonly reference?: ImageName
  readonly repositoryPath: string
  readonly tag?: string
  readonly digest?: string
}

/** The metadata of a package and its source. Texts are those of the package, unescaped. */
export interface PackageFacts {
  readonly readFrom: string
  readonly reference?: string
  readonly repository: string
  readonly tag?: string
  readonly version?: string
  readonly digest?: string
  /** The package format: that of Crossplane v0.12, which both eras share. */
  readonly format: 'v0.12'
  readonly title: string
  readonly overviewShort?: string
  readonly overview?: string
  readonly category?: string
  readonly keywords: readonly string[]
  readonly company?: string
  readonly license?: string
  readonly website?: string
  readonly source?: string
  readonly maintainers: readonly Contributor[]
  readonly owners: readonly Contributor[]
  readonly packageType?: string
  readonly permissionScope: PermissionScope
  readonly permissionScopeWords: string
}

interface Contributor {
  readonly name?: string
  readonly email?: string
}

/** `isVersionKnown` states whether the install's version is the package's, or a placeholder. */
export function packageFacts(
  origin: PackageOrigin,
  {package: {app, title, permissionScope}, version}: Install,
  isVersionKnown: boolean,
): PackageFacts {
  return {
    ...identity(origin),
    ...(isVersionKnown ? {version} : {}),
    format: 'v0.12',
    title,
    ...texts(app),
    keywords: asTexts(app.keywords),
    maintainers: contributors(app.maintainers),
    owners: contributors(app.owners),
    permissionScope,
    permissionScopeWords: SCOPE_WORDS[permissionScope],
  }
}

const SCOPE_WORDS: Readonly<Record<PermissionScope, string>> = {
  Cluster: 'permissions hold in the whole cluster',
  Namespaced: 'permissions hold in the namespace of the install',
}

/** The source and the names of a package. */
export function identity({
  readFrom,
  reference,
  repositoryPath,
  tag,
  digest,
}: PackageOrigin): Pick<PackageFacts, 'readFrom' | 'reference' | 'repository' | 'tag' | 'digest'> {
  const place = {tag: reference?.tag ?? tag, digest: digest ?? reference?.digest}
  return {
    readFrom,
    ...(reference === undefined ? {} : {reference: formatImageName(reference)}),
    repository: reference === undefined ? repositoryPath : formatImageName(withoutVersion(reference)),
    tag: place.tag,
    digest: place.digest,
  }
}

function withoutVersion({registry, path}: ImageName): ImageName {
  return {path, registry}
}

const TEXT_FIELDS = [
  'overviewShort',
  'overview',
  'category',
  'company',
  'license',
  'website',
  'source',
  'packageType',
] as const

function texts(app: JsonObject): Pick<PackageFacts, (typeof TEXT_FIELDS)[number]> {
  const fields = TEXT_FIELDS.map(field => [field, asText(app[field])] as const)
  return Object.fromEntries(fields.filter(([, text]) => text !== ''))
}

function contributors(value: JsonObject[string] | undefined): Contributor[] {
  return asObjects(value).map(({name, email}) => ({
    ...(typeof name === 'string' ? {name} : {}),
    ...(typeof email === 'string' ? {email} : {}),
  }))
}
