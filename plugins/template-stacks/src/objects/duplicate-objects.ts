import {type Diagnostic, type JsonObject, nameOf, objectKey, objectText} from 'kubectl-crossplane/plugin'
import {type ObjectPlace, placeText} from './template-object.js'

/** Reports objects that are made twice: the later one would replace the earlier one. */
export function duplicateErrors(
  objects: readonly {readonly object: JsonObject; readonly place: ObjectPlace}[],
): readonly Diagnostic[] {
  const places = new Map<string, ObjectPlace>()
  return objects.flatMap(({object, place}): Diagnostic[] => {
    const name = nameOf(object)
    const earlier = places.get(objectKey(name))
    places.set(objectKey(name), earlier ?? place)
    if (earlier === undefined) return []
    const where = `${placeText(earlier)} (document ${earlier.document})`
    const message = `${objectText(name)} is made twice: also by ${where}`
    return [{severity: 'error', rule: 'template-duplicate', message, file: place.file, line: place.line}]
  })
}
