import {formatImageName, type ImageName} from '../reference/image-name.js'
import type {Install} from '../render/package-record.js'
import type {PermissionScope} from '../unpack/package.js'
import {asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'

/** Where a package was found, and what that says of its identity. */
export interface PackageOrigin {
  /** The folder, layout or archive that was read. */
  readonly readFrom: string
  /** What it is pulled as; none for a local package that nobody named. */
  readonly reference?: ImageName
  readonly repositoryPath: string
  readonly tag?: string
  readonly digest?: string
}

/** Who a package says that it is, and what it was found as. Texts are the package's own, whatever they hold. */
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

/** `isVersionKnown` says whether the install's version is the package's, or stands in for one. */
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
  Cluster: 'its controller may do in the whole cluster what its permissions say',
  Namespaced: 'its controller may do in its own namespace what its permissions say, and nothing elsewhere',
}

function identity({
  readFrom,
  reference,
  repositoryPath,
  tag,
  digest,
}: PackageOrigin): Pick<PackageFacts, 'readFrom' | 'reference' | 'repository' | 'tag' | 'digest'> {
  const known = {tag: reference?.tag ?? tag, digest: digest ?? reference?.digest}
  return {
    readFrom,
    ...(reference === undefined ? {} : {reference: formatImageName(reference)}),
    repository: reference === undefined ? repositoryPath : formatImageName(withoutVersion(reference)),
    ...(known.tag === undefined ? {} : {tag: known.tag}),
    ...(known.digest === undefined ? {} : {digest: known.digest}),
  }
}

function withoutVersion({registry, path}: ImageName): ImageName {
  return {path, ...(registry === undefined ? {} : {registry})}
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
  const given = TEXT_FIELDS.map(field => [field, asText(app[field])] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

function contributors(value: JsonObject[string] | undefined): Contributor[] {
  return asObjects(value).map(({name, email}) => ({
    ...(typeof name === 'string' ? {name} : {}),
    ...(typeof email === 'string' ? {email} : {}),
  }))
}
