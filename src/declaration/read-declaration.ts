import {API_VERSION} from '../api-version.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'
import {
  documentsIn,
  diagnosticAt,
  type DiagnosticCollector,
  readPart,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import type {Declaration, DeclaredPackage, DeclaredParameters} from './declaration.js'
import {ACKNOWLEDGED_FIELDS, acknowledgedIn, checkAcknowledged} from './acknowledged.js'
import {mergeMarks} from './merge-marks.js'
import {otherKind} from './other-kind.js'
import {asError} from './as-error.js'
import {baseIn, remainingEntries, withInherited, wrongRemovals} from './declared-base.js'
import {DeclarationCheck} from './declaration-check.js'
import {checkLayoutSettings, LAYOUT_TYPES, layoutSettings} from './layout-settings.js'
import {checkRenderSettings, RENDER_FIELDS} from './render-settings.js'
import {RUNTIME_TYPES} from './runtime/runtime.js'
import {
  checkRevisionSettings,
  checkXpkgSettings,
  REVISION_POLICIES,
  XPKG_FIELDS,
  xpkgSettings,
} from './xpkg-settings.js'
import {count} from '../text.js'
import {XPKG_PINS} from '../xpkg/pins.js'

/** The kind of declarations. */
export const DECLARATION_KIND = 'PackageDeclaration'

const TYPES: GoTypes = {
  ...RUNTIME_TYPES,
  Declaration: {
    apiVersion: 'string?',
    kind: 'string?',
    defaultSource: 'string?',
    registries: 'map:string?',
    indexes: 'list:string?',
    systemNamespace: 'string?',
    dependencyNamespace: 'string?',
    crossplaneVersion: 'string*',
    coreVersion: 'string*',
    assume: 'list:string?',
    acknowledged: 'Acknowledged*',
    render: 'Render?',
    xpkg: 'Xpkg*',
    layout: 'string*',
    flux: 'Flux*',
    argocd: 'ArgoCd*',
    crds: 'string*',
    base: 'string*',
    output: 'string*',
    policy: 'string*',
    usage: 'Usage*',
    hold: 'map:string?',
    owners: 'map:string?',
    remove: 'list:string?',
    packages: 'list:DeclaredPackage?',
  },
  Usage: {objects: 'list:string?'},
  Acknowledged: ACKNOWLEDGED_FIELDS,
  Render: RENDER_FIELDS,
  Xpkg: XPKG_FIELDS,
  ...LAYOUT_TYPES,
  DeclaredPackage: {
    package: 'string?',
    version: 'string*',
    crd: 'string?',
    namespace: 'string?',
    name: 'string?',
    pin: 'string*',
    draining: 'boolean*',
    crdsOnly: 'boolean*',
    parameters: 'Parameters*',
    runtime: 'Runtime*',
  },
  Parameters: {
    source: 'string?',
    imagePullPolicy: 'string?',
    imagePullSecrets: 'list:string?',
    serviceAccountAnnotations: 'map:string?',
    revisionActivationPolicy: 'string*',
    revisionHistoryLimit: 'integer*',
    runtimeConfig: 'string*',
    paused: 'boolean*',
  },
}

/**
 * Reads a declaration. `name` is the file's for messages. Throws `input-invalid` with all errors, by file and line.
 * Unknown fields are errors: they may be misspelled.
 */
export function readDeclaration(name: string, bytes: Uint8Array): Declaration {
  const unmerged = mergeMarks(name, bytes, 'declaration-merge')
  if (unmerged.length > 0)
    throw invalid(name, unmerged, 'Resolve the conflict, and lock the packages again with package lock.')
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, collector)
  if (document === undefined && collector.errors.length === 0) {
    collector.errors.push({
      severity: 'error',
      rule: 'declaration-empty',
      message: 'the file is empty',
      file: name,
    })
  }
  for (const other of others) {
    collector.errors.push(
      diagnosticAt(other, 'declaration-documents', [], 'a declaration must be a single document'),
    )
  }
  const declaration = document === undefined ? EMPTY_DECLARATION : readDocument(document, collector)
  const wrong = collector.warnings.map(asError)
  const diagnostics = [...collector.errors, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  if (diagnostics.length === 0) return declaration
  const isOther = otherKind(document?.yaml.value, DECLARATION_KIND) !== undefined
  throw invalid(
    name,
    diagnostics,
    isOther ? OTHER : 'Correct the listed lines; docs/declaration.md has all fields.',
  )
}

const OTHER = 'Pass the path of a PackageDeclaration.'

function invalid(name: string, diagnostics: readonly Diagnostic[], suggestion: string): CrossplaneError {
  const total = count(diagnostics.length, 'error')
  return new CrossplaneError('input-invalid', `cannot read the declaration ${name}: ${total}`, {
    diagnostics,
    suggestions: [suggestion],
  })
}

/** A declaration without settings and packages. */
export const EMPTY_DECLARATION: Declaration = {
  owners: [],
  registries: {},
  indexes: [],
  assume: [],
  render: {},
  tree: {},
  packages: [],
}

function readDocument(document: SourceDocument, collector: DiagnosticCollector): Declaration {
  const other = otherKind(document.yaml.value, DECLARATION_KIND)
  if (other !== undefined) {
    collector.errors.push(diagnosticAt(document, 'declaration-value', ['kind'], other))
    return EMPTY_DECLARATION
  }
  const as = {type: 'Declaration', types: TYPES, scalars: 'strict', isClosed: true} as const
  const {value} = document.yaml
  const base = baseIn(value)
  const part = readPart(document, [], withoutBase(value), as, collector)
  const {fields} = part
  const checker = new DeclarationCheck(document, part, collector)
  if (!isJsonObject(value)) return EMPTY_DECLARATION
  checker.is(['extends'], value.extends === undefined || base !== undefined, NO_BASE)
  checker.is(['apiVersion'], asText(fields.apiVersion) === API_VERSION, `must be ${API_VERSION}`)
  checker.is(['kind'], asText(fields.kind) === DECLARATION_KIND, `must be ${DECLARATION_KIND}`)
  const packages = asObjects(fields.packages)
  const isNamed = packages.length > 0 || Array.isArray(value.packages)
  checker.is(['packages'], isNamed, 'must name packages or CRDs; [] for none')
  checker.namespace(['systemNamespace'], fields.systemNamespace)
  checker.namespace(['dependencyNamespace'], fields.dependencyNamespace)
  checker.source(['defaultSource'], fields.defaultSource)
  checker.policy(fields.policy)
  checker.usage(asTexts(asObject(fields.usage).objects))
  checker.hold(asObject(fields.hold))
  checker.owners(asObject(fields.owners))
  checker.registries(asObject(fields.registries))
  checker.indexes(asTexts(fields.indexes))
  checker.crossplaneVersion(fields.crossplaneVersion)
  checker.coreVersion(fields.coreVersion)
  checker.assumed(asTexts(fields.assume))
  checkAcknowledged(asObject(fields.acknowledged), checker)
  checkRenderSettings(asObject(fields.render), checker)
  checkXpkgSettings(asObject(fields.xpkg), checker)
  const settings = base === undefined ? fields : withInherited(fields, base)
  checkLayoutSettings(settings, checker)
  for (const [place, message] of wrongRemovals(value)) checker.is(['remove', place], false, message)
  packages.forEach((object, index) => {
    checker.declared(['packages', index], object)
    checkRevisionSettings(['packages', index, 'parameters'], asObject(object.parameters), checker)
  })
  checker.noneTwice(packages)
  return {
    ...declarationOf(settings),
    ...(base?.settings.policy === undefined ? {} : {basePolicy: asText(base.settings.policy)}),
    packages: [...packages, ...remainingEntries(value).map(entry => entry.value)].map(declaredPackage),
  }
}

const NO_BASE = 'has an effect only in a declaration that is a file, and not in one of its entries'

/** What is read of a base was checked in its own file. */
function withoutBase(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const {extends: _base, ...own} = value
  return own
}

function declarationOf(fields: JsonObject): Omit<Declaration, 'packages'> {
  return {
    ...texts(fields, [
      'defaultSource',
      'systemNamespace',
      'dependencyNamespace',
      'crossplaneVersion',
      'coreVersion',
      'policy',
    ]),
    ...usageIn(asTexts(asObject(fields.usage).objects)),
    ...(fields.hold === undefined ? {} : {hold: asObject(fields.hold) as Record<string, string>}),
    registries: asObject(fields.registries) as Record<string, string>,
    indexes: asTexts(fields.indexes),
    assume: asTexts(fields.assume),
    ...(fields.acknowledged === undefined
      ? {}
      : {acknowledged: acknowledgedIn(asObject(fields.acknowledged))}),
    render: asObject(fields.render),
    ...(fields.xpkg === undefined ? {} : {xpkg: xpkgSettings(asObject(fields.xpkg))}),
    tree: layoutSettings(fields),
    owners: Object.entries(asObject(fields.owners)).map(([group, owner]) => ({
      group,
      package: asText(owner),
    })),
  }
}

function declaredPackage(fields: JsonObject): DeclaredPackage {
  const pin = XPKG_PINS.find(word => word === fields.pin)
  return {
    ...texts(fields, ['package', 'version', 'crd', 'namespace', 'name']),
    ...present({pin}),
    ...(fields.draining === true ? {draining: true} : {}),
    ...(fields.crdsOnly === true ? {crdsOnly: true} : {}),
    parameters: declaredParameters(asObject(fields.parameters)),
    ...(fields.runtime === undefined ? {} : {runtime: asObject(fields.runtime)}),
  }
}

function declaredParameters(fields: JsonObject): DeclaredParameters {
  const imagePullPolicy = PULL_POLICIES.find(policy => policy === fields.imagePullPolicy)
  return {
    ...texts(fields, ['source']),
    imagePullPolicy,
    imagePullSecrets: asTexts(fields.imagePullSecrets),
    serviceAccountAnnotations: asObject(fields.serviceAccountAnnotations) as Record<string, string>,
    ...revisionSettings(fields),
    ...texts(fields, ['runtimeConfig']),
    ...(fields.paused === true ? {paused: true} : {}),
  }
}

function revisionSettings({
  revisionActivationPolicy,
  revisionHistoryLimit: limit,
}: JsonObject): Pick<DeclaredParameters, 'revisionActivationPolicy' | 'revisionHistoryLimit'> {
  const policy = REVISION_POLICIES.find(word => word === revisionActivationPolicy)
  return present({
    revisionActivationPolicy: policy,
    revisionHistoryLimit: typeof limit === 'number' ? limit : undefined,
  })
}

function texts<Name extends string>(fields: JsonObject, names: readonly Name[]): {[N in Name]?: string} {
  const named = names.filter(name => typeof fields[name] === 'string')
  return Object.fromEntries(named.map(name => [name, asText(fields[name])])) as {[N in Name]?: string}
}

/** An empty list guards nothing. */
function usageIn(objects: readonly string[]): Pick<Declaration, 'usage'> {
  return objects.length === 0 ? {} : {usage: {objects}}
}
