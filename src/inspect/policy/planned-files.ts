import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {documentsIn} from '../../plan/folder/object-in-file.js'
import {isBookkeepingPath} from '../../plan/folder/owned-files.js'
import type {Plan} from '../../plan/plan.js'
import {asObject, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {type CrdVersions, crdDeltas, unknownDelta} from './crd-delta.js'
import {type JudgedPlan, judgedOperations} from './judged-plan.js'

/** A plan for files, with their contents before, by path. */
interface FilePlan {
  readonly target: 'folder' | 'git'
  readonly plan: Pick<Plan, 'operations'>
  readonly files: readonly OutputFile[]
  readonly before: ReadonlyMap<string, string>
}

/**
 * Returns what rules see of a plan for files. A CRD that no file has any more is dropped, also by `crds: external`: nothing shows
 * whether another declaration has it. What cannot be read could be a CRD.
 */
export function judgedFilePlan({target, plan, files, before}: FilePlan): JudgedPlan {
  const after = new Map(files.map(file => [file.path, file]))
  const crds = new Map(
    files.flatMap(({object}) => (object && isCrd(object) ? [[nameOf(object).name, object]] : [])),
  )
  const changed: CrdVersions[] = []
  const unreadable = target === 'folder' ? unreadFiles(plan, before) : []
  for (const [path, text] of before) {
    // Most files are unchanged, and parsing them takes long.
    if (after.get(path)?.content === text) continue
    const crd = crdInFile(text)
    if (crd === 'unreadable') unreadable.push(path)
    else if (crd !== undefined) changed.push(crdVersions(crd, crds.get(nameOf(crd).name)))
  }
  return {
    target,
    operations: judgedOperations(plan.operations),
    crds: [...crdDeltas(changed), ...unreadable.map(path => unknownDelta(nameIn(after.get(path)) ?? path))],
  }
}

/** Files whose texts were not read, because they are not UTF-8. */
function unreadFiles({operations}: FilePlan['plan'], before: FilePlan['before']): string[] {
  return operations.flatMap(({action, path = ''}) =>
    (action === 'replace' || action === 'delete') && !before.has(path) && !isBookkeepingPath(path)
      ? [path]
      : [],
  )
}

/** The CRD that a file has; text without the word is not parsed. */
function crdInFile(text: string): JsonObject | 'unreadable' | undefined {
  if (!text.includes(CRD_KIND.kind)) return undefined
  const documents = documentsIn(text)
  if (documents === undefined) return 'unreadable'
  const [crd, ...others] = documents.filter(isJsonObject).filter(({kind}) => kind === CRD_KIND.kind)
  if (crd === undefined) return undefined
  return others.length > 0 || nameOf(crd).name === '' ? 'unreadable' : crd
}

function nameIn(file: OutputFile | undefined): string | undefined {
  return file?.object === undefined || !isCrd(file.object) ? undefined : nameOf(file.object).name
}

/** Returns the versions of a CRD of v1beta1 or v1 before and after a change. */
export function crdVersions(crd: JsonObject, next: KubernetesObject | undefined): CrdVersions {
  const [{name}, before] = [nameOf(crd), asObject(crd.spec)]
  if (next === undefined) return {name, before}
  const after = asObject(next.spec)
  const {preserveUnknownFields = next.apiVersion !== CRD_KIND.apiVersion} = after
  return {name, before, after, isPruning: preserveUnknownFields === false}
}
