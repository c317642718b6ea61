import type {VerifiedPackage} from '../../pipeline/signatures/verify-package.js'
import {signerText} from '../../signatures/trusted-signer.js'
import {lines} from './lines.js'
import type {Paint} from './paint.js'
import {formatTable, type Row} from './table.js'

/** Formats what trusted signers state about packages. */
export function formatSignatures(packages: readonly VerifiedPackage[], paint: Paint): string {
  const texts = packages.map(({reference, statements}) => {
    const rows = statements.map((statement): Row => {
      const {kind, predicateType, signer, builder, source} = statement
      const built =
        builder === undefined ? '' : `built by ${builder}${source === undefined ? '' : ` of ${source}`}`
      return [kind === 'other' ? predicateType : kind, signerText(signer), built]
    })
    return [reference, ...formatTable(rows, paint)]
  })
  return lines(texts.flat())
}
