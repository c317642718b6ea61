import {CrossplaneError} from '../../errors.js'
import type {SignatureReport} from '../../pipeline/verify/verify-package.js'
import type {VerifiedImage} from '../../pipeline/signatures/verify-images.js'
import {STATEMENT_HEADER, statementCells} from './inspection-of-signatures.js'
import type {Paint} from '../shell/text/paint.js'
import {formatList, type Row} from '../shell/text/table.js'

const HEADER = ['REFERENCE', 'STATUS', ...STATEMENT_HEADER]

/** Formats what trusted signers state about packages and images: a row for each statement. */
export function formatSignatures({packages, images}: SignatureReport, paint: Paint): string {
  return formatList(HEADER, [...packages, ...images].flatMap(rowsOf), paint)
}

function rowsOf({reference, status, statements}: VerifiedImage): readonly Row[] {
  const words = status.replace('-', ' ')
  if (statements.length === 0) return [[reference, words, '-', '-', '-', '-']]
  return statements.map((statement): Row => [reference, words, ...statementCells(statement)])
}

/** Returns what a rule only warns of, and what no rule is about if that is everything. */
export function signatureWarnings({packages, images}: SignatureReport): readonly string[] {
  const all = [...packages, ...images]
  const warned = all.filter(({status}) => status === 'warned')
  const problems = warned.flatMap(({problems: own}) => own.map(({message, rule}) => `${message} [${rule}]`))
  const required = all.some(({status}) => status !== 'not-required')
  return required
    ? problems
    : [...problems, 'no rule of the policy is about any of these packages: nothing was verified']
}

/** Throws `signature-refused`, with everything that packages and images lack. */
export function expectSigned({packages, images}: SignatureReport): void {
  const refused = [...packages, ...images].filter(({status}) => status === 'rejected')
  const [first] = refused
  if (first === undefined) return
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`
  throw new CrossplaneError(
    'signature-refused',
    `cannot verify ${first.reference}${others}: not signed as required`,
    {
      diagnostics: refused.flatMap(({problems, usedBy = []}) =>
        problems.map(problem => ({...problem, message: `${problem.message}${runBy(usedBy)}`})),
      ),
    },
  )
}

function runBy(packages: readonly string[]): string {
  return packages.length === 0 ? '' : ` (the image is run by ${packages.join(', ')})`
}
