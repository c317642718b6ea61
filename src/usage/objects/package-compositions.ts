import {objectKind} from '../../xpkg/content/object-kinds.js'
import {typedValue} from '../../xpkg/content/typed-document.js'
import {isDigest} from '../../reference/image-name.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {UsageFinding} from './compare-usage.js'
import type {UsedObject} from './used-object.js'

/** Returns the Compositions of packages as objects, without those that are the same as one among the objects of users. */
export function packageCompositions(
  packages: readonly SurfacePackage[],
  objects: readonly UsedObject[],
): readonly UsedObject[] {
  const own = new Map(objects.filter(isComposition).map(({value}) => [nameOf(value), value]))
  return packages.flatMap(({package: name, version, surface}) =>
    (surface.compositions ?? [])
      .filter(value => !isSame(own.get(nameOf(value)), value))
      .map(value => ofPackage(value, `${name}${versionText(version)}`)),
  )
}

/** What Crossplane drops when it reads a package is no difference. */
function isSame(own: JsonObject | undefined, {apiVersion, kind, spec}: JsonObject): boolean {
  const {type} = objectKind(asText(apiVersion), asText(kind)) ?? {}
  if (own === undefined || type === undefined) return false
  return [own, typedValue(own, type)].some(one => jsonEqual(one.spec ?? null, spec ?? null))
}

function versionText(version: string): string {
  if (version === '') return ''
  return isDigest(version) ? `@${version}` : `:${version}`
}

function isComposition({apiVersion, kind}: UsedObject): boolean {
  return kind === 'Composition' && apiVersion.startsWith('apiextensions.crossplane.io/')
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}

/** Users have no file of a package, whose lines could be of use. */
function ofPackage(value: JsonObject, configuration: string): UsedObject {
  const {apiVersion, kind} = value
  return {
    ...{apiVersion: asText(apiVersion), kind: asText(kind), value, configuration},
    ...{file: configuration, line: 0, lineOf: () => 0},
  }
}

/** Changes the paths of the files of verdicts; packages have none. */
export function withFiles(
  findings: readonly UsageFinding[],
  pathOf: (file: string) => string,
): readonly UsageFinding[] {
  return findings.map(finding =>
    finding.configuration === undefined ? {...finding, file: pathOf(finding.file)} : finding,
  )
}
