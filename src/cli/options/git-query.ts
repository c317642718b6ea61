import type {CommitStyle} from '../../commit/checkout.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import {ACTIVATE} from '../../declaration/xpkg-settings.js'
import {CrossplaneError} from '../../errors.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import type {FolderVersion, PackageFolder} from '../../locate/package-sources.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {type InstallTarget, parseInstallTarget} from '../../reference/install-target.js'
import {quoted} from '../../text.js'
import type {applyFlags, baseFlag} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {gitFlags, gitLayoutFlags} from '../flags/git.js'
import type {gitSourceFlags} from '../flags/git-sources.js'
import type {clusterSetFlags, upgradeFlags} from '../flags/render.js'
import type {xpkgFlags} from '../flags/xpkg.js'
import {parseDuration} from '../flags/duration.js'
import {treeOptions} from '../../pipeline/render/tree-options.js'
import {givenChoices} from './render-query.js'
import {settingFlagsOf} from './tree-query.js'
import {type GivenRuntime, type RequestArguments, requestParameters} from './request-parameters.js'
import {resolutionSettings} from './resolution/resolution-settings.js'

/** The flags of a commit. */
export type GitFlags = FlagValues<typeof gitFlags>

type LayoutFlags = FlagValues<typeof gitLayoutFlags>

/**
 * The query of `package install --git`. Throws `usage`, `reference-invalid`.
 * @param written - names of the flags on the command line.
 */
export function gitInstallQuery(
  args: RequestArguments,
  flags: InstallFlags &
    FlagValues<typeof applyFlags & typeof baseFlag & typeof xpkgFlags> &
    GitFlags &
    LayoutFlags,
  flagNames: ReadonlySet<string>,
): GitQuery {
  return {
    request: {kind: 'install', entry: declaredEntry(args, flags, flagNames)},
    ...declaredParts(flags, flagNames),
  }
}

/**
 * The query of `package upgrade --git`. Throws `usage`.
 * @param written - names of the flags on the command line.
 */
export function gitUpgradeQuery(
  names: readonly string[],
  flags: FlagValues<typeof upgradeFlags & typeof applyFlags & typeof baseFlag & typeof xpkgFlags> &
    GitFlags &
    LayoutFlags,
  flagNames: ReadonlySet<string>,
): GitQuery {
  return {
    request: {
      ...{kind: 'upgrade', names},
      // As in a cluster: what begins to skip the resolver, or is left to it again, keeps its version.
      ...(names.length === 0 && flags.resolver !== undefined ? {keepsVersions: true} : {}),
    },
    ...declaredParts(flags, flagNames),
  }
}

/** The query of `package uninstall --git`. Throws `usage`. */
export function gitUninstallQuery(
  name: string | undefined,
  flags: FlagValues<typeof gitSourceFlags> & GitFlags & {readonly namespace?: string},
): GitQuery {
  if (name === undefined) {
    throw new CrossplaneError('usage', 'missing argument NAME', {
      suggestions: ['Pass NAME or NAMESPACE/NAME of an install in the lock file.'],
    })
  }
  const {namespace} = flags
  return {
    request: {kind: 'uninstall', name: namespace === undefined ? name : `${namespace}/${name}`},
    declared: {render: {}, assume: [], owners: []},
    settings: {
      owners: [],
      assume: {crds: [], files: []},
      crossplane: {release: DEFAULT_RELEASE, isGiven: false},
      allowVersionMismatch: false,
      solveTimeout: parseDuration(flags['solve-timeout'], '--solve-timeout'),
    },
    assumeNoInstances: flags['assume-no-instances'],
    keepsInstances: false,
    migratesVersions: false,
    settingFlags: settingFlagsOf(flags),
    ...subjectOf(flags),
  }
}

/** Settings of flags that a rollback does not change: those of the declaration hold. */
const DECLARED_SETTINGS = [
  ...['owner', 'assume', 'crossplane-version', 'allow-version-mismatch', 'dependency-namespace'],
  ...['system-namespace', 'core-version'],
]

/**
 * The query of `package rollback --git`. Throws `usage`.
 * @param flagNames - names of the flags on the command line.
 */
export function gitRollbackQuery(
  {name, revision}: {readonly name?: string; readonly revision?: string},
  flags: Parameters<typeof gitUninstallQuery>[1] &
    FlagValues<typeof applyFlags> & {readonly to?: string; readonly policy?: string},
  flagNames: ReadonlySet<string>,
): GitQuery {
  if (revision !== undefined) throw besideGit('REVISION', 'Pass --to with a commit.')
  const setting = DECLARED_SETTINGS.find(flag => flagNames.has(flag))
  if (setting !== undefined) throw besideGit(`--${setting}`, 'Change the declaration first.')
  const {request, settings, ...query} = gitUninstallQuery(name, flags)
  return {
    ...query,
    request: {kind: 'rollback', name: 'name' in request ? request.name : '', ...present({to: flags.to})},
    settings: {...settings, ...present({policy: flags.policy})},
    keepsInstances: flags['custom-resources'] === 'keep',
    migratesVersions: flags['migrate-versions'],
  }
}

