import {count, listSome} from '../text.js'
import type {FirstOwner} from '../resolve/first-owners.js'
import {type SignerChange, signersText} from '../resolve/signer-changes.js'
import type {PlanSummary} from './plan-summary.js'
import {grantOf} from './rule-words.js'

/**
 * Returns the effect of a plan as rows of a table, each with a title: packages, then owners, signers, mismatches, images, activation and
 * permissions, of which at most `maxPermissions` are named.
 */
export function summaryRows(summary: PlanSummary, maxPermissions: number): readonly (readonly string[])[] {
  const {packages, gained, lost, images, owners, signers = [], mismatches, activation} = summary
  const packageRows = packages.map(({install, before, after}) => [
    'PACKAGE',
    packageText(before, after),
    install,
  ])
  // A package that is removed loses all of its permissions.
  const isRemoval = packages.length > 0 && packages.every(({after}) => after === undefined)
  if (isRemoval) return packageRows
  return [
    ...packageRows,
    ...ownerRows(owners),
    ...signerRows(signers),
    ...mismatches.map(({crd, owner, install}) => [
      'MISMATCH',
      crd,
      `required by ${install}, not served by ${owner}, accepted`,
    ]),
    ...images.map(({object, before, after}) => [
      'IMAGE',
      changeText(before.join(', '), after.join(', ')),
      object,
    ]),
    ...activationRows(activation),
    ...permissionRows('GAINS', gained, maxPermissions),
    ...permissionRows('LOSES', lost, maxPermissions),
  ]
}

/** Returns a row for each owner that is new to groups. */
export function ownerRows(owners: readonly FirstOwner[]): readonly (readonly string[])[] {
  return owners.map(owner => ['OWNER', owner.identity, ownerText(owner)])
}

/** Returns a row for each package or image whose signer has changed. */
export function signerRows(changes: readonly SignerChange[]): readonly (readonly string[])[] {
  return changes.map(({package: name, image, before, after}) => [
    'SIGNER',
    image ?? name,
    `${signersText(after)} in place of ${signersText(before)}`,
  ])
}

function ownerText({groups, before}: FirstOwner): string {
  const names = groups.join(', ')
  return before === undefined ? `first use for ${names}` : `takes ${names} over from ${before}`
}

/** Crossplane leaves active what no policy activates any more. */
function activationRows({gained, lost}: NonNullable<PlanSummary['activation']> = {gained: [], lost: []}) {
  const row = (patterns: readonly string[], start: string) =>
    patterns.length === 0 ? [] : [['ACTIVATES', `${start}${listSome(patterns, MAX_PATTERNS)}`]]
  return [...row(gained, ''), ...row(lost, 'no longer ')]
}

const MAX_PATTERNS = 4

/** An unchanged value is one text; a new one has no text before. */
function changeText(before = '', after = ''): string {
  if (before === after || before === '') return after
  return after === '' ? `${before} -> removed` : `${before} -> ${after}`
}

/** Of another version of the same package, only the tag is named: a reference is long. */
function packageText(before = '', after = ''): string {
  const [repository, tag] = [repositoryIn(before), after.slice(repositoryIn(after).length)]
  const isOther = before !== after && repository === repositoryIn(after) && /^:[^@]+$/.test(tag)
  return changeText(before, isOther ? tag.slice(1) : after)
}

function repositoryIn(reference: string): string {
  return reference.replace(/(?::[^/:@]+)?(?:@.*)?$/, '')
}

function permissionRows(title: string, words: readonly string[], max: number): string[][] {
  const shown = words.slice(0, max).map(word => [title, grantOf(word)])
  const more = words.length - shown.length
  return more === 0 ? shown : [...shown, [title, `and ${count(more, 'more permission')}`]]
}
