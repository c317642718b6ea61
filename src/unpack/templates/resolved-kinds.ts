import {builtinOfKind, builtinsOfKind} from '../../kubernetes/builtin-kinds.js'
import {groupOf, versionOf} from '../../kubernetes/object-key.js'
import type {ComputedTexts} from './computed-texts.js'
import type {TemplateKind} from './template-kind.js'

const API_VERSION = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?v\d+(?:(?:alpha|beta)\d+)?$/
const KIND = /^[A-Z][A-Za-z0-9]+$/

/**
 * Replaces the kinds whose fields are expressions with those that the expressions can print: one version of each group, the
 * most stable one. Without any, a kind of Kubernetes is known by its name. All others stay as they are.
 */
export function resolvedKinds(
  kinds: readonly TemplateKind[],
  textsOf: ComputedTexts,
): readonly TemplateKind[] {
  return kinds.flatMap(kind => {
    const resolved = kind.computed === undefined ? [] : candidatesOf(kind, textsOf)
    return resolved.length === 0 ? [kind] : resolved
  })
}

function candidatesOf(kind: TemplateKind, textsOf: ComputedTexts): readonly TemplateKind[] {
  const printed = (text: string | undefined, pattern: RegExp) =>
    text === undefined ? [] : textsOf(text, kind.file).filter(one => pattern.test(one))
  const names = kind.kind === undefined ? printed(kind.computed?.kind, KIND) : [kind.kind]
  const versions =
    kind.apiVersion === undefined ? newestOfGroups(printed(kind.computed?.apiVersion, API_VERSION)) : []
  return names.flatMap(name => {
    if (kind.apiVersion !== undefined) return [{...kind, kind: name}]
    return versionsOf(name, versions).map(apiVersion => ({...kind, apiVersion, kind: name}))
  })
}

/** An expression also has texts that it only compares: those of a group without the kind are not printed. */
function versionsOf(kind: string, printed: readonly string[]): readonly string[] {
  const builtin = printed.filter(version => builtinOfKind(groupOf(version), kind) !== undefined)
  if (builtin.length > 0) return builtin
  // A version alone, of a kind that Kubernetes does not have, is a part of a text.
  const whole = printed.filter(version => groupOf(version) !== '')
  return whole.length === 0 ? builtinVersions(kind) : whole
}

function newestOfGroups(versions: readonly string[]): readonly string[] {
  const newest = new Map<string, string>()
  for (const version of versions) {
    const group = groupOf(version)
    const before = newest.get(group)
    if (before === undefined || rankOf(version) > rankOf(before)) newest.set(group, version)
  }
  return [...newest.values()]
}

/** As Kubernetes sorts versions: stable ones first, then by their numbers. */
function rankOf(apiVersion: string): number {
  const [, major = '0', stage, minor = '0'] =
    /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(versionOf(apiVersion)) ?? []
  const stability = stage === undefined ? 2 : stage === 'beta' ? 1 : 0
  return (stability * 1000 + Number(major)) * 1000 + Number(minor)
}

/** `v1` is the version of most, and lint compares only with what dependsOn has. */
function builtinVersions(kind: string): readonly string[] {
  const [builtin, other] = builtinsOfKind(kind)
  if (builtin === undefined || other !== undefined) return []
  return [builtin.group === '' ? 'v1' : `${builtin.group}/v1`]
}
