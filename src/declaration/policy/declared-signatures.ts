import {listAll} from '../../text.js'
import {isInlineKey} from '../../signatures/public-key.js'
import {present} from '../../present.js'
import {
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {DeclarationCheck} from '../declaration-check.js'
import type {DeclaredSigner, DeclaredSignatures} from './policy.js'

/** The types of `signatures` in a policy. */
export const SIGNATURE_TYPES = {
  Signatures: {
    repositories: 'list:string*',
    signers: 'list:Signer*',
    trustedRoot: 'string*',
    require: 'list:string*',
    builder: 'string*',
    source: 'string*',
    otherwise: 'string*',
  },
  Signer: {key: 'string*', keyFile: 'string*', issuer: 'string*', subject: 'string*'},
}

const REQUIREMENTS = ['signature', 'provenance', 'sbom'] as const
const OUTCOMES = ['reject', 'warn'] as const

/** Reads the rules for signatures, and reports what is wrong with them. */
export function declaredSignatures(
  value: JsonValue | undefined,
  check: DeclarationCheck,
  lineOf: (...path: FieldPath) => number | undefined,
): readonly DeclaredSignatures[] {
  return asObjects(value).map((rule, index) => {
    const path = ['signatures', index]
    checkRule(rule, path, check)
    const required = asTexts(rule['require'])
    return {
      line: lineOf(...path) ?? 1,
      repositories: asTexts(rule['repositories']),
      signers: asObjects(rule['signers']).map(declaredSigner),
      require: REQUIREMENTS.filter(requirement =>
        required.length === 0 ? requirement === 'signature' : required.includes(requirement),
      ),
      otherwise: rule['otherwise'] === 'warn' ? 'warn' : 'reject',
      ...present({
        trustedRoot: textOf(rule['trustedRoot']),
        builder: textOf(rule['builder']),
        source: textOf(rule['source']),
      }),
    }
  })
}

function declaredSigner({key, keyFile, issuer, subject}: JsonObject): DeclaredSigner {
  if (asText(key) !== '') return {kind: 'key', pem: asText(key)}
  if (asText(keyFile) !== '') return {kind: 'key-file', file: asText(keyFile)}
  return {kind: 'identity', issuer: asText(issuer), subject: asText(subject)}
}

function textOf(value: JsonValue | undefined): string | undefined {
  return asText(value) === '' ? undefined : asText(value)
}

function checkRule(rule: JsonObject, path: FieldPath, check: DeclarationCheck): void {
  const repositories = asTexts(rule['repositories'])
  check.is(path, repositories.length > 0, 'must list repositories; "*" for all')
  repositories.forEach((source, index) => {
    if (source !== '*') check.source([...path, 'repositories', index], source)
  })
  const signers = asObjects(rule['signers'])
  check.is(path, signers.length > 0, 'must list signers')
  signers.forEach((signer, index) => checkSigner(signer, rule, [...path, 'signers', index], check))
  asTexts(rule['require']).forEach((requirement, index) => {
    const isKind = (REQUIREMENTS as readonly string[]).includes(requirement)
    check.is([...path, 'require', index], isKind, `must be one of ${listAll(REQUIREMENTS, 'or')}`)
  })
  const otherwise = rule['otherwise']
  const isOutcome = otherwise === undefined || (OUTCOMES as readonly string[]).includes(asText(otherwise))
  check.is([...path, 'otherwise'], isOutcome, `must be ${OUTCOMES.join(' or ')}`)
  const isBuildUsed = asTexts(rule['require']).includes('provenance')
  for (const field of ['builder', 'source']) {
    check.is(
      [...path, field],
      rule[field] === undefined || isBuildUsed,
      'has no effect without provenance in require',
    )
  }
}

function checkSigner(signer: JsonObject, rule: JsonObject, path: FieldPath, check: DeclarationCheck): void {
  const isKey = signer['key'] !== undefined
  const isFile = signer['keyFile'] !== undefined
  const isIdentity = asText(signer['issuer']) !== '' && asText(signer['subject']) !== ''
  const isAny = signer['issuer'] !== undefined || signer['subject'] !== undefined
  const kinds = [isKey, isFile, isAny].filter(Boolean).length
  check.is(
    path,
    kinds === 1 && (!isAny || isIdentity),
    'must be a key, a keyFile, or an issuer and a subject',
  )
  if (isKey) check.is([...path, 'key'], isInlineKey(asText(signer['key'])), 'is not a public key in PEM')
  if (isAny) check.is(path, asText(rule['trustedRoot']) !== '', 'needs the trustedRoot of its certificates')
}
