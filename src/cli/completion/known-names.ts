import {dirname, join, relative, resolve} from 'node:path'
import {type GivenFlags, valueOf} from '../../completion/command-position.js'
import type {KnownNames} from '../../completion/complete.js'
import type {NamedPackage} from '../../completion/known-packages.js'
import type {Declaration} from '../../declaration/declaration.js'
import type {Lock} from '../../declaration/lock.js'
import {cacheStore, folderKinds, readNamedFile} from '../wire.js'
import {packageNamesAt} from '../sources/bundles.js'

/** The maximum size of a file that completion reads, in bytes: reading a larger one would be felt. */
const MAX_BYTES = 1024 * 1024
/** The same for the files and folders in a folder of packages. */
const MAX_ENTRIES = 500

/**
 * Reads names from local files, all as commands find them. What is absent, large or damaged has no names. No other
 * program is started.
 */
export function knownNames(env: NodeJS.ProcessEnv = process.env): KnownNames {
  // An empty variable counts as unset.
  const variable = (name: string) => (env[name] === '' ? undefined : env[name])
  const expanded = (typed: GivenFlags) => withHome(typed, variable('HOME'))
  return {
    packages: async typed => {
      const flags = expanded(typed)
      const setting = (flag: string, name: string) => valueOf(flags, flag) ?? variable(name)
      const [{knownPackages}, ...named] = await Promise.all([
        import('../../completion/known-packages.js'),
        orNone(() => inLock(flags)),
        orNone(() => inDeclaration(flags)),
        orNone(() => inIndexes(flags.index ?? variable('CROSSPLANE_INDEX'))),
        orNone(() => inFolder(setting('packages', 'CROSSPLANE_PACKAGES'))),
        orNone(() => inCache(setting('cache-dir', 'CROSSPLANE_CACHE_DIR'))),
      ])
      return knownPackages(named.flat(), setting('default-source', 'CROSSPLANE_SOURCE') !== undefined)
    },
    installs: async typed =>
      await orNone(async () => {
        const {installsInLock} = await import('../../completion/known-packages.js')
        return installsInLock(await readLockFile(expanded(typed)))
      }),
    crds: async typed => await orNone(() => crdsInTree(expanded(typed))),
    contexts: async typed => {
      const flags = expanded(typed)
      const {kubeconfigPaths} = await import('../cluster/kubeconfig-paths.js')
      const explicit = valueOf(flags, 'kubeconfig') ?? ''
      return await inEach(explicit === '' ? kubeconfigPaths(env) : [explicit], contextsIn)
    },
    registries: async () => {
      const {credentialsPaths} = await import('../shell/credentials-path.js')
      return await inEach(credentialsPaths(env), registriesWithCredentials)
    },
  }
}

/** Returns the packages that index files name, without the network. */
export async function namesInIndexes(indexes: readonly string[]): Promise<readonly NamedPackage[]> {
  return await orNone(() => inIndexes(indexes))
}

/** Returns the packages that were pulled or listed before. */
export async function namesInCache(folder: string | undefined): Promise<readonly NamedPackage[]> {
  return await orNone(() => inCache(folder))
}

/** Expands `~/` at the start of values, as shells do only when they run the command. */
function withHome(flags: GivenFlags, home: string | undefined): GivenFlags {
  if (home === undefined) return flags
  const expand = (value: string) => (value.startsWith('~/') ? join(home, value.slice(2)) : value)
  return Object.fromEntries(Object.entries(flags).map(([name, values]) => [name, values.map(expand)]))
}

/** A message would appear in the user's prompt. */
async function orNone<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return await read().catch(() => [])
}

