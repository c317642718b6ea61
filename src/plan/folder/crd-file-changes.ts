import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {narrowedVersions} from '../../crd/instances/narrowed-versions.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {listAll, shellWord} from '../../text.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {type BreakingChange, breakingChanges} from '../cluster/crds/breaking-change.js'
import {objectName} from '../cluster/crds/crd-texts.js'
import {movedCrds, type NewFile} from './moved-crds.js'
import {objectIn} from './object-in-file.js'

/** A change of the file of a CRD that its instances prevent, or by which they get lost. */
export interface CrdFileChange {
  readonly path: string
  /** The name of the CRD. */
  readonly name: string
  readonly changes: readonly [BreakingChange, ...BreakingChange[]]
  /**
   * Those that no API server with the CRD accepts, even without custom resources: of the scope or the kind, and the loss of
   * the version in which objects are stored.
   */
  readonly unacceptable: readonly BreakingChange[]
}

/**
 * Returns the changes that a controller would apply to CRDs although their instances prevent them.
 * @param texts - the contents before, by path. The file of a CRD can have moved.
 */
export function crdFileChanges(
  files: readonly NewFile[],
  texts: ReadonlyMap<string, string>,
): readonly CrdFileChange[] {
  return changedCrdFiles(files, texts).flatMap(({path, name, before, after}) => {
    const change = specChange(before, after)
    return change === undefined ? [] : [{path, name, ...change}]
  })
}

/** The `spec` of CRDs whose files change, before and after. */
function changedCrdFiles(files: readonly NewFile[], texts: ReadonlyMap<string, string>) {
  const moved = movedCrds(files, texts)
  return files.flatMap(({path = '', content}) => {
    const old = texts.get(path) ?? texts.get(moved.get(path) ?? '')
    // Most files are new or unchanged, and parsing them takes long.
    if (old === undefined || old === content) return []
    const [before, after] = [objectIn(old, CRD_KIND.kind), objectIn(content, CRD_KIND.kind)]
    if (before === undefined || after === undefined) return []
    const {name} = nameOf(after)
    return [{path, name, before: asObject(before.spec), after: asObject(after.spec)}]
  })
}

/**
 * Returns what a change of the `spec` of a CRD breaks; undefined for one that an update can make, whatever is stored.
 * @param kept - versions besides those of the former `spec` in which objects can be stored.
 */
export function specChange(
  before: JsonObject,
  after: JsonObject,
  kept: readonly string[] = [],
): Pick<CrdFileChange, 'changes' | 'unacceptable'> | undefined {
  const namesOf = (versions: readonly JsonObject[]) => versions.map(({name}) => asText(name))
  const versions = ownVersions(before)
  const all = [...new Set([...kept, ...namesOf(versions)])]
  const [first, ...more] = breakingChanges(before, after, all)
  if (first === undefined) return undefined
  const stored = new Set([...kept, ...namesOf(versions.filter(({storage}) => storage === true))])
  return {changes: [first, ...more], unacceptable: breakingChanges(before, after, [...stored], 'stored ')}
}

/**
 * Returns the CRDs that store objects in a different version than before, and still have that one: custom resources have to be
 * valid in the new version. @param texts - the contents before, by path.
 */
export function storageChanges(
  files: readonly NewFile[],
  texts: ReadonlyMap<string, string>,
): readonly Pick<CrdFileChange, 'path' | 'name'>[] {
  return changedCrdFiles(files, texts).flatMap(({path, name, before, after}) => {
    const [former, stored] = [storedIn(before), storedIn(after)]
    const isKept = ownVersions(after).some(version => version.name === former)
    return former === stored || !isKept ? [] : [{path, name}]
  })
}

function storedIn(spec: JsonObject): JsonValue | undefined {
  return ownVersions(spec).find(({storage}) => storage === true)?.name
}

/**
 * Returns the CRDs with a version that accepts less than before: custom resources can lose fields, or have values that it rejects.
 * @param texts - the contents before, by path.
 */
export function narrowedSchemas(
  files: readonly NewFile[],
  texts: ReadonlyMap<string, string>,
): readonly Pick<CrdFileChange, 'path' | 'name'>[] {
  return changedCrdFiles(files, texts).flatMap(({path, name, before, after}) =>
    narrowedVersions(before, after).length === 0 ? [] : [{path, name}],
  )
}

/** Rejects changes of CRDs: a file does not tell which instances exist. */
export function crdFileRejections(changes: readonly CrdFileChange[]): readonly Diagnostic[] {
  return changes.map(({path, name, changes: [first, ...more]}) => ({
    severity: 'error',
    rule: first.rule,
    message: `${objectName(name)}: ${listAll([first, ...more].map(({text}) => text))}, but custom resources can exist`,
    file: path,
    suggestions: [`kubectl get ${shellWord(name)} --all-namespaces`, ASSUME],
  }))
}

/** Returns the same as risks of the files: a folder without such protection is written all the same. */
export function crdFileRisks(changes: readonly CrdFileChange[]): readonly Diagnostic[] {
  return changes.flatMap(change =>
    crdFileRejections([change]).map(({rule, message}): Diagnostic => {
      const suggestions = [`kubectl get ${shellWord(change.name)} --all-namespaces`]
      return {severity: 'warning', rule, message, subject: {object: objectName(change.name)}, suggestions}
    }),
  )
}

const ASSUME = 'Pass --assume-no-instances if no cluster of this tree has custom resources of it.'

/** Rejects changes for a commit, which the assumption does not let pass everywhere. @param check - how to count instances. */
export function committedCrdRejections(
  changes: readonly CrdFileChange[],
  check: string,
): readonly Diagnostic[] {
  return changes.flatMap(change =>
    crdFileRejections([change]).map(({suggestions = [], ...rejection}) => {
      const isAssumable = change.unacceptable.length === 0
      return {
        ...rejection,
        suggestions: [check, ...suggestions.filter(text => isAssumable || text !== ASSUME)],
      }
    }),
  )
}

/**
 * Rejects changes that no API server with the CRD accepts, whether custom resources exist or not: a controller could not
 * apply the tree. @param checks - how to find out whether the CRD can be deleted.
 */
export function unacceptableRejections(
  changes: readonly (Pick<CrdFileChange, 'name' | 'unacceptable'> & Partial<CrdFileChange>)[],
  checks: readonly string[],
): readonly Diagnostic[] {
  return changes.flatMap(({path, name, unacceptable: [first, ...more]}): Diagnostic[] => {
    if (first === undefined) return []
    const texts = listAll([first, ...more].map(({text}) => text))
    return [
      {
        severity: 'error',
        rule: first.rule,
        message: `${objectName(name)}: ${texts}, which no API server accepts while the CRD exists`,
        ...(path === undefined ? {subject: {object: objectName(name)}} : {file: path}),
        suggestions: checks,
      },
    ]
  })
}

/** Returns the commands that each cluster needs before it accepts the CRDs of a commit, by the warnings of its change. */
export function replacementSteps(warnings: readonly Diagnostic[]): readonly string[] {
  return warnings.flatMap(({rule, subject}) =>
    rule === 'crd-replaced' && subject?.object !== undefined
      ? [
          `kubectl delete customresourcedefinition ${shellWord(subject.object.slice(CRD_KIND.kind.length + 1))}`,
        ]
      : [],
  )
}
