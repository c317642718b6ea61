import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {CrossplaneError} from '../../errors.js'
import {ifAllowed} from '../../observe/objects/denied-reads.js'
import {present} from '../../present.js'
import {formatImageName, parseImageName} from '../../reference/image-name.js'
import type {InstallId} from '../../reference/install-id.js'
import {
  fullForm,
  type Nameable,
  namedByLastPart,
  namedIn,
  type NameText,
  nearNames,
  notFound,
} from '../../reference/named.js'
import type {InstalledFormat, NamesQuery} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'

/** A NAME of nothing that was looked for, which can be a repository or a name in another namespace. */
interface UnknownName extends NameText, NamesQuery {
  /** The install that it would be. */
  readonly install?: InstallId
  /** Whether it can also be a package, which has no namespace. */
  readonly selectsPackages?: boolean
  /** Whether it is removed, so that its name has to be written out. */
  readonly isRemoved?: boolean
}

/** What a text names that is not the name of an install in its namespace. */
interface NamedElsewhere {
  readonly installs: readonly (InstallId & Nameable)[]
  /** What comes from the only repository with the text as its last segment; not for what removes packages. */
  readonly byLastPart: readonly Nameable[]
  /** The error if there are none. */
  readonly error: CrossplaneError
}

/**
 * Returns the installs that a text names by their repository. The name of an install in another namespace is only a suggestion. Throws
 * `usage` for a text that names several packages.
 */
export async function namedElsewhere(query: UnknownName, api: ClusterApi): Promise<NamedElsewhere> {
  const names = await namesInCluster(query, api)
  const {text, selectsPackages} = query
  const installs = names.flatMap(one => {
    const {namespace, name} = one
    return namespace === undefined || name === undefined || name === text ? [] : [{...one, namespace, name}]
  })
  const candidates = selectsPackages === true ? names : installs
  const isMeant = query.isRemoved !== true && namedIn(query, candidates).length === 0
  const byLastPart = isMeant ? namedByLastPart(query, candidates) : []
  return {installs: namedIn(query, installs), byLastPart, error: notInstalled(query, names)}
}

/** Writes out the names, of NAME or NAME:TAG, that are last segments of repositories. Throws `usage` for that of several. */
export async function writtenOut(
  texts: readonly string[],
  query: Omit<NameText, 'text'>,
  api: ClusterApi,
): Promise<readonly string[]> {
  const names = await namesInCluster({}, api)
  return texts.map(full => {
    const text = withoutVersion(full)
    if (namedIn({...query, text}, names).length > 0) return full
    const [one] = namedByLastPart({...query, text}, names)
    return one === undefined ? full : `${fullForm(one)}${full.slice(text.length)}`
  })
}

/**
 * Throws `usage` for a NAME that an install and a package for a current Crossplane have, before a command acts on one of them. What the
 * user may not read, they do not mean.
 */
export async function expectOneMeaning(
  query: NameText,
  {namespace}: NamesQuery,
  api: ClusterApi,
): Promise<void> {
  const [installNames, ...others] = await formatsInCluster('names', api)
  const named: Nameable[] = []
  for (const list of others) named.push(...namedIn(query, await namesOf(list, {}, api)))
  if (named.length === 0 || installNames === undefined) return
  namedIn(query, [...(await namesOf(installNames, present({namespace}), api)), ...named])
}

/** Suggests what is installed for those of some texts that name nothing. Throws the errors of the API. */
export async function nearInCluster(texts: readonly string[], api: ClusterApi): Promise<readonly string[]> {
  const names = await namesInCluster({}, api)
  const isUnknown = (text: string) =>
    namedIn({text: withoutVersion(text), action: 'show'}, names).length === 0
  return [...new Set(texts.filter(isUnknown).flatMap(text => nearOrList(text, names)))]
}

/** Returns the name or repository of NAME:TAG. */
export function withoutVersion(text: string): string {
  return formatImageName({...(parseImageName(text) ?? {path: text}), ...NO_VERSION})
}

const NO_VERSION = {tag: undefined, digest: undefined}

async function namesInCluster(query: NamesQuery, api: ClusterApi): Promise<readonly Nameable[]> {
  const names: Nameable[] = []
  for (const list of await formatsInCluster('names', api)) names.push(...(await namesOf(list, query, api)))
  return names
}

async function namesOf(
  list: InstalledFormat['names'],
  query: NamesQuery,
  api: ClusterApi,
): Promise<readonly Nameable[]> {
  return await ifAllowed<readonly Nameable[]>(() => list(query, api), [])
}

function nearOrList(text: string, names: readonly Nameable[]): readonly string[] {
  const near = nearNames({text}, names)
  return near.length === 0 ? ['kubectl crossplane package list --all-namespaces'] : near
}

/** Where current packages are requested, a name without a namespace is rather meant as one. */
function notInstalled(
  {text, install, selectsPackages}: UnknownName,
  names: readonly Nameable[],
): CrossplaneError {
  const canBePackage = selectsPackages === true && !text.includes('/')
  const isPackage = canBePackage && names.some(({kind}) => kind !== undefined)
  const name = install && !isPackage ? `${install.namespace}/${install.name}` : undefined
  const missing =
    name === undefined ? ({kind: 'package', name: text} as const) : ({kind: 'install', name} as const)
  return notFound(missing, nearOrList(text, names))
}
