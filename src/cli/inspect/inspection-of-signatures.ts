import type {PackageSignatures} from '../../inspect/package-signatures.js'
import type {Claim} from '../../signatures/claims.js'
import {signerText} from '../../signatures/trusted-signer.js'
import {count} from '../../text.js'
import type {Paint} from '../shell/text/paint.js'
import type {Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** Who states what about a package; nothing for one that cannot have signatures. */
export function signaturesSection(
  signatures: PackageSignatures | undefined,
  paint: Paint,
): readonly Section[] {
  if (signatures === undefined) return []
  const {statements, rejected, reason} = signatures
  const rows = statements.map(statementCells)
  const table = rows.length === 0 ? [] : formatTable([STATEMENT_HEADER, ...rows], paint)
  const unread = [...rejected.map(({reason: why}) => `not a signature of this package: ${why}`), reason ?? '']
  const notes = unread.filter(text => text !== '').map((text): Row => [text])
  return [{title: titleOf(signatures), lines: [...table, ...formatTable(notes, paint)]}]
}

/** The columns of `statementCells`. */
export const STATEMENT_HEADER = ['STATES', 'SIGNER', 'BUILDER', 'SOURCE']

/** What a statement says, who signed it, and the builder and source of provenance. */
export function statementCells({kind, predicateType, signer, builder, source}: Claim): readonly string[] {
  return [
    kind === 'other' ? predicateType : kind,
    signer === undefined ? 'a key that is not named' : signerText(signer),
    builder ?? '-',
    source ?? '-',
  ]
}

function titleOf({status, statements}: PackageSignatures): string {
  const all = statements.length
  if (status === 'unread') return 'SIGNATURES were not read'
  if (status === 'verified') return `SIGNATURES ${count(all, 'statement')}, verified by the policy`
  if (status === 'warned') return `SIGNATURES ${count(all, 'statement')}, less than the policy requires`
  return all === 0
    ? 'SIGNATURES none'
    : `SIGNATURES ${count(all, 'statement')}, NOT VERIFIED: anyone can write them (verify with --policy or package verify)`
}
