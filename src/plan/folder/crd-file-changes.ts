import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {listAll, shellWord} from '../../text.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {breakingChanges} from '../cluster/breaking-change.js'
import {objectName} from '../cluster/crd-texts.js'
import type {Operation} from '../plan.js'
import {objectIn} from './object-in-file.js'

const CRD = 'CustomResourceDefinition'

/**
 * Rejections of changes that a controller would apply to a CRD although its instances prevent them, or get lost: a file
 * does not tell which instances exist. @param texts - the current content of files, by path.
 */
export function crdFileRejections(
  operations: readonly Operation[],
  texts: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  return operations.flatMap(({path = '', content}) => {
    const [before, after] = [objectIn(texts.get(path), CRD), objectIn(content, CRD)]
    if (before === undefined || after === undefined) return []
    const [spec, newSpec] = [asObject(before.spec), asObject(after.spec)]
    const versions = ownVersions(spec).map(({name}) => asText(name))
    const [first, ...more] = breakingChanges(spec, newSpec, versions)
    if (first === undefined) return []
    const {name} = nameOf(after)
    const text = listAll([first, ...more].map(each => each.text))
    return [
      {
        severity: 'error',
        rule: first.rule,
        message: `${objectName(name)}: ${text}, but custom resources can exist`,
        file: path,
        suggestions: [
          `kubectl get ${shellWord(name)} --all-namespaces`,
          'Pass --assume-no-instances if no cluster of this tree has custom resources of it.',
        ],
      },
    ]
  })
}
