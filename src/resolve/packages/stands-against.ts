import type {Diagnostic} from '../../diagnostic.js'
import {formatSummary} from '../../index/package-summary.js'
import {commandLine, count, listSome} from '../../text.js'
import type {InstalledPackage} from '../requested/installed-package.js'
import type {RequestedRoot} from '../requested/requested-roots.js'
import type {PlannedInstall, Rejection} from '../resolution.js'
import type {Root} from '../solver-input.js'

/** An install that would have to change for a request that does not name it. */
interface Standing {
  readonly installed: InstalledPackage
  /** The version that the request requires. */
  readonly tag: string
}

/**
 * Rejects a request that is possible only if installs change which it does not name: `planned` is the resolution without
 * their versions and pins. The suggestion names them. Undefined if none of them would change.
 */
export function standsAgainst(
  planned: readonly PlannedInstall[],
  kept: readonly InstalledPackage[],
  {roots, requested}: {readonly roots: readonly Root[]; readonly requested: readonly RequestedRoot[]},
): Rejection | undefined {
  const standing = kept.flatMap(installed => standingOf(installed, planned))
  if (standing.length === 0) return undefined
  const request = listSome(roots.map(({requirement}) => requirement.text))
  const installs = count(standing.length, 'installed package')
  return {
    kind: 'rejected',
    code: 'unresolvable',
    message: `cannot resolve ${request}: it would also change ${installs}`,
    diagnostics: standing.map(diagnosticOf),
    suggestions: suggestionsFor(standing, {roots, requested}),
  }
}

function standingOf(installed: InstalledPackage, planned: readonly PlannedInstall[]): Standing[] {
  const {namespace, name} = installed
  const summary = planned.find(install => install.namespace === namespace && install.name === name)?.summary
  if (summary === undefined || summary.identity !== installed.identity) return []
  const isSame = summary.tag === installed.tag && (installed.digest ?? summary.digest) === summary.digest
  return isSame ? [] : [{installed, tag: summary.tag}]
}

function diagnosticOf({installed, tag}: Standing): Diagnostic {
  const {namespace, name, identity, pin} = installed
  const pinned = pin?.tag === undefined && pin?.digest === undefined ? 'installed' : 'pinned'
  const message = `${formatSummary(installed)} is ${pinned} as ${namespace}/${name}, but would have to be ${tag}`
  return {
    severity: 'error',
    rule: 'installed-version',
    message,
    subject: {package: identity, tag: installed.tag},
  }
}

/** An upgrade is repeated with the other packages; anything else is preceded by an upgrade of these. */
function suggestionsFor(
  standing: readonly Standing[],
  {roots, requested}: {readonly roots: readonly Root[]; readonly requested: readonly RequestedRoot[]},
): readonly string[] {
  // It prints the commands that write inventories again.
  if (standing.some(({installed}) => installed.isOnlyWitnessed))
    return ['kubectl crossplane doctor', 'Then run this command again.']
  const managed = standing.filter(({installed}) => installed.inventory === undefined)
  if (managed.length > 0) {
    const names = managed.map(({installed: {namespace, name}}) => `${namespace}/${name}`)
    return [`Change the version in these requests, which another program processes: ${listSome(names)}.`]
  }
  const isUpgrade = requested.length > 0 && requested.every(({former}) => former !== undefined)
  const named = isUpgrade ? roots.map(({requirement}) => requirement.text) : []
  const packages = [...new Set([...named, ...standing.map(nameOf)])]
  const command = commandLine(['package', 'upgrade', ...packages])
  return isUpgrade ? [command] : [command, 'Then run this command again.']
}

/** A pin moves only to a tag that is named. */
function nameOf({installed: {identity, pin}, tag}: Standing): string {
  return pin?.tag === undefined && pin?.digest === undefined ? identity : `${identity}:${tag}`
}
