import {isDigest} from '../reference/image-name.js'
import {CrossplaneError, type Fault} from '../errors.js'
import {parseImageName} from '../reference/image-name.js'
import {isDnsLabel, isDnsSubdomain} from '../reference/kubernetes-names.js'
import {
  documentsIn,
  errorAt,
  faultAt,
  type Findings,
  readPart,
  type SourceDocument,
  type TypedPart,
} from '../unpack/findings.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  formatPath,
  isJsonObject,
  type JsonObject,
} from '../yaml/json-value.js'
import {
  type Lock,
  LOCK_API_VERSION,
  LOCK_FORMAT,
  LOCK_KIND,
  LOCKED_MODES,
  type LockedInstall,
  type LockedMismatch,
  type LockedPackage,
} from './lock.js'

const TYPES = {
  Lock: {
    apiVersion: 'string?',
    kind: 'string?',
    formatVersion: 'integer*',
    renderVersion: 'integer*',
    requestHash: 'string?',
    packages: 'map:LockedPackage?',
    acceptedMismatches: 'list:Mismatch?',
    assumptions: 'map:string?',
  },
  LockedPackage: {
    tag: 'string?',
    version: 'string?',
    digest: 'string?',
    summaryHash: 'string?',
    installs: 'map:Install?',
  },
  Install: {mode: 'string?', for: 'map:list:string?'},
  Mismatch: {crd: 'string?', owner: 'string?', requirer: 'string?'},
} satisfies GoTypes

const EMPTY: Lock = {
  requestHash: '',
  renderVersion: 0,
  packages: [],
  acceptedMismatches: [],
  assumptions: {},
  more: {},
}

/**
 * Reads a lock; `name` is the file's for messages. Throws `input-invalid` with everything that is wrong with it, by file
 * and line, and `unsupported` for a format that is newer than this program. Fields that it does not know are kept.
 */
export function readLock(name: string, bytes: Uint8Array): Lock {
  refuseMerge(name, bytes)
  const findings: Findings = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, findings)
  if (document === undefined && findings.errors.length === 0) {
    findings.errors.push({rule: 'lock-empty', message: 'the file is empty', file: name})
  }
  for (const other of others) {
    findings.errors.push(faultAt(other, 'lock-documents', [], 'a lock is one document'))
  }
  if (document !== undefined) refuseNewer(document)
  const lock = document === undefined ? EMPTY : new LockReader(document, findings).read()
  // What a newer program adds is kept; a field in other case, or twice, is nobody's addition.
  const wrong = findings.warnings.filter(({rule}) => rule !== 'unknown-field')
  const faults = [...findings.errors, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  if (faults.length === 0) return lock
  throw invalid(name, faults, [
    'Restore it from version control; or delete it and run kubectl crossplane package lock, which chooses anew.',
  ])
}

function invalid(name: string, faults: readonly Fault[], suggestions: readonly string[]): CrossplaneError {
  const found = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  return new CrossplaneError('input-invalid', `reading the lock ${name} found ${found}`, {
    faults,
    suggestions,
  })
}

/** What git leaves where two branches changed the same lines. */
function refuseMerge(name: string, bytes: Uint8Array): void {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  const faults = lines.flatMap((text, index) =>
    /^<{7}(?: |\r?$)/.test(text)
      ? [
          {
            rule: 'lock-merge',
            message: 'two changes of it were not merged yet',
            file: name,
            line: index + 1,
          },
        ]
      : [],
  )
  if (faults.length === 0) return
  throw invalid(name, faults, [
    'Keep one side of the lock and the merged declaration, then run kubectl crossplane package lock: it adds what the other side needs.',
  ])
}

function refuseNewer({name, yaml}: SourceDocument): void {
  const {kind, formatVersion} = asObject(yaml.value)
  const isNumber = typeof formatVersion === 'number' || typeof formatVersion === 'bigint'
  if (kind !== LOCK_KIND || !isNumber || formatVersion <= LOCK_FORMAT) return
  throw new CrossplaneError(
    'unsupported',
    `the lock ${name} has format ${formatVersion}, and this program reads formats up to ${LOCK_FORMAT}`,
    {suggestions: ['Use the kubectl-crossplane that wrote it, or a newer one.']},
  )
}

/** One word: what a registry takes as tag, and what app.yaml may say where there is none. */
const WORD = /^[\x21-\x7e]{1,128}$/

/** Reads one document, and notes everything that is wrong with it. */
class LockReader {
  readonly #document: SourceDocument
  readonly #findings: Findings
  readonly #part: TypedPart

  constructor(document: SourceDocument, findings: Findings) {
    this.#document = document
    this.#findings = findings
    const as = {type: 'Lock', types: TYPES, scalars: 'strict'} as const
    this.#part = readPart(document, [], document.yaml.value, as, findings)
  }