function besideGit(what: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', `${what} and --git are mutually exclusive`, {suggestions: [suggestion]})
}

/** The flags that `install` and `upgrade` have in common. */
type SettingFlags = Parameters<typeof givenChoices>[0] &
  Parameters<typeof resolutionSettings>[0] &
  GitFlags &
  FlagValues<typeof xpkgFlags> &
  FlagValues<typeof baseFlag> &
  LayoutFlags & {
    readonly context?: string
    readonly 'custom-resources': string
    readonly 'migrate-versions': boolean
  }

/** Settings of flags go to the declaration; environment variables and defaults of flags have no effect. */
function declaredParts(flags: SettingFlags, flagNames: ReadonlySet<string>): Omit<GitQuery, 'request'> {
  const {owners, assume, crossplane, defaultSource, coreVersion, ...rest} = resolutionSettings(
    flags,
    flagNames,
  )
  const {systemNamespace, dependencyNamespace, ...others} = rest
  expectCluster(flags)
  const [file] = assume.files
  if (file !== undefined) {
    throw new CrossplaneError('usage', `--assume ${quoted(file)} and --git are mutually exclusive`, {
      suggestions: ['Pass the names of CRDs with --assume, or add the file to assume in the declaration.'],
    })
  }
  return {
    declared: {
      render: {...givenChoices(flags, flagNames).flags, ...(flags['v0.12-base'] ? {base: true} : {})},
      assume: assume.crds,
      owners: owners.map(({group, identity}) => ({group, package: identity})),
      ...(crossplane.isGiven ? {crossplaneVersion: crossplane.release} : {}),
      ...(flagNames.has('default-source') ? {defaultSource} : {}),
      ...(flagNames.has('system-namespace') ? {systemNamespace} : {}),
      ...present({dependencyNamespace, coreVersion}),
      ...declaredXpkg(flags),
      ...declaredLayout(flags),
    },
    settings: {
      ...others,
      owners: [],
      assume: {crds: [], files: []},
      crossplane: {release: DEFAULT_RELEASE, isGiven: false},
    },
    assumeNoInstances: flags['assume-no-instances'],
    keepsInstances: flags['custom-resources'] === 'keep',
    migratesVersions: flags['migrate-versions'],
    baseBesideCore: flags['v0.12-base'],
    settingFlags: settingFlagsOf(flags),
    ...subjectOf(flags),
  }
}

/** Throws `usage` for the base beside a Crossplane that no cluster shows: there --base says the same. */
function expectCluster(flags: Pick<SettingFlags, 'context' | 'v0.12-base'>): void {
  if (!flags['v0.12-base'] || flags.context !== undefined) return
  throw new CrossplaneError('usage', '--v0.12-base requires --context with --git', {
    suggestions: ['Pass --context with a cluster of the tree, or pass --base.'],
  })
}

/** Throws `usage` for policies in a file, which a declaration does not have. */
function declaredXpkg(flags: SettingFlags): Pick<GitQuery['declared'], 'xpkg'> {
  const activate = ACTIVATE.find(word => word === flags.activate)
  if (flags.activate !== activate) {
    throw new CrossplaneError(
      'usage',
      `--activate ${quoted(flags.activate ?? '')} and --git are mutually exclusive`,
      {
        suggestions: ['Pass --activate all, used or none.'],
      },
    )
  }
  const xpkg = present({
    pin: flags.pin,
    resolver: flags.resolver,
    activate,
    revisionActivationPolicy: flags['revision-activation-policy'],
    revisionHistoryLimit: flags['revision-history-limit'],
  })
  return Object.keys(xpkg).length === 0 ? {} : {xpkg}
}

function declaredLayout({layout, 'repo-url': repoURL}: LayoutFlags): Pick<GitQuery['declared'], 'tree'> {
  if (layout === undefined && repoURL === undefined) return {}
  // Rejects combinations that no declaration can have; it can have the part that is not given.
  const whole = {layout: layout ?? 'argocd', repoURL: repoURL ?? (layout === 'argocd' ? ANY_URL : undefined)}
  treeOptions(whole)
  return {tree: present({layout, repoURL})}
}

const ANY_URL = 'https://git.example.org/any'

const DEFAULT_RELEASE = 'v0.12'

/** The author, signature and sign-off of a commit. Throws `usage`. */
export function commitStyle(flags: GitFlags): CommitStyle {
  const {'author-name': authorName, 'author-email': authorEmail, 'signing-key': signingKey} = flags
  for (const [flag, value] of Object.entries({'--author-name': authorName, '--author-email': authorEmail})) {
    if (value !== undefined && /^\s*$|[\p{Cc}<>]/u.test(value)) throw invalid(flag, value)
  }
  const sign = flags['gpg-sign'] ? 'openpgp' : flags['ssh-sign'] ? 'ssh' : undefined
  if (signingKey !== undefined && sign === undefined) {
    throw new CrossplaneError('usage', '--signing-key requires --gpg-sign or --ssh-sign', {
      suggestions: ['Pass --gpg-sign or --ssh-sign, or leave out --signing-key.'],
    })
  }
  return {authorName, authorEmail, signoff: flags.signoff, sign, signingKey}
}

