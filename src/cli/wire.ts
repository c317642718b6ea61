import type {SourceControl} from '../author/build/source-control.js'
import type {HeapLimit} from '../adapters/less-memory.js'
import type {BackupFolder} from '../backup/write-backup.js'
import type {BlobFolder} from '../bundles/blob-folder.js'
import type {CacheStore} from '../cache/cache-store.js'
import type {ConnectionFiles, ExecPlugins, OidcClient} from '../cluster/kubeconfig/ports.js'
import type {Checkout} from '../commit/checkout.js'
import type {OutputFolder} from '../commit/output-folder.js'
import type {RepositoryPaths} from '../commit/repository-paths.js'
import type {Repository, RepositoryPlace} from '../commit/repository.js'
import type {UpdatePlace, UpdateRepository} from '../commit/update-repository.js'
import type {RegistryAccounts} from '../pipeline/login.js'
import type {WritableFolder} from '../fetch/output-files.js'
import type {PackageFolder, PackageSources} from '../locate/package-sources.js'
import type {ImageOutputs} from '../pipeline/author/write-image.js'
import type {DiffProgram} from '../pipeline/cluster/diff.js'
import type {EntryKinds, FolderEntries} from '../plan/folder/folder-snapshot.js'
import type {Programs} from '../pipeline/doctor/ports.js'
import type {Clock} from '../http/clock.js'
import type {ApiServerOptions} from '../http/api-server-options.js'
import type {HttpOptions} from '../http/http-options.js'
import type {Http} from '../http/http.js'
import type {Metrics} from '../reconcile/metrics.js'
import {present} from '../present.js'
import type {ServeHealth} from '../reconcile/health-server.js'
import type {Keychain} from '../registry/credentials/keychain.js'
import type {MatchPattern} from '../crd/checks/value-limits.js'
import type {GoPatterns} from '../adapters/cel/match-pattern.js'
import type {SchemaRules} from '../crd/schema-rules.js'
import type {RuleEngine} from '../inspect/policy/rule-engine.js'
import type {Cryptography} from '../signatures/cryptography.js'
import type {KeyFile} from '../adapters/sigstore/signing-key.js'
import type {SignCommand} from '../adapters/sigstore/sign-command.js'
import type {SigningKey} from '../signatures/key-signer.js'
import type {ReadCertificate} from '../signatures/keyless/fulcio.js'
import {credentialsPaths} from './shell/credentials-path.js'

/**
 * The one place that names adapters. Each is loaded when it is first used, so that commands do not load those of
 * others.
 */
export const packageSources: PackageSources = {
  directory: async path => (await import('../adapters/local-package.js')).localPackage(path),
  files: async path => (await import('../adapters/local-files.js')).localFiles(path),
  file: async path => (await import('../adapters/local-files.js')).localFile(path),
}

/** Returns a text that differs after anything at or below a path has changed; undefined if that cannot be told. */
export async function stampOf(path: string): Promise<string | undefined> {
  return (await import('../adapters/path-stamp.js')).pathStamp(path)
}

/** Reads the version control facts of a folder. */
export const sourceControl: SourceControl = {
  facts: async (folder, others) =>
    (await import('../adapters/git/source-facts.js')).git.facts(folder, others),
}

/** Opens a repository for branches of updates. */
export async function openUpdates(place: UpdatePlace): Promise<UpdateRepository> {
  return await (await import('../adapters/git/update-repository.js')).openUpdates(place)
}

/** Opens the Git repository of a folder or a URL for a commit. */
export async function openRepository(place: RepositoryPlace): Promise<Repository> {
  return await (await import('../adapters/git/open-repository.js')).openRepository(place)
}

/** Opens the last commit of the repository whose root a folder is. Throws `git-refused`. */
export async function lastCommit(root: string): Promise<Pick<Checkout, 'committedFiles'>> {
  return await (await import('../adapters/git/checkout.js')).openCheckout(root)
}

/** Finds folders in their repositories. */
export const repositoryPaths: RepositoryPaths = {
  pathOf: async folder =>
    (await import('../adapters/git/repository-paths.js')).repositoryPaths.pathOf(folder),
}