  read(): Lock {
    const raw = this.#document.yaml.value
    if (!isJsonObject(raw)) return EMPTY
    const {fields} = this.#part
    this.#is(['apiVersion'], asText(fields.apiVersion) === LOCK_API_VERSION, `must be ${LOCK_API_VERSION}`)
    this.#is(['kind'], asText(fields.kind) === LOCK_KIND, `must be ${LOCK_KIND}`)
    this.#is(['formatVersion'], fields.formatVersion === LOCK_FORMAT, `must be ${LOCK_FORMAT}`)
    const {renderVersion} = fields
    const isVersion = typeof renderVersion === 'number' && renderVersion > 0
    this.#is(['renderVersion'], isVersion, 'must be a number above 0')
    this.#hash(['requestHash'], fields.requestHash)
    const packages = asObject(fields.packages)
    const rawPackages = asObject(raw.packages)
    return {
      requestHash: asText(fields.requestHash),
      renderVersion: isVersion ? renderVersion : 0,
      packages: sortedEntries(packages).map(([identity, each]) =>
        this.#package(identity, asObject(each), asObject(rawPackages[identity])),
      ),
      acceptedMismatches: asObjects(fields.acceptedMismatches).map((each, index) =>
        this.#mismatch(['acceptedMismatches', index], each),
      ),
      assumptions: asObject(fields.assumptions) as Record<string, string>,
      more: unknownIn(raw, 'Lock'),
    }
  }

  #package(identity: string, fields: JsonObject, raw: JsonObject): LockedPackage {
    const at = ['packages', identity]
    this.#keyIs(at, isRepository(identity), NO_REPOSITORY)
    this.#word([...at, 'tag'], fields.tag)
    this.#word([...at, 'version'], fields.version)
    this.#hash([...at, 'summaryHash'], fields.summaryHash)
    if (fields.digest !== undefined) this.#hash([...at, 'digest'], fields.digest)
    const rawInstalls = asObject(raw.installs)
    return {
      identity,
      tag: asText(fields.tag),
      version: asText(fields.version),
      ...(fields.digest === undefined ? {} : {digest: asText(fields.digest)}),
      summaryHash: asText(fields.summaryHash),
      installs: sortedEntries(asObject(fields.installs)).map(([key, each]) =>
        this.#install([...at, 'installs', key], key, asObject(each), asObject(rawInstalls[key])),
      ),
      more: unknownIn(raw, 'LockedPackage'),
    }
  }

  #install(at: FieldPath, key: string, fields: JsonObject, raw: JsonObject): LockedInstall {
    const [namespace = '', name = '', ...rest] = key.split('/')
    const isPlace = isDnsLabel(namespace) && isDnsSubdomain(name) && rest.length === 0
    this.#keyIs(at, isPlace, 'is no install: NAMESPACE/NAME')
    const mode = LOCKED_MODES.find(each => each === fields.mode)
    this.#is([...at, 'mode'], mode !== undefined, `must be one of ${LOCKED_MODES.join(', ')}`)
    const needs = sortedEntries(asObject(fields.for)).map(([by, texts]) => [by, asTexts(texts)] as const)
    return {
      namespace,
      name,
      mode: mode ?? 'auto',
      for: Object.fromEntries(needs),
      more: unknownIn(raw, 'Install'),
    }
  }

  #mismatch(at: FieldPath, fields: JsonObject): LockedMismatch {
    this.#is([...at, 'crd'], asText(fields.crd) !== '', 'must name a CRD')
    this.#identity([...at, 'owner'], asText(fields.owner))
    if (fields.requirer !== undefined) this.#identity([...at, 'requirer'], asText(fields.requirer))
    return {
      crd: asText(fields.crd),
      owner: asText(fields.owner),
      ...(fields.requirer === undefined ? {} : {requirer: asText(fields.requirer)}),
    }
  }

  #identity(path: FieldPath, text: string): void {
    this.#is(path, isRepository(text), NO_REPOSITORY)
  }

  #word(path: FieldPath, value: unknown): void {
    this.#is(path, typeof value === 'string' && WORD.test(value), 'must be one word, of up to 128 characters')
  }

  #hash(path: FieldPath, value: unknown): void {
    const isHash = typeof value === 'string' && isDigest(value)
    this.#is(path, isHash, 'must be sha256: and 64 digits of 0-9a-f')
  }

  /** A value that was refused already has its fault. */
  #is(path: FieldPath, holds: boolean, message: string): void {
    if (!this.#part.isRefused(path)) this.#keyIs(path, holds, message)
  }

  /** A key is as wrong whatever stands below it. */
  #keyIs(path: FieldPath, holds: boolean, message: string): void {
    if (holds) return
    const problem = {rule: 'lock-value', path, message: `${formatPath(path)} ${message}`}
    errorAt(this.#document, problem, this.#findings)
  }
}

const NO_REPOSITORY = 'must be a repository: [HOST/]PATH in lower case, without a tag'

function isRepository(text: string): boolean {
  const name = parseImageName(text)
  return name !== undefined && name.tag === undefined && name.digest === undefined
}

/** Sorted as `writeYaml` does: by code units. */
function sortedEntries<Value>(object: Readonly<Record<string, Value>>): (readonly [string, Value])[] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
}

function unknownIn(raw: JsonObject, type: keyof typeof TYPES): JsonObject {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !Object.hasOwn(TYPES[type], key)))
}