function subjectOf({message}: GitFlags): Pick<GitQuery, 'subject'> {
  if (message === undefined) return {}
  if (/^\s*$|\p{Cc}/u.test(message)) throw invalid('--message', message)
  return {subject: message.trim()}
}

function invalid(flag: string, value: string): CrossplaneError {
  return new CrossplaneError('usage', `invalid ${flag} ${quoted(value)}: not a line of text`)
}

type InstallFlags = FlagValues<typeof clusterSetFlags> & GivenRuntime

/** The entry of the declaration for a request. Throws `usage` for what a declaration cannot say. */
function declaredEntry(
  {ref, name}: RequestArguments,
  flags: InstallFlags,
  flagNames: ReadonlySet<string>,
): DeclaredPackage {
  const {scope, crd, namespace} = flags
  const parameters = requestParameters(flags, name)
  if (parameters.scope !== undefined) {
    const flag = scope === undefined ? '--cluster' : '--scope'
    throw new CrossplaneError('usage', `${flag} and --git are mutually exclusive`, {
      suggestions: [`Leave out ${flag}: the package decides.`],
    })
  }
  const {source, imagePullPolicy, imagePullSecrets, serviceAccountAnnotations, runtime} = parameters
  return {
    ...requestedIn(ref, crd, flags['as-package']),
    ...present({namespace, name}),
    parameters: {
      ...(flagNames.has('source') ? {source} : {}),
      imagePullPolicy,
      imagePullSecrets,
      serviceAccountAnnotations,
    },
    ...present({runtime}),
  }
}

function requestedIn(
  ref: string | undefined,
  crd: string | undefined,
  asPackage: string | undefined,
): Pick<DeclaredPackage, 'package' | 'crd'> {
  if (ref === undefined && crd === undefined) {
    throw new CrossplaneError('usage', 'missing argument REF', {
      suggestions: ['Pass REF or --crd RESOURCE.GROUP[/VERSION].'],
    })
  }
  if (ref !== undefined && crd !== undefined) {
    throw new CrossplaneError('usage', 'REF and --crd are mutually exclusive', {
      suggestions: ['Leave out one of them.'],
    })
  }
  return declaredTarget(parseInstallTarget(ref ?? `crd:${crd ?? ''}`), ref, asPackage)
}

function declaredTarget(
  target: InstallTarget,
  ref: string | undefined,
  asPackage: string | undefined,
): Pick<DeclaredPackage, 'package' | 'crd'> {
  if (target.kind !== 'crd' && target.kind !== 'image') return {package: localName(ref ?? '', asPackage)}
  if (asPackage !== undefined) throw notLocal()
  return target.kind === 'crd' ? {crd: target.crd} : {package: ref}
}

function notLocal(): CrossplaneError {
  return new CrossplaneError('usage', '--as-package is for local packages', {
    suggestions: ['Leave out --as-package.'],
  })
}

/** Returns the name by which a local package is declared. Throws `usage`. */
function localName(ref: string, asPackage: string | undefined): string {
  if (asPackage !== undefined && parsePackageImage(asPackage).tag !== undefined) return asPackage
  const cause =
    asPackage === undefined ? 'is a local package, which has no name' : 'requires a tag in --as-package'
  throw new CrossplaneError('usage', `${quoted(ref)} ${cause} to declare`, {
    suggestions: ['Pass --as-package REPOSITORY:TAG with the name by which the package is declared.'],
  })
}

/** Adds a package that is named by its place to the folder of packages, under the name by which it is declared. */
export function withLocalPackage(
  ports: RequestPorts,
  {ref, 'as-package': asPackage}: {readonly ref?: string; readonly 'as-package'?: string},
): RequestPorts {
  if (ref === undefined || asPackage === undefined) return ports
  const at = parsePackageReference(ref)
  if (at.kind === 'image') return ports
  const {tag = '', ...name} = parsePackageImage(asPackage)
  const repositoryPath = formatImageName({path: name.path, ...present({registry: name.registry})})
  const packages: RequestPorts['packages'] = async declared => {
    const {folder, ...others} = await ports.packages(declared)
    return {...others, folder: withVersion(folder, name, {repositoryPath, tag, at})}
  }
  return {...ports, packages}
}

type NamedVersion = FolderVersion & {readonly repositoryPath: string}

function withVersion(folder: PackageFolder | undefined, name: ImageName, local: NamedVersion): PackageFolder {
  // A folder has paths without registries.
  const isOther = ({repositoryPath, tag}: NamedVersion) =>
    ![local.repositoryPath, name.path].includes(repositoryPath) || tag !== local.tag
  return {
    versions: async (requested, defaultSource) => {
      const versions = (await folder?.versions(requested, defaultSource)) ?? []
      const others = versions.filter(({tag}) => tag !== local.tag)
      const isLocal = identityOf(requested, defaultSource) === identityOf(name, defaultSource)
      return isLocal ? [...others, local] : versions
    },
    all: async () => [...((await folder?.all()) ?? []).filter(isOther), local],
  }
}
