import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {listAll, shellWord} from '../../text.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {type BreakingChange, breakingChanges} from '../cluster/breaking-change.js'
import {objectName} from '../cluster/crd-texts.js'
import {objectIn} from './object-in-file.js'

/** A change of the file of a CRD that its instances prevent, or by which they get lost. */
export interface CrdFileChange {
  readonly path: string
  /** The name of the CRD. */
  readonly name: string
  readonly changes: readonly [BreakingChange, ...BreakingChange[]]
}

/** A file with its new content, if it gets one. */
interface NewFile {
  readonly path?: string
  readonly content?: string
}

/**
 * Returns the changes that a controller would apply to CRDs although their instances prevent them.
 * @param texts - the contents before, by path.
 */
export function crdFileChanges(
  files: readonly NewFile[],
  texts: ReadonlyMap<string, string>,
): readonly CrdFileChange[] {
  return files.flatMap(({path = '', content}) => {
    const old = texts.get(path)
    // Most files are new or unchanged, and parsing them takes long.
    if (old === undefined || old === content) return []
    const [before, after] = [objectIn(old, CRD_KIND.kind), objectIn(content, CRD_KIND.kind)]
    if (before === undefined || after === undefined) return []
    const [spec, newSpec] = [asObject(before.spec), asObject(after.spec)]
    const versions = ownVersions(spec).map(({name}) => asText(name))
    const [first, ...more] = breakingChanges(spec, newSpec, versions)
    return first === undefined ? [] : [{path, name: nameOf(after).name, changes: [first, ...more]}]
  })
}

/** Rejects changes of CRDs: a file does not tell which instances exist. @param checks - how to count these. */
export function crdFileRejections(
  changes: readonly CrdFileChange[],
  checks: readonly string[] = [],
): readonly Diagnostic[] {
  return changes.map(({path, name, changes: [first, ...more]}) => ({
    severity: 'error',
    rule: first.rule,
    message: `${objectName(name)}: ${listAll([first, ...more].map(({text}) => text))}, but custom resources can exist`,
    file: path,
    suggestions: [
      ...checks,
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Pass --assume-no-instances if no cluster of this tree has custom resources of it.',
    ],
  }))
}
