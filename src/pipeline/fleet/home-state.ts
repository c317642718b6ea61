import {type Lock, lockedName, type LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import type {Checkout} from '../../commit/checkout.js'
import {CrossplaneError} from '../../errors.js'
import {declaredEntries} from '../../plan/declaration/declared-names.js'
import {joinOwnedFiles, parseLists} from '../../plan/folder/owned-files.js'
import {present} from '../../present.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {isInRange} from '../../reference/version-range.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {committedHome, heldLock, type HomePorts} from '../home/committed-home.js'

/** A package of a home. */
export interface HomePackage {
  /** The full repository name. */
  readonly package: string
  /** What the declaration says of its version: a tag, a digest or a range; absent for one that others require. */
  readonly declared?: string
  readonly locked?: string
  readonly digest?: string
  /** Whether the declaration rules out what is locked; never said of the range of a package for a current Crossplane. */
  readonly isOutdated?: boolean
  /** The version in the rendered files; absent if they do not have it. */
  readonly rendered?: string
  /** The version in the rendered files of the last commit; absent if it does not have them. */
  readonly inGit?: string
}

/** Where homes are read. */
export interface FleetPorts extends HomePorts {
  /**
   * Where the last commit is read, or why it cannot be; absent outside of a repository. All of its files are read: what git lists as changed
   * in the working tree lacks files that it ignores, or was told to take as they are.
   */
  readonly head?:
    | {readonly committedFiles: (paths: readonly string[]) => ReturnType<Checkout['committedFiles']>}
    | {readonly unread: CrossplaneError}
}

/** What a home has of its packages. */
export interface HomeState {
  /** Whether what the last commit has is known. */
  readonly isInGit: boolean
  /** Why it is not known in a repository. */
  readonly gitError?: CrossplaneError
  readonly lock: Lock
  readonly packages: readonly HomePackage[]
}

/** Reads the packages of a home: declaration, lock and rendered files. Throws `not-found` without both, and `input-invalid`. */
export async function homeState(place: HomePlace, ports: FleetPorts): Promise<HomeState> {
  const {checkout, head} = ports
  const files = await committedHome(place, await checkout.state(), ports)
  const {name, bytes} = files.declaration
  const lock = heldLock(files)?.lock
  if (bytes === undefined || lock === undefined) throw notHome(bytes === undefined ? name : files.lock.name)
  const {packages, defaultSource} = readDeclaration(name, bytes)
  const declared = new Map(
    declaredEntries({packages}, defaultSource).all.map(entry => [
      entry.identity,
      {...entry, text: entry.range ?? entry.image.tag ?? entry.image.digest ?? 'any'},
    ]),
  )
  const owned = [...joinOwnedFiles(parseLists(files.lists, files.tree).values()).keys()]
  const requests = owned.filter(isRequestFile).map(path => `${files.tree}/${path}`)
  const rendered = renderedVersions(await checkout.committedFiles(requests), lock)
  const gitError = head !== undefined && 'unread' in head ? head.unread : undefined
  const committed = head === undefined || 'unread' in head ? undefined : await head.committedFiles(requests)
  const inGit = committed && renderedVersions(committed, lock)
  const locked = lockedPackages(lock)
  const absent = [...declared.keys()].filter(identity => !locked.has(identity))
  return {
    lock,
    isInGit: inGit !== undefined,
    ...present({gitError}),
    packages: [
      ...[...locked].map(([identity, versions]) => ({
        package: identity,
        ...versions,
        ...present({
          declared: declared.get(identity)?.text,
          isOutdated: isOutdated(declared.get(identity), identity, lock),
          rendered: rendered.get(identity),
          inGit: inGit?.get(identity),
        }),
      })),
      ...absent.map(identity => ({package: identity, ...present({declared: declared.get(identity)?.text})})),
    ],
  }
}

function notHome(file: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot read ${file}: no such file or directory`, {
    suggestions: ['Pass folders with a crossplane-packages.yaml and its lock.'],
  })
}

/** Reports whether an entry of the declaration was changed since it was locked. Undefined if it was not, or another dialect decides. */
function isOutdated(
  entry: ReturnType<typeof declaredEntries>['all'][number] | undefined,
  identity: string,
  {packages, xpkgs = []}: Lock,
): true | undefined {
  if (entry === undefined) return undefined
  const stack = packages.find(own => own.identity === identity)
  const own = stack ?? xpkgs.find(({repository}) => repository === identity)
  const isOutside = stack !== undefined && entry.range !== undefined && !isInRange(stack.tag, entry.range)
  return isOutside || (own !== undefined && isOther(entry.image, own)) ? true : undefined
}

/** A digest takes precedence over a tag. */
function isOther({tag, digest}: ImageName, own: Pick<LockedXpkg, 'tag' | 'digest'>): boolean {
  if (digest !== undefined && own.digest !== undefined) return digest !== own.digest
  return tag !== undefined && own.tag !== undefined && tag !== own.tag
}

/** The files of requests and records: CRDs are large, and have no versions of packages. */
function isRequestFile(path: string): boolean {
  return /(?:^|\/)(?:provider|configuration|function|package|stack)-[^/]*\.ya?ml$/.test(path)
}

function lockedPackages({packages, xpkgs = []}: Lock) {
  return new Map([
    ...packages.map(({identity, tag, digest}) => [identity, {locked: tag, ...present({digest})}] as const),
    ...xpkgs.map(
      ({repository, tag, digest}) =>
        [repository, {locked: tag ?? digest ?? '', ...present({digest})}] as const,
    ),
  ])
}

/** Returns the versions of requests for a current Crossplane, and of records, by repository. */
function renderedVersions(
  files: ReadonlyMap<string, Uint8Array>,
  {packages, xpkgs = []}: Lock,
): ReadonlyMap<string, string> {
  const installs = new Map(
    packages.flatMap(({identity, installs: own}) =>
      own.map(({namespace, name}) => [`${namespace}/${name}`, identity] as const),
    ),
  )
  const versions = new Map<string, string>()
  for (const object of objectsIn(files)) {
    const metadata = asObject(object.metadata)
    const [namespace, name] = [asText(metadata.namespace), asText(metadata.name)]
    const spec = asObject(object.spec)
    const image = parseImageName(asText(spec.package))
    const xpkg = xpkgs.find(own => own.kind === object.kind && lockedName(own) === name)
    if (image !== undefined && xpkg !== undefined) {
      const {tag, digest} = image
      versions.set(formatRepository(repositoryOf(image)), renderedVersion(xpkg, tag, digest))
    }
    const identity = installs.get(`${namespace}/${name}`)
    if (identity !== undefined && asText(spec.version) !== '') versions.set(identity, asText(spec.version))
  }
  return versions
}

/** A file that cannot be read has no version: the package is not rendered. */
function objectsIn(files: ReadonlyMap<string, Uint8Array>): readonly JsonObject[] {
  return [...files].flatMap(([path, bytes]) => {
    try {
      return readYaml(bytes, path).map(({value}) => asObject(value))
    } catch (error) {
      if (error instanceof CrossplaneError) return []
      throw error
    }
  })
}

/** A pinned request can have the digest alone: it is that of the lock, or the version is unknown. A tag tells nothing beside another digest. */
function renderedVersion(xpkg: LockedXpkg, tag: string | undefined, digest: string | undefined): string {
  if (digest !== undefined && xpkg.digest !== undefined && digest !== xpkg.digest)
    return tag === undefined ? digest : `${tag}@${digest}`
  return tag ?? (digest !== undefined && digest === xpkg.digest ? xpkg.tag : undefined) ?? digest ?? ''
}
