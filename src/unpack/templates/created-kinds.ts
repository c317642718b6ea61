import {present} from '../../present.js'
import type {Behavior} from '../package.js'
import {compareBytes} from '../package-file.js'
import {type Coverage, type Cover, coverOf, type PermissionSources, requirementText} from './covered-kinds.js'
import {isLiteral, type TemplateKind} from './template-kind.js'
import {type TemplateFiles, templateKinds} from './template-kinds.js'

/** A kind that the templates of a package create, and the permission on it. */
export interface CreatedKind extends Omit<Cover, 'coverage'> {
  /** Absent, as the kind, where only rendering can tell. */
  readonly apiVersion?: string
  readonly kind?: string
  /** `unknown` if only rendering can tell the kind. */
  readonly coverage: Coverage | 'unknown'
  /** The entry that `dependsOn` lacks, if nothing covers the kind. */
  readonly missing?: string
  /** The templates that create it, by their paths in the folder of the behavior, sorted. */
  readonly files: readonly string[]
}

/** Lists each kind that templates create once, by API version and kind; last what only rendering can tell. */
export function createdKinds(
  behavior: Behavior,
  files: TemplateFiles,
  sources: PermissionSources,
): readonly CreatedKind[] {
  const kinds = new Map<string, TemplateKind[]>()
  for (const created of templateKinds(behavior, files)) {
    const key = isLiteral(created) ? `${created.apiVersion} ${created.kind}` : UNKNOWN
    kinds.set(key, [...(kinds.get(key) ?? []), created])
  }
  return [...kinds]
    .sort(([a], [b]) => compareBytes(a, b))
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [createdKind(first, others, sources)]))
}

/** Sorts behind every API version. */
const UNKNOWN = '\u{10ffff}'

function createdKind(
  first: TemplateKind,
  others: readonly TemplateKind[],
  sources: PermissionSources,
): CreatedKind {
  const files = [...new Set([first, ...others].map(({file}) => file))].sort(compareBytes)
  if (!isLiteral(first)) return {coverage: 'unknown', files}
  const {apiVersion, kind} = first
  const cover = coverOf(first, sources)
  const missing = cover.coverage === 'uncovered' ? requirementText(first) : undefined
  return {apiVersion, kind, ...cover, ...present({missing}), files}
}