/** Opens a folder that need not exist for writing. */
export async function writableFolder(path: string): Promise<WritableFolder> {
  return (await import('../adapters/image-output.js')).writableFolder(path)
}

export async function imageOutputs(): Promise<ImageOutputs> {
  const {writableFile, writableFolder} = await import('../adapters/image-output.js')
  return {folder: path => writableFolder(path), file: path => writableFile(path)}
}

/** Opens a folder in which the blobs of a bundle are collected. */
export async function blobFolder(root: string): Promise<BlobFolder> {
  return (await import('../adapters/blob-folder.js')).blobFolder(root)
}

export async function packageFolder(root: string, maxEntries?: number): Promise<PackageFolder> {
  return (await import('../adapters/packages-folder.js')).packagesFolder(root, maxEntries)
}

export async function outputFolder(root: string): Promise<OutputFolder> {
  return (await import('../adapters/output-folder.js')).outputFolder(root)
}

/** Opens a folder of a working tree of git, which syncs no file to disk either. */
export async function workingTreeFolder(root: string): Promise<OutputFolder> {
  return (await import('../adapters/output-folder.js')).outputFolder(root, {isSynced: false})
}

/** Returns all files of a folder with their hashes; undefined if it does not exist. */
export async function folderListing(root: string): Promise<FolderEntries | undefined> {
  return await (await import('../adapters/folder-listing.js')).listFolder(root)
}

/** Returns what all paths of a folder are, without reading files; undefined if it does not exist. */
export async function folderKinds(root: string): Promise<EntryKinds | undefined> {
  return await (await import('../adapters/folder-listing.js')).listKinds(root)
}

/** Verifies signatures by @sigstore/verify. */
export async function cryptography(): Promise<Cryptography> {
  return (await import('../adapters/sigstore/sigstore-cryptography.js')).sigstoreCryptography()
}

/** Evaluates the rules of policies in CEL. */
export async function ruleEngine(): Promise<RuleEngine> {
  return (await import('../adapters/cel/cel-engine.js')).celEngine()
}

/** Compiles the rules of schemas in CEL. */
export async function schemaRules(): Promise<SchemaRules> {
  return (await import('../adapters/cel/schema-rules.js')).schemaRules()
}

/** Returns what matches texts with patterns of schemas. */
export async function patternMatcher(): Promise<MatchPattern> {
  return (await import('../adapters/cel/match-pattern.js')).patternMatcher()
}

/** Returns what matches patterns, and finds the groups of a match. */
export async function goPatterns(): Promise<GoPatterns> {
  return (await import('../adapters/cel/match-pattern.js')).goPatterns()
}

/** Reads a private key. */
export async function signingKey(file: KeyFile): Promise<SigningKey> {
  return (await import('../adapters/sigstore/signing-key.js')).readSigningKey(file)
}

/** Returns what makes a key pair for one command. */
export async function newKeyPair(): Promise<() => SigningKey> {
  return (await import('../adapters/sigstore/fresh-key.js')).freshKey
}

/** Returns what reads the certificate of a signer. */
export async function certificateReader(): Promise<ReadCertificate> {
  return (await import('../adapters/sigstore/signing-certificate.js')).readSigningCertificate
}

/** Returns the key of a program that signs. */
export async function commandKey(command: SignCommand): Promise<SigningKey> {
  return (await import('../adapters/sigstore/sign-command.js')).commandKey(command)
}

export async function http(options: HttpOptions): Promise<Http> {
  return (await import('../adapters/http/node-http.js')).nodeHttp(options)
}

/** Loads what contacts registries, before work under `withLessMemory` that may do so. */
export async function loadHttp(): Promise<void> {
  await import('../adapters/http/node-http.js')
}

/** Opens an HTTP client for one API server. */
export async function apiServerHttp(options: ApiServerOptions): Promise<Http> {
  return (await import('../adapters/http/api-server-http.js')).apiServerHttp(options)
}

