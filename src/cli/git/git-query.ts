import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {CommitStyle} from '../../commit/checkout.js'
import {ACTIVATE} from '../../declaration/xpkg-settings.js'
import {CrossplaneError} from '../../errors.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import {present} from '../../present.js'
import {quoted, shellWord} from '../../text.js'
import type {applyFlags, baseFlag} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {gitFlags, gitLayoutFlags, moveFilesFlag} from './git-flags.js'
import type {gitSourceFlags} from './git-source-flags.js'
import type {upgradeFlags} from '../render/render-flags.js'
import type {xpkgFlags} from '../declaration/xpkg-flags.js'
import {parseDuration} from '../shell/flags/duration.js'
import {homeIn} from '../../plan/folder/home.js'
import {treeOptions} from '../../pipeline/render/tree-options.js'
import {repositoryRoot} from '../files/repository-root.js'
import {nearestHome} from '../sources/default-declaration.js'
import {flagWords} from '../shell/flags/flag-words.js'
import {expectOnlyMove} from './move-query.js'
import {givenChoices} from '../render/render-query.js'
import {settingFlagsOf} from '../render/tree-query.js'
import {type RequestArguments} from '../declaration/request-parameters.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'
import {type InstallFlags, declaredEntry} from './declared-entry.js'

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
    FlagValues<typeof moveFilesFlag> &
    GitFlags &
    LayoutFlags,
  flagNames: ReadonlySet<string>,
): GitQuery {
  if (flags['move-files']) expectOnlyMove(names, flagNames)
  return {
    request: {
      ...{kind: 'upgrade', names},
      ...(flags['move-files'] ? {movesFiles: true} : {}),
      // As in a cluster: what begins to skip the resolver, or is left to it again, keeps its version.
      ...(names.length === 0 && flags.resolver !== undefined ? {keepsVersions: true} : {}),
    },
    ...declaredParts(flags, flagNames),
  }
}

/** The query of `package uninstall --git`. Throws `usage`. */
export function gitUninstallQuery(
  name: string | undefined,
  flags: CommitFlags & {readonly namespace?: string},
): GitQuery {
  if (name === undefined) {
    throw new CrossplaneError('usage', 'missing argument NAME', {
      suggestions: ['Pass NAME or NAMESPACE/NAME of an install in the lock file.'],
    })
  }
  const {namespace} = flags
  return {
    request: {kind: 'uninstall', name: namespace === undefined ? name : `${namespace}/${name}`},
    ...commitParts(flags),
  }
}

/** What a commit of `package move` has besides its request: the cluster has judged the packages. Throws `usage`. */
export function gitMoveQuery(flags: CommitFlags & {readonly policy?: string}): Omit<GitQuery, 'request'> {
  const {settings, ...parts} = commitParts(flags)
  return {...parts, settings: {...settings, ...present({policy: flags.policy})}}
}

type CommitFlags = FlagValues<typeof gitSourceFlags> & GitFlags

/** The parts of a commit that changes no setting of the declaration. */
function commitParts(flags: CommitFlags): Omit<GitQuery, 'request'> {
  return {
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
    acceptsImpact: flags['accept-impact'],
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
    acceptsImpact: flags['accept-impact'],
    ...impactWords(flags),
    ...subjectOf(flags),
  }
}

/** Only files of the user's own working tree are those of the declaration that is committed. */
function impactWords(flags: SettingFlags): Pick<GitQuery, 'impactWords'> {
  const {git = '', branch} = flags
  if (branch !== undefined || !existsSync(git)) return {}
  const {declaration} = homeIn(flags.path ?? nearestHome(git))
  const words = [
    ...['--declaration', join(repositoryRoot(git), declaration)],
    ...flagWords(flags, ['packages', 'packages-base', 'index']),
  ]
  return {impactWords: words.map(shellWord).join(' ')}
}

/** Throws `usage` for the base beside a Crossplane that no cluster shows: there --with-package-api says the same. */
function expectCluster(flags: Pick<SettingFlags, 'context' | 'v0.12-base'>): void {
  if (!flags['v0.12-base'] || flags.context !== undefined) return
  throw new CrossplaneError('usage', '--v0.12-base requires --context with --git', {
    suggestions: ['Pass --context with a cluster of the tree, or pass --with-package-api.'],
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

type StyleFlags = Pick<
  GitFlags,
  'author-name' | 'author-email' | 'signoff' | 'gpg-sign' | 'ssh-sign' | 'signing-key'
>

/** The author, signature and sign-off of a commit. Throws `usage`. */
export function commitStyle(flags: StyleFlags): CommitStyle {
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
