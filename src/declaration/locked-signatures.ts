import {present} from '../present.js'
import {isDigest} from '../reference/image-name.js'
import {canonicalName} from '../reference/repository-name.js'
import type {RecordedStatement} from '../signatures/recorded-statement.js'
import type {SignerName} from '../signatures/trusted-signer.js'
import {writeJson} from '../yaml/write-yaml.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'

/** What a trusted signer stated, and the digest that it is about: a lock has it beside another digest after a merge or an edit. */
export interface LockedStatement extends RecordedStatement {
  /** Absent in locks of earlier versions of this program. */
  readonly digest?: string
}

/** An image that a package runs, as its signatures were verified. */
export interface LockedImage {
  /** As the package writes it. */
  readonly image: string
  readonly digest: string
  readonly signatures: readonly LockedStatement[]
}

/** What was verified of a package when it was locked; a field is absent if no policy was looked at. */
export interface LockedSignatures {
  readonly signatures?: readonly LockedStatement[]
  /** By image. */
  readonly images?: readonly LockedImage[]
}

/** The types of signatures in a lock. */
export const LOCKED_SIGNATURE_TYPES = {
  LockedStatement: {
    digest: 'string*',
    predicateType: 'string?',
    signer: 'LockedSigner?',
    builder: 'string*',
    source: 'string*',
  },
  LockedSigner: {key: 'string*', issuer: 'string*', subject: 'string*'},
  LockedImage: {digest: 'string?', signatures: 'list:LockedStatement*'},
} as const

/** Reads the signatures of a locked package; `is` reports an invalid value by its path. */
export function lockedSignatures(
  {signatures, images}: JsonObject,
  is: (path: readonly (string | number)[], holds: boolean, message: string) => void,
): LockedSignatures {
  return present({
    signatures: signatures === undefined ? undefined : statementsIn(signatures, ['signatures'], is),
    images:
      images === undefined
        ? undefined
        : Object.entries(asObject(images)).map(([image, value]) => {
            const {digest, signatures: own} = asObject(value)
            const path = ['images', image]
            is([...path, 'digest'], isDigest(asText(digest)), NO_DIGEST)
            return {image, digest: asText(digest), signatures: statementsIn(own, [...path, 'signatures'], is)}
          }),
  })
}

const NO_DIGEST = 'must be sha256: and 64 digits of 0-9a-f'

function statementsIn(
  value: JsonValue | undefined,
  path: readonly string[],
  is: Parameters<typeof lockedSignatures>[1],
): readonly LockedStatement[] {
  return asObjects(value).map(({digest, predicateType, signer, builder, source}, index) => {
    const name = signerIn(asObject(signer))
    is([...path, index, 'digest'], digest === undefined || isDigest(asText(digest)), NO_DIGEST)
    is([...path, index, 'signer'], name !== undefined, 'must be a key, or an issuer and a subject')
    is([...path, index, 'predicateType'], asText(predicateType) !== '', 'is required')
    return {
      predicateType: asText(predicateType),
      signer: name ?? {key: ''},
      ...present({digest: textOf(digest), builder: textOf(builder), source: textOf(source)}),
    }
  })
}

function signerIn({key, issuer, subject}: JsonObject): SignerName | undefined {
  const isIdentity = asText(issuer) !== '' && asText(subject) !== ''
  if (asText(key) !== '')
    return issuer === undefined && subject === undefined ? {key: asText(key)} : undefined
  return isIdentity ? {issuer: asText(issuer), subject: asText(subject)} : undefined
}

function textOf(value: JsonValue | undefined): string | undefined {
  return asText(value) === '' ? undefined : asText(value)
}

/** Returns the signatures of a locked package as they are written; fields without an entry are left out. */
export function signaturesValue({signatures = [], images = []}: LockedSignatures): JsonObject {
  return {
    ...(signatures.length === 0 ? {} : {signatures: signatures.map(statementValue)}),
    ...(images.length === 0
      ? {}
      : {
          images: Object.fromEntries(
            images.map(({image, digest, signatures: own}) => [
              image,
              {digest, signatures: own.map(statementValue)},
            ]),
          ),
        }),
  }
}

function statementValue({signer, ...statement}: LockedStatement): JsonObject {
  return {...statement, signer: {...signer}}
}

/** Returns what signers state of a digest as a lock has it. */
export function statementsAbout(
  digest: string | undefined,
  statements: readonly RecordedStatement[],
): readonly LockedStatement[] {
  return statements.map(statement => ({...statement, ...present({digest})}))
}

/** Reports whether a package is stated to be the same: where in a lock a statement stands does not matter. */
export function isStatedAlike(old: LockedSignatures, next: LockedSignatures): boolean {
  return writeJson(signaturesValue(withoutDigests(old))) === writeJson(signaturesValue(withoutDigests(next)))
}

function withoutDigests({signatures = [], images = []}: LockedSignatures): LockedSignatures {
  const bare = (all: readonly LockedStatement[]) => all.map(({digest: _digest, ...statement}) => statement)
  return {
    signatures: bare(signatures),
    images: images.map(image => ({...image, signatures: bare(image.signatures)})),
  }
}

/** What a lock has of verified digests. */
export interface RecordedSignatures {
  /** Undefined for a digest of which nothing is recorded, also if the lock has statements about another one in its place. */
  of(repository: string, digest: string): readonly RecordedStatement[] | undefined
  /** The digest that an image without one had; undefined for an image that is not recorded. */
  digestOf(image: string): string | undefined
}

/** A package of a lock, of either format. */
type LockedSource = LockedSignatures & {readonly name: string; readonly digest?: string}

/** Returns what a lock has of the digests of its packages and their images. */
export function recordedSignatures(packages: readonly LockedSource[]): RecordedSignatures {
  const statements = new Map<string, readonly RecordedStatement[]>()
  const digests = new Map<string, string>()
  const add = (name: string, digest: string, all: readonly LockedStatement[]) => {
    const own = all.flatMap(({digest: about, ...statement}) => (about === digest ? [statement] : []))
    if (own.length > 0) statements.set(`${canonicalName(name)}@${digest}`, own)
  }
  for (const {name, digest = '', signatures = [], images = []} of packages) {
    add(name, digest, signatures)
    for (const image of images) {
      add(image.image, image.digest, image.signatures)
      digests.set(image.image, image.digest)
    }
  }
  return {
    of: (repository, digest) => statements.get(`${repository}@${digest}`),
    digestOf: image => digests.get(image),
  }
}
