import {CrossplaneError} from '../../errors.js'
import type {InstalledUpgrade} from '../../pipeline/cluster/installed-format.js'
import type {DeclaredUpgradeQuery, DeclarationFiles} from '../../pipeline/cluster/upgrade-declaration.js'
import type {applyFlags, baseFlag} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {acceptImpactFlag} from '../declaration/lock-flags.js'
import type {upgradeFlags} from '../render/render-flags.js'
import {shellWord} from '../../text.js'
import {flagWords} from '../shell/flags/flag-words.js'
import {imageOutputs} from '../wire.js'
import {
  clusterChoices,
  type InstallContext,
  installOptions,
  rejectCrossplaneVersion,
} from './install-query.js'
import {lockToWrite} from '../declaration/lock-query.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'

type UpgradeFlags = FlagValues<
  typeof upgradeFlags & typeof applyFlags & typeof baseFlag & typeof acceptImpactFlag
>

/** The query of `package upgrade` for the installs of a cluster. Throws `usage`. */
export function upgradeQuery(
  names: readonly string[],
  flags: UpgradeFlags,
  {toolVersion, flagNames}: Pick<InstallContext, 'toolVersion' | 'flagNames'>,
): Omit<InstalledUpgrade, 'xpkgs'> {
  rejectCrossplaneVersion(flagNames)
  return upgradeParts(names, flags, {toolVersion, flagNames})
}

/** What `package upgrade --resolver` takes of the flags: nothing that changes packages themselves. Throws `usage`. */
export function resolverQuery(
  flags: UpgradeFlags,
  {toolVersion, flagNames}: Pick<InstallContext, 'toolVersion' | 'flagNames'>,
): Pick<InstalledUpgrade, 'settings' | 'options'> {
  const other = OF_PACKAGES.find(name => flagNames.has(name))
  if (other !== undefined)
    throw new CrossplaneError('usage', `--${other} and --resolver without a package are mutually exclusive`, {
      suggestions: ['Change the resolver first: nothing else of the packages changes with it.'],
    })
  return {settings: resolutionSettings(flags, flagNames), options: installOptions(flags, toolVersion)}
}

const OF_PACKAGES = ['pin', 'activate', 'revision-activation-policy', 'revision-history-limit']

/** The query of `package upgrade` for a declaration; a Crossplane release is one of its lock. Throws `usage`. */
export function declaredUpgradeQuery(
  names: readonly string[],
  flags: UpgradeFlags,
  {toolVersion, flagNames, namespace}: InstallContext,
): Omit<DeclaredUpgradeQuery, 'xpkgs'> {
  const words = [
    ...['--declaration', flags.declaration ?? ''],
    ...flagWords(flags, ['packages', 'packages-base', 'index']),
  ]
  return {
    ...upgradeParts(names, flags, {toolVersion, flagNames}),
    contextNamespace: namespace,
    acceptsImpact: flags['accept-impact'],
    impactWords: words.map(shellWord).join(' '),
  }
}

function upgradeParts(
  names: readonly string[],
  flags: UpgradeFlags,
  {toolVersion, flagNames}: Pick<InstallContext, 'toolVersion' | 'flagNames'>,
): Omit<InstalledUpgrade, 'xpkgs'> {
  return {
    names,
    settings: resolutionSettings(flags, flagNames),
    choices: clusterChoices(flags, flagNames),
    options: installOptions(flags, toolVersion),
  }
}

/**
 * Opens a declaration and the lock file beside it. Throws `usage` for standard input, and the errors of reading the
 * lock.
 */
export async function declarationFiles(
  file: string,
  flags: Pick<UpgradeFlags, 'packages' | 'packages-base' | 'index'>,
): Promise<DeclarationFiles> {
  if (file === '-') {
    throw new CrossplaneError(
      'usage',
      '--declaration does not support standard input (-) here: the file is edited',
      {suggestions: ['Pass --declaration FILE.']},
    )
  }
  const outputs = await imageOutputs()
  const {packages, 'packages-base': bases, index} = flags
  return {
    declaration: outputs.file(file),
    lock: await lockToWrite({}, {declaration: file, packages, 'packages-base': bases, index}, outputs),
  }
}
