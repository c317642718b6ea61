import {listAll} from '../text.js'
import {API_VERSION} from '../api-version.js'
import {isDigest, parseImageName} from '../reference/image-name.js'
import {XPKG_KINDS} from '../xpkg/content/object-kinds.js'
import {isDnsLabel, isDnsSubdomain} from '../reference/kubernetes-names.js'
import {
  errorAt,
  type DiagnosticCollector,
  readPart,
  type SourceDocument,
  type TypedPart,
} from '../unpack/diagnostics.js'
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
  type JsonValue,
} from '../yaml/json-value.js'
import {
  type AcceptedImpact,
  type Lock,
  LOCK_FORMAT,
  LOCK_KIND,
  LOCKED_MODES,
  type LockedInstall,
  type LockedMismatch,
  type LockedPackage,
  type LockedXpkg,
} from './lock.js'
import {MOVING_TYPES, movingIn, type MovingRequest} from './moving.js'
import {LOCKED_SIGNATURE_TYPES, lockedSignatures, type LockedSignatures} from './locked-signatures.js'

const TYPES = {
  Lock: {
    apiVersion: 'string?',
    kind: 'string?',
    formatVersion: 'integer*',
    renderVersion: 'integer*',
    requestHash: 'string?',
    packages: 'map:LockedPackage?',
    xpkgs: 'map:LockedXpkg*',
    moving: 'list:Moving*',
    acceptedMismatches: 'list:Mismatch?',
    assumptions: 'map:string?',
    acceptedImpacts: 'map:AcceptedImpact*',
  },
  LockedPackage: {
    tag: 'string?',
    version: 'string*',
    digest: 'string?',
    summaryHash: 'string?',
    signatures: 'list:LockedStatement*',
    images: 'map:LockedImage*',
    installs: 'map:Install?',
  },
  LockedXpkg: {
    kind: 'string?',
    name: 'string*',
    tag: 'string*',
    digest: 'string*',
    summaryHash: 'string?',
    signatures: 'list:LockedStatement*',
    mode: 'string?',
    requestedAs: 'list:string?',
    crossplane: 'string*',
    requires: 'map:list:string?',
  },
  Install: {
    mode: 'string?',
    requestedFor: 'list:string?',
    requestedAs: 'list:string?',
    for: 'map:list:string?',
  },
  AcceptedImpact: {from: 'string*', to: 'string*', findings: 'integer*', hash: 'string?'},
  Mismatch: {crd: 'string?', owner: 'string?', requirer: 'string?'},
  ...MOVING_TYPES,
  ...LOCKED_SIGNATURE_TYPES,
} satisfies GoTypes

/** The lock without packages; it also stands in for an invalid document. */
export const EMPTY_LOCK: Lock = {
  requestHash: '',
  renderVersion: 0,
  packages: [],
  acceptedMismatches: [],
  assumptions: {},
  more: {},
}

/**
 * The tag of a package: one segment of a path. Folders can use names that no registry accepts.
 */