/** Returns the files of kubeconfigs. */
export async function connectionFiles(): Promise<ConnectionFiles> {
  return (await import('../adapters/connection-files.js')).connectionFiles
}

/** Returns the runner of the exec plugins of kubeconfigs, which stops them after `timeoutMs` milliseconds if it is set. */
export async function execPlugins(timeoutMs?: number): Promise<ExecPlugins> {
  return (await import('../adapters/exec-plugins.js')).execPlugins(timeoutMs)
}

/** Renews the tokens of users with an `auth-provider`. */
export const oidcClient: OidcClient = {
  renew: async config => await (await import('../adapters/kubernetes-client.js')).oidcClient.renew(config),
}

/** Creates the metrics of a controller. */
export async function prometheusMetrics(): Promise<Metrics> {
  return (await import('../adapters/prometheus.js')).prometheusMetrics()
}

/** Serves the health and the metrics of a controller. */
export const serveHealth: ServeHealth = async (address, served) =>
  await (await import('../adapters/http/health-server.js')).serveHealth(address, served)

export async function clock(): Promise<Clock> {
  return (await import('../adapters/system-clock.js')).systemClock
}

/** Runs the diff program of the user. */
export const diffProgram: DiffProgram = async (command, files) =>
  await (await import('../adapters/diff-program.js')).runDiffProgram(command, files)

/** Returns the programs that the user can run. */
export async function programs(): Promise<Programs> {
  const [, self = ''] = process.argv
  return (await import('../adapters/programs.js')).programsOn({path: process.env.PATH ?? '', self})
}

/**
 * Reads the user's registry credentials; `warn` reports credential helpers that fail. Helpers are stopped after
 * `helperMs` milliseconds if it is set.
 */
export async function keychain(warn: (message: string) => void, helperMs?: number): Promise<Keychain> {
  const {dockerKeychain} = await import('../registry/credentials/docker-keychain.js')
  return dockerKeychain({...(await registryAccounts(helperMs)), warn})
}

/** Returns the storage of registry credentials. */
export async function registryAccounts(helperMs?: number): Promise<RegistryAccounts> {
  const [{credentialsFile}, {credentialHelpers}] = await Promise.all([
    import('../adapters/credentials/credentials-file.js'),
    import('../adapters/credentials/credential-helpers.js'),
  ])
  return {
    files: credentialsPaths(process.env).map(credentialsFile),
    helpers: credentialHelpers({
      env: process.env,
      ...present({timeoutMs: helperMs}),
    }),
  }
}

/** Reads a file that the user named; see `src/adapters/read-named-file.ts`. */
export async function readNamedFile(path: string, limit: number): Promise<Uint8Array> {
  return await (await import('../adapters/read-named-file.js')).readNamedFile(path, limit)
}

/** Lists the names of the files in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return await (await import('../adapters/read-named-file.js')).namesIn(folder)
}

/** Reads a file or a pipe that the user named. */
export async function readNamedInput(path: string, limit: number): Promise<Uint8Array> {
  return await (await import('../adapters/read-named-file.js')).readNamedInput(path, limit)
}

/** Reads a stream to its end, such as standard input. */
export async function readStream(
  stream: AsyncIterable<unknown>,
  name: string,
  limit: number,
): Promise<Uint8Array> {
  return await (await import('../adapters/read-named-file.js')).readStream(stream, name, limit)
}

/** Opens a folder that a backup is written to. */
export async function backupFolder(root: string): Promise<BackupFolder> {
  return (await import('../adapters/backup-folder.js')).backupFolder(root)
}

export async function cacheStore(root: string): Promise<CacheStore> {
  return (await import('../adapters/cache-folder.js')).cacheFolder(root)
}

/** Runs this process with less memory from now on. */
export async function limitHeap(limit: HeapLimit): Promise<void> {
  const adapter = await import('../adapters/less-memory.js')
  adapter.limitHeap(limit)
}

/** Runs work that reads packages with less memory, and some more processor time. */
export async function withLessMemory<T>(act: () => Promise<T>): Promise<T> {
  const adapter = await import('../adapters/less-memory.js')
  return await adapter.withLessMemory(act)
}
