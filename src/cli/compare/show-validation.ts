import {count, listAll} from '../../text.js'
import type {SkippedKind, Validation, ValidationFinding} from '../../usage/validation/validation.js'
import {type Annotation, annotationOf, formatAnnotations} from '../shell/ci/github-annotation.js'
import {repositoryFile} from '../shell/ci/repository-file.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'

/** Prints a validation: findings on stdout, or all of it as a document. */
export async function showValidation(
  validation: Validation,
  output: string,
  argv: readonly string[],
): Promise<void> {
  if (isDocument(output)) return await show(formatDocument({kind: 'ObjectValidation', ...validation}, output))
  if (output === 'github') {
    await show(formatAnnotations(annotationsOf(validation)))
    process.stderr.write(`${summaryOf(validation)}\n`)
    return
  }
  await show(textOf(validation, painter(argv, 'stdout')))
}

function annotationsOf({findings, unread}: Validation): readonly Annotation[] {
  return [
    ...findings.map(({rule, object, path, message, ...place}) => ({
      ...{severity: 'error' as const, rule, message: textAbout(object, path, message)},
      ...place,
    })),
    ...unread.map(({object, path, reason, ...place}) => ({
      ...{severity: 'note' as const, rule: 'unread', message: textAbout(object, path, reason)},
      ...place,
    })),
  ].map(diagnostic => annotationOf(diagnostic, repositoryFile))
}

function textAbout(...parts: readonly (string | undefined)[]): string {
  return parts.filter(isText).join(': ')
}

function isText(text: string | undefined): boolean {
  return text !== undefined
}

function textOf(validation: Validation, paint: Paint): string {
  const {findings, unread} = validation
  const lines = [
    ...findings.map(finding => findingLine(finding, paint)),
    ...unread.slice(0, MAX_UNREAD).map(({file, line, object, path, reason}) => {
      const place = line === undefined ? file : `${file}:${line}`
      return `${paint('yellow', 'unread')} ${plainText([place, object, path, reason].filter(isText).join(': '))}`
    }),
    ...(unread.length > MAX_UNREAD
      ? [`and ${unread.length - MAX_UNREAD} more unread; -o json lists them`]
      : []),
    summaryOf(validation),
  ]
  return `${lines.join('\n')}\n`
}

/** The number of unread parts that text lists. */
const MAX_UNREAD = 10

function findingLine({rule, file, line, object, path, message}: ValidationFinding, paint: Paint): string {
  const text = [`${file}:${line}`, object, path, message].filter(isText).join(': ')
  return `${paint('red', 'error')}  ${plainText(text)} [${rule}]`
}

function summaryOf({findings, unread, validated, skipped}: Validation): string {
  const parts = [
    `${count(validated, 'object')} validated`,
    count(findings.length, 'error'),
    ...(unread.length === 0 ? [] : [`${unread.length} unread`]),
    ...OWNERS.flatMap(([because, owner]) => skippedText(skipped, because, owner)),
  ]
  return parts.join('; ')
}

const OWNERS = [
  ['kubernetes', 'of Kubernetes'],
  ['crossplane', 'of Crossplane'],
  ['allowed', 'of allowed kinds'],
] as const

function skippedText(
  skipped: readonly SkippedKind[],
  because: SkippedKind['because'],
  owner: string,
): readonly string[] {
  const own = skipped.filter(one => one.because === because)
  if (own.length === 0) return []
  const total = own.reduce((sum, {objects}) => sum + objects, 0)
  const kinds = own.map(({kind, objects}) => `${objects} ${plainText(kind)}`)
  return [`${count(total, 'object')} ${owner} not validated (${listAll(kinds)})`]
}
