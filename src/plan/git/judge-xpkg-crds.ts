import type {Diagnostic} from '../../diagnostic.js'
import {listAll, quoted, shellWord} from '../../text.js'
import type {XpkgObject} from '../../xpkg/content/xpkg.js'
import {type DefinedVersions, definedVersions} from '../cluster/core/crd-gate.js'
import {objectName} from '../cluster/crds/crd-texts.js'

/** A package for a current Crossplane of which a commit requests another version. */
export interface ChangedXpkg {
  readonly repository: string
  /** As `OLD -> NEW`. */
  readonly versions: string
  /** The objects of both versions; those of the old one can be unreadable, with a reason. */
  readonly before: readonly XpkgObject[] | {readonly reason: string}
  readonly after: readonly XpkgObject[]
}

/** Rejects what new versions do to CRDs where no cluster shows whether custom resources exist. */
export function unseenXpkgRejections(
  changes: readonly ChangedXpkg[],
  {keepsInstances}: {readonly keepsInstances: boolean},
): readonly Diagnostic[] {
  return changes.flatMap(change => {
    if ('reason' in change.before) return [unreadable(change, change.before.reason)]
    const {dropped, broken} = crdLosses(change.before, change.after)
    return [
      ...(keepsInstances ? [] : dropped.map(name => droppedRejection(name, change))),
      ...broken.map(loss => brokenRejection(loss, change, 'but custom resources can exist')),
    ]
  })
}

/** Rejects what no API server accepts, whether custom resources exist or not. */
export function unacceptableXpkgRejections(changes: readonly ChangedXpkg[]): readonly Diagnostic[] {
  return changes.flatMap(change =>
    'reason' in change.before
      ? []
      : crdLosses(change.before, change.after).broken.map(loss =>
          brokenRejection(loss, change, 'which no API server accepts while the CRD exists'),
        ),
  )
}

interface BrokenCrd {
  readonly name: string
  readonly texts: readonly string[]
}

/** Compares the CRDs that two versions lead to. */
function crdLosses(before: readonly XpkgObject[], after: readonly XpkgObject[]) {
  const next = definedVersions(after)
  const old = [...definedVersions(before)]
  return {
    dropped: old.flatMap(([name]) => (next.has(name) ? [] : [name])),
    broken: old.flatMap(([name, crd]): readonly BrokenCrd[] => {
      const texts = lossTexts(crd, next.get(name))
      return texts.length === 0 ? [] : [{name, texts}]
    }),
  }
}

function lossTexts(old: DefinedVersions, next: DefinedVersions | undefined): readonly string[] {
  if (next === undefined) return []
  return [
    ...(next.all.has(old.stored) ? [] : [`it loses the stored version ${quoted(old.stored)}`]),
    ...(old.scope === next.scope
      ? []
      : [`its scope changes from ${quoted(old.scope)} to ${quoted(next.scope)}`]),
  ]
}

const CHECK = 'Pass --context with a cluster of this tree: its custom resources are counted.'

function unreadable({repository, versions}: ChangedXpkg, reason: string): Diagnostic {
  const message = `${repository} ${versions}: the CRDs of the former version cannot be read: ${reason}`
  const assume = 'Pass --assume-no-instances if no cluster of this tree has custom resources of the package.'
  return {severity: 'error', rule: 'crd-unknown', message, suggestions: [CHECK, assume]}
}

function droppedRejection(name: string, {repository, versions}: ChangedXpkg): Diagnostic {
  return {
    severity: 'error',
    rule: 'crd-dropped',
    message: `${objectName(name)} is no longer part of ${repository} ${versions}, but custom resources can exist`,
    subject: {object: objectName(name)},
    suggestions: [
      CHECK,
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Pass --assume-no-instances if no cluster of this tree has custom resources of it.',
      'Pass --custom-resources=keep to keep them without a controller.',
    ],
  }
}

function brokenRejection(
  {name, texts}: BrokenCrd,
  {repository, versions}: ChangedXpkg,
  why: string,
): Diagnostic {
  return {
    severity: 'error',
    rule: 'crd-version-removed',
    message: `${objectName(name)} of ${repository} ${versions}: ${listAll(texts)}, ${why}`,
    subject: {object: objectName(name)},
    suggestions: [
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Upgrade to a version of the package that still has it, and migrate the custom resources.',
    ],
  }
}