const TAG = /^(?!\.{1,2}$)[^/\\?#%\p{C}]{1,255}$/u

/** The identity of a local package: its folder's name. */
const LOCAL = /^local\/[^/]+$/

/** Reads the document of a lock; all errors are added to `collector`. */
export function readLockDocument(document: SourceDocument, collector: DiagnosticCollector): Lock {
  return new LockReader(document, collector).read()
}

class LockReader {
  readonly #document: SourceDocument
  readonly #collector: DiagnosticCollector
  readonly #part: TypedPart

  constructor(document: SourceDocument, collector: DiagnosticCollector) {
    this.#document = document
    this.#collector = collector
    const as = {type: 'Lock', types: TYPES, scalars: 'strict'} as const
    this.#part = readPart(document, [], document.yaml.value, as, collector)
  }

  read(): Lock {
    const raw = this.#document.yaml.value
    if (!isJsonObject(raw)) return EMPTY_LOCK
    const {fields} = this.#part
    this.#is(['apiVersion'], asText(fields.apiVersion) === API_VERSION, `must be ${API_VERSION}`)
    this.#is(['kind'], asText(fields.kind) === LOCK_KIND, `must be ${LOCK_KIND}`)
    this.#is(['formatVersion'], fields.formatVersion === LOCK_FORMAT, `must be ${LOCK_FORMAT}`)
    const {renderVersion} = fields
    const isVersion = typeof renderVersion === 'number' && renderVersion > 0
    this.#is(['renderVersion'], isVersion, 'must be a number above 0')
    this.#hash(['requestHash'], fields.requestHash)
    const packages = asObject(fields.packages)
    const rawPackages = asObject(raw.packages)
    const rawMismatches = asObjects(raw.acceptedMismatches)
    const xpkgs =
      fields.xpkgs === undefined ? undefined : this.#xpkgs(asObject(fields.xpkgs), asObject(raw.xpkgs))
    return {
      requestHash: asText(fields.requestHash),
      renderVersion: isVersion ? renderVersion : 0,
      packages: sortedEntries(packages).map(([identity, value]) =>
        this.#package(identity, asObject(value), asObject(rawPackages[identity])),
      ),
      ...(xpkgs === undefined ? {} : {xpkgs}),
      ...(fields.moving === undefined ? {} : {moving: this.#moving(fields, xpkgs)}),
      acceptedMismatches: asObjects(fields.acceptedMismatches).map((object, index) =>
        this.#mismatch(['acceptedMismatches', index], object, rawMismatches[index] ?? {}),
      ),
      assumptions: asObject(fields.assumptions) as Record<string, string>,
      ...(fields.acceptedImpacts === undefined
        ? {}
        : {acceptedImpacts: this.#impacts(fields.acceptedImpacts)}),
      more: unknownIn(raw, 'Lock'),
    }
  }

  #moving(fields: JsonObject, xpkgs: readonly LockedXpkg[] = []): readonly MovingRequest[] {
    return movingIn(fields, xpkgs, (index, holds, message) => {
      this.#is(['moving', index], holds, message)
    })
  }

  #package(identity: string, fields: JsonObject, raw: JsonObject): LockedPackage {
    const at = ['packages', identity]
    this.#keyIs(at, isRepository(identity), NO_REPOSITORY)
    const tag = asText(fields.tag)
    this.#is([...at, 'tag'], tag !== '' && (LOCAL.test(identity) || TAG.test(tag)), 'must be a tag')
    this.#is([...at, 'version'], fields.version !== undefined, 'is required')
    this.#hash([...at, 'summaryHash'], fields.summaryHash)
    if (fields.digest !== undefined) this.#hash([...at, 'digest'], fields.digest)
    const rawInstalls = asObject(raw.installs)
    return {
      identity,
      tag,
      version: asText(fields.version),
      ...(fields.digest === undefined ? {} : {digest: asText(fields.digest)}),
      summaryHash: asText(fields.summaryHash),
      ...this.#signatures(at, fields),
      installs: sortedEntries(asObject(fields.installs)).map(([key, value]) =>
        this.#install([...at, 'installs', key], key, asObject(value), asObject(rawInstalls[key])),
      ),
      more: unknownIn(raw, 'LockedPackage'),
    }
  }

  #xpkgs(fields: JsonObject, raw: JsonObject): readonly LockedXpkg[] {
    return sortedEntries(fields).map(([repository, value]) =>
      this.#xpkg(repository, asObject(value), asObject(raw[repository])),
    )
  }

  #xpkg(repository: string, fields: JsonObject, raw: JsonObject): LockedXpkg {
    const at = ['xpkgs', repository]
    this.#keyIs(at, isRepository(repository), NO_REPOSITORY)
    const kind = asText(fields.kind)
    this.#is(
      [...at, 'kind'],
      XPKG_KINDS.some(name => name === kind),
      `must be one of ${listAll(XPKG_KINDS, 'or')}`,
    )
    const {name, tag, digest} = fields
    this.#is(
      [...at, 'tag'],
      tag !== undefined || digest !== undefined,
      'is required for a package without a digest',
    )
    if (tag !== undefined) this.#is([...at, 'tag'], TAG.test(asText(tag)), 'must be a tag')
    if (digest !== undefined) this.#hash([...at, 'digest'], digest)
    this.#hash([...at, 'summaryHash'], fields.summaryHash)
    const requires = sortedEntries(asObject(fields.requires)).map(
      ([name, texts]) => [name, asTexts(texts)] as const,
    )
    if (name !== undefined)
      this.#is([...at, 'name'], isDnsSubdomain(asText(name)), 'must be the name of a request')
    return {
      repository,
      kind,
      ...(name === undefined ? {} : {name: asText(name)}),
      ...(tag === undefined ? {} : {tag: asText(tag)}),
      ...(digest === undefined ? {} : {digest: asText(digest)}),
      summaryHash: asText(fields.summaryHash),
      ...this.#signatures(at, fields),
      mode: this.#mode(at, fields),
      ...(fields.requestedAs === undefined ? {} : {requestedAs: asTexts(fields.requestedAs)}),
      ...(fields.crossplane === undefined ? {} : {crossplane: asText(fields.crossplane)}),
      requires: Object.fromEntries(requires),
      more: unknownIn(raw, 'LockedXpkg'),
    }
  }

  #signatures(at: FieldPath, fields: JsonObject): LockedSignatures {
    return lockedSignatures(fields, (path, holds, message) => {
      this.#is([...at, ...path], holds, message)
    })
  }

  #mode(at: FieldPath, fields: JsonObject): (typeof LOCKED_MODES)[number] {
    const mode = LOCKED_MODES.find(text => text === fields.mode)
    this.#is([...at, 'mode'], mode !== undefined, `must be one of ${listAll(LOCKED_MODES, 'or')}`)
    return mode ?? 'auto'
  }

  #install(at: FieldPath, key: string, fields: JsonObject, raw: JsonObject): LockedInstall {
    const [namespace = '', name = '', ...rest] = key.split('/')
    const isPlace = isDnsLabel(namespace) && isDnsSubdomain(name) && rest.length === 0
    this.#keyIs(at, isPlace, 'is not an install: NAMESPACE/NAME')
    const mode = this.#mode(at, fields)
    const needs = sortedEntries(asObject(fields.for)).map(([by, texts]) => [by, asTexts(texts)] as const)
    return {
      namespace,
      name,
      mode,
      requestedFor: asTexts(fields.requestedFor),
      ...(fields.requestedAs === undefined ? {} : {requestedAs: asTexts(fields.requestedAs)}),
      for: Object.fromEntries(needs),
      more: unknownIn(raw, 'Install'),
    }
  }

  #mismatch(at: FieldPath, fields: JsonObject, raw: JsonObject): LockedMismatch {
    this.#is([...at, 'crd'], asText(fields.crd) !== '', 'must name a CRD')
    this.#identity([...at, 'owner'], asText(fields.owner))
    if (fields.requirer !== undefined) this.#identity([...at, 'requirer'], asText(fields.requirer))
    return {
      crd: asText(fields.crd),
      owner: asText(fields.owner),
      ...(fields.requirer === undefined ? {} : {requirer: asText(fields.requirer)}),
      more: unknownIn(raw, 'Mismatch'),
    }
  }

  #impacts(value: JsonValue): Readonly<Record<string, AcceptedImpact>> {
    const entries = sortedEntries(asObject(value)).map(([name, own]) => {
      const {from, to, findings, hash} = asObject(own)
      const at = ['acceptedImpacts', name]
      this.#keyIs(at, isRepository(name), NO_REPOSITORY)
      this.#hash([...at, 'hash'], hash)
      const isCount = typeof findings === 'number' && findings > 0
      this.#is([...at, 'findings'], isCount, 'must be a number above 0')
      const versions = {
        ...(from === undefined ? {} : {from: asText(from)}),
        ...(to === undefined ? {} : {to: asText(to)}),
      }
      return [name, {...versions, findings: isCount ? findings : 0, hash: asText(hash)}] as const
    })
    return Object.fromEntries(entries)
  }

  #identity(path: FieldPath, text: string): void {
    this.#is(path, isRepository(text), NO_REPOSITORY)
  }

  #hash(path: FieldPath, value: unknown): void {
    const isHash = typeof value === 'string' && isDigest(value)
    this.#is(path, isHash, 'must be sha256: and 64 digits of 0-9a-f')
  }

  /** A value of the wrong type has its diagnostic already. */
  #is(path: FieldPath, holds: boolean, message: string): void {
    if (!this.#part.isRejected(path)) this.#keyIs(path, holds, message)
  }

  /** A key is checked even if its value has the wrong type. */
  #keyIs(path: FieldPath, holds: boolean, message: string): void {
    if (holds) return
    const draft = {rule: 'lock-value', path, message: `${formatPath(path)} ${message}`}
    errorAt(this.#document, draft, this.#collector)
  }
}

const NO_REPOSITORY = 'must be a repository: [HOST/]PATH in lowercase, without a tag'

function isRepository(text: string): boolean {
  if (LOCAL.test(text)) return true
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