/** Returns the names in files, sorted and each once. A file without names, or that is broken, does not hide the others. */
async function inEach(
  paths: readonly string[],
  read: (path: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const names = await Promise.all(paths.map(path => orNone(() => read(path))))
  return [...new Set(names.flat())].sort()
}

async function contextsIn(path: string): Promise<readonly string[]> {
  const [{readKubeconfig}, bytes] = await Promise.all([
    import('../../cluster/kubeconfig/read-kubeconfig.js'),
    readNamedFile(path, MAX_BYTES),
  ])
  return [...readKubeconfig({path, bytes, resolve: within => within}).contexts.keys()]
}

async function registriesWithCredentials(path: string): Promise<readonly string[]> {
  const [{parseDockerConfig, registriesIn}, bytes] = await Promise.all([
    import('../../registry/credentials/docker-config.js'),
    readNamedFile(path, MAX_BYTES),
  ])
  return registriesIn(parseDockerConfig(Buffer.from(bytes).toString(), path))
}

/** The CRDs of the folder that a declaration is rendered to, by the names of their files. */
async function crdsInTree(flags: GivenFlags): Promise<readonly string[]> {
  const declaration = await declarationPath(flags)
  if (declaration === undefined) return []
  const [
    {treeIn},
    {isCrdName},
    {
      tree: {output},
    },
  ] = await Promise.all([
    import('../../plan/folder/home.js'),
    import('../../reference/install-target.js'),
    declarationAt(declaration),
  ])
  const tree = treeIn({folder: ''}, output)
  const entries = await folderKinds(join(dirname(declaration), tree))
  return [...(entries?.keys() ?? [])]
    .flatMap(path => /^crds\/(?:.+\/)?(?<name>[^/]+)\.yaml$/.exec(path)?.groups?.['name'] ?? [])
    .filter(isCrdName)
    .sort()
}

async function inLock(flags: GivenFlags): Promise<readonly NamedPackage[]> {
  const {packagesInLock} = await import('../../completion/known-packages.js')
  return packagesInLock(await readLockFile(flags))
}

async function readLockFile(flags: GivenFlags): Promise<Lock> {
  const [{readLock}, {lockPath}, declaration] = await Promise.all([
    import('../../declaration/read-lock.js'),
    import('../declaration/lock-query.js'),
    declarationPath(flags),
  ])
  const path = lockPath({'lock-file': valueOf(flags, 'lock-file'), declaration})
  return readLock(path, await readNamedFile(path, MAX_BYTES))
}

async function inDeclaration(flags: GivenFlags): Promise<readonly NamedPackage[]> {
  const path = await declarationPath(flags)
  if (path === undefined) return []
  const [{packagesInDeclaration}, declaration] = await Promise.all([
    import('../../completion/known-packages.js'),
    declarationAt(path),
  ])
  const indexed = await orNone(() => inDeclaredIndexes(declaration, path))
  return [...packagesInDeclaration(declaration), ...indexed]
}

async function declarationAt(path: string): Promise<Declaration> {
  const [{readDeclaration}, {wholeDeclarationAt}, bytes] = await Promise.all([
    import('../../declaration/read-declaration.js'),
    import('../files/entry-folder.js'),
    readNamedFile(path, MAX_BYTES),
  ])
  const whole = await wholeDeclarationAt({name: path, bytes})
  return readDeclaration(whole.name, whole.bytes)
}

/** Indexes in registries are in the cache, if they were used before. */
async function inDeclaredIndexes({indexes}: Declaration, path: string): Promise<readonly NamedPackage[]> {
  if (indexes.length === 0) return []
  const {isIndexFile} = await import('../../reference/index-file-name.js')
  return await inIndexFiles(indexes.filter(isIndexFile).map(file => resolve(dirname(path), file)))
}

async function declarationPath(flags: GivenFlags): Promise<string | undefined> {
  const declaration = valueOf(flags, 'declaration')
  if (declaration !== undefined) return declaration
  const {nearestDeclaration} = await import('../sources/default-declaration.js')
  const nearest = nearestDeclaration(process.cwd())
  return nearest === undefined ? undefined : relative(process.cwd(), nearest)
}

async function inIndexes(index: string | readonly string[] = []): Promise<readonly NamedPackage[]> {
  if (index.length === 0) return []
  const [{indexNames}, {isIndexFile}] = await Promise.all([
    import('../sources/index-name.js'),
    import('../../reference/index-file-name.js'),
  ])
  return await inIndexFiles(indexNames({index}).filter(isIndexFile))
}

async function inIndexFiles(paths: readonly string[]): Promise<readonly NamedPackage[]> {
  const {packagesInIndex} = await import('../../completion/index-lines.js')
  const files = await Promise.all(
    paths.map(path => orNone(async () => [await readNamedFile(path, MAX_BYTES)])),
  )
  return packagesInIndex(files.flat())
}

async function inFolder(root: string | undefined): Promise<readonly NamedPackage[]> {
  if (root === undefined) return []
  const [{packagesInFolder}, {withPackages}, folder] = await Promise.all([
    import('../../completion/known-packages.js'),
    import('../../locate/package-sources.js'),
    packageNamesAt(root, MAX_ENTRIES),
  ])
  return packagesInFolder(withPackages(await folder.all()))
}

async function inCache(folder: string | undefined): Promise<readonly NamedPackage[]> {
  const {cachePlace} = await import('../cache/cache-place.js')
  const place = cachePlace(folder)
  if (place === undefined) return []
  const [{packagesInCache}, store] = await Promise.all([
    import('../../completion/packages-in-cache.js'),
    cacheStore(place),
  ])
  return await packagesInCache(store)
}
