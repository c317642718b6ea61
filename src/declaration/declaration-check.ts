import {parseCrossplaneRelease} from '../reference/crossplane-release.js'
import {parseImageName} from '../reference/image-name.js'
import {isImageSource} from '../reference/image-source.js'
import {isCrdName} from '../reference/install-target.js'
import {isDnsLabel, isDnsSubdomain, isGroupPattern, isQualifiedName} from '../reference/kubernetes-names.js'
import {canonicalSource} from '../reference/mirrors.js'
import {isLocalPath} from '../reference/package-reference.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'
import {isRange} from '../reference/version-range.js'
import {CONSTRAINT_RULES} from '../xpkg/constraints/constraint-rules.js'
import {readConstraint} from '../xpkg/constraints/constraint.js'
import {candidateVersion} from '../xpkg/constraints/version.js'
import {XPKG_PINS} from '../xpkg/pins.js'
import {
  errorAt,
  type DiagnosticCollector,
  type SourceDocument,
  type TypedPart,
} from '../unpack/diagnostics.js'
import {listAll, quoted} from '../text.js'
import {
  asObject,
  asText,
  asTexts,
  type FieldPath,
  formatPath,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'

import {checkRuntime} from './runtime/check-runtime.js'

function isRepository(text: string): boolean {
  const name = parseImageName(text)
  return name !== undefined && name.tag === undefined && name.digest === undefined
}

/** Checks the values of a declaration. */
export class DeclarationCheck {
  readonly #document: SourceDocument
  readonly #part: TypedPart
  readonly #collector: DiagnosticCollector
  readonly #rule: string

  constructor(
    document: SourceDocument,
    part: TypedPart,
    collector: DiagnosticCollector,
    rule = 'declaration-value',
  ) {
    this.#rule = rule
    this.#document = document
    this.#part = part
    this.#collector = collector
  }

  /** A value of the wrong type has its diagnostic already. */
  is(path: FieldPath, holds: boolean, message: string): void {
    if (holds || this.#part.isRejected(path)) return
    const draft = {rule: this.#rule, path, message: `${formatPath(path)} ${message}`}
    errorAt(this.#document, draft, this.#collector)
  }

  #given(
    path: FieldPath,
    value: JsonValue | undefined,
    holds: (text: string) => boolean,
    message: string,
  ): void {
    const text = asText(value)
    if (text !== '') this.is(path, holds(text), `${JSON.stringify(text)} ${message}`)
  }

  /** Checks the fields of a section that have few values. */
  words(section: FieldPath, fields: JsonObject, values: Readonly<Record<string, readonly string[]>>): void {
    for (const [name, words] of Object.entries(values)) {
      if (fields[name] === undefined) continue
      const text = asText(fields[name])
      this.is(
        [...section, name],
        words.includes(text),
        `${quoted(text)} is not one of ${listAll(words, 'or')}`,
      )
    }
  }

  namespace(path: FieldPath, value: JsonValue | undefined): void {
    this.#given(path, value, isDnsLabel, 'is not a valid namespace name')
  }

  source(path: FieldPath, value: JsonValue | undefined): void {
    this.#given(path, value, isImageSource, 'is not a registry: HOST[:PORT][/PATH], without a tag')
  }

  owners(owners: JsonObject): void {
    for (const [group, owner] of Object.entries(owners)) {
      const path = ['owners', group]
      this.is(path, isGroupPattern(group), 'is not an API group or *.SUFFIX')
      const repository = asText(owner)
      this.is(
        path,
        isRepository(repository),
        `${JSON.stringify(repository)} is not a repository: [HOST/]PATH in lowercase, without a tag`,
      )
    }
  }

  hold(hold: JsonObject): void {
    for (const [repository, reason] of Object.entries(hold)) {
      const path = ['hold', repository]
      this.is(path, isRepository(repository), 'is not a repository: [HOST/]PATH in lowercase, without a tag')
      this.is(path, asText(reason).trim() !== '', 'has no reason')
    }
  }

  indexes(indexes: readonly string[]): void {
    indexes.forEach((index, place) => {
      const path = ['indexes', place]
      this.is(
        path,
        isLocalPath(index) || isRepository(index),
        `${JSON.stringify(index)} is not an index: a repository [HOST/]PATH without a tag, or a file as ./FILE`,
      )
      const first = indexes.indexOf(index)
      this.is(path, first === place, `is the same as indexes[${first}]`)
    })
  }

  crossplaneVersion(value: JsonValue | undefined): void {
    if (value === undefined) return
    const release = asText(value)
    const isRelease = release === 'none' || parseCrossplaneRelease(release) !== undefined
    const message = `${JSON.stringify(release)} is not a release such as v0.12, or none`
    this.is(['crossplaneVersion'], isRelease, message)
  }

  coreVersion(value: JsonValue | undefined): void {
    if (value === undefined) return
    const version = asText(value)
    const message = `${JSON.stringify(version)} is not a complete version of Crossplane, such as v2.3.4`
    this.is(['coreVersion'], candidateVersion(version, 'v3') !== undefined, message)
  }

  assumed(crds: readonly string[]): void {
    crds.forEach((crd, place) => {
      const path = ['assume', place]
      const message = `${JSON.stringify(crd)} is not a CRD: RESOURCE.GROUP[/VERSION], or a file as ./FILE`
      this.is(path, isLocalPath(crd) || isCrdName(crd), message)
      const first = crds.indexOf(crd)
      this.is(path, first === place, `is the same as assume[${first}]`)
    })
  }

  policy(value: JsonValue | undefined): void {
    this.#given(['policy'], value, isRelative, NOT_RELATIVE)
  }

  usage(objects: readonly string[]): void {
    objects.forEach((path, place) => {
      this.is(['usage', 'objects', place], path !== '' && isRelative(path), NOT_RELATIVE)
    })
  }

  registries(registries: JsonObject): void {
    const seen = new Map<string, string>()
    for (const [registry, target] of Object.entries(registries)) {
      const path = ['registries', registry]
      const mirror = asText(target)
      const isMirror = isImageSource(mirror)
      this.is(
        path,
        isMirror,
        `${JSON.stringify(mirror)} is not a registry: HOST[:PORT][/PATH], without a tag`,
      )
      this.is(path, isImageSource(registry), 'is not a registry')
      const first = seen.get(canonicalSource(registry))
      seen.set(canonicalSource(registry), first ?? registry)
      this.is(path, first === undefined, `is the same registry as ${first ?? ''}`)
    }
  }

  declared(at: FieldPath, fields: JsonObject): void {
    const isOne = (fields.package === undefined) !== (fields.crd === undefined)
    this.is(at, isOne, 'must name either a package or a crd')
    this.#given(
      [...at, 'package'],
      fields.package,
      text => parseImageName(text) !== undefined,
      'is not a package: [HOST/]PATH[:TAG][@sha256:DIGEST] in lowercase',
    )
    this.#version(at, fields)
    this.#given([...at, 'crd'], fields.crd, isCrdName, 'is not a CRD: RESOURCE.GROUP[/VERSION]')
    this.namespace([...at, 'namespace'], fields.namespace)
    this.#given([...at, 'name'], fields.name, isDnsSubdomain, 'is not a valid install name')
    this.#given(
      [...at, 'pin'],
      fields.pin,
      text => XPKG_PINS.some(pin => pin === text),
      `is not one of ${listAll(XPKG_PINS, 'or')}`,
    )
    const isDraining = fields.crdsOnly !== true || fields.draining === true
    this.is([...at, 'crdsOnly'], isDraining, 'requires draining: true')
    this.#parameters([...at, 'parameters'], asObject(fields.parameters))
    checkRuntime([...at, 'runtime'], asObject(fields.runtime), this)
    const {runtimeConfig, serviceAccountAnnotations} = asObject(fields.parameters)
    const isAlone =
      runtimeConfig === undefined || (fields.runtime === undefined && serviceAccountAnnotations === undefined)
    const others = 'cannot be combined with runtime and serviceAccountAnnotations'
    this.is([...at, 'parameters', 'runtimeConfig'], isAlone, others)
  }

  #version(at: FieldPath, {package: reference, version}: JsonObject): void {
    if (version === undefined) return
    const path = [...at, 'version']
    const name = parseImageName(asText(reference))
    const isFree = name !== undefined && name.tag === undefined && name.digest === undefined
    this.is(path, isFree, 'restricts a package without a tag and digest')
    const text = asText(version)
    // Only the package shows which of the two it has to be.
    const isRestriction =
      isRange(text) || CONSTRAINT_RULES.some(rules => readConstraint(text, rules) !== undefined)
    this.is(path, isRestriction, `${JSON.stringify(version)} is not a semver range such as ^0.10`)
  }

  #parameters(at: FieldPath, fields: JsonObject): void {
    this.source([...at, 'source'], fields.source)
    this.#given(
      [...at, 'imagePullPolicy'],
      fields.imagePullPolicy,
      text => PULL_POLICIES.some(policy => policy === text),
      `is not one of ${listAll(PULL_POLICIES, 'or')}`,
    )
    asTexts(fields.imagePullSecrets).forEach((secret, index) => {
      this.is(
        [...at, 'imagePullSecrets', index],
        isDnsSubdomain(secret),
        `${JSON.stringify(secret)} is not a valid secret name`,
      )
    })
    for (const key of Object.keys(asObject(fields.serviceAccountAnnotations))) {
      const path = [...at, 'serviceAccountAnnotations', key]
      this.is(path, isQualifiedName(key), 'is not a valid annotation key')
    }
    this.#given(
      [...at, 'runtimeConfig'],
      fields.runtimeConfig,
      isDnsSubdomain,
      'is not a valid name of a DeploymentRuntimeConfig',
    )
  }

  /** Rejects duplicate entries, one of which is probably a mistake. */
  noneTwice(packages: readonly JsonObject[]): void {
    const seen = new Map<string, number>()
    packages.forEach(({package: reference, crd, namespace, name}, index) => {
      // An entry without both is reported as such: its field is misspelled.
      if (reference === undefined && crd === undefined) return
      const key = [reference, crd, namespace, name].map(asText).join('\0')
      const first = seen.get(key)
      seen.set(key, first ?? index)
      this.is(['packages', index], first === undefined, `is the same as packages[${first ?? ''}]`)
    })
  }
}

const NOT_RELATIVE = 'is not a path relative to the folder of the declaration'

function isRelative(text: string): boolean {
  return !/^(?:\/|[A-Za-z]:|~|-$|[a-z]+:\/\/)/.test(text)
}
