import type {SetObject} from '../render/install-set.js'
import {type Persona, PERSONAS} from '../render/labels.js'
import type {Install} from '../render/package-record.js'
import {asObjects, asTexts} from '../yaml/json-value.js'
import {verbsInWords} from './rule-words.js'

/** The permissions of a persona on the kinds of a package once it is installed. */
export interface PersonaRights {
  readonly persona: Persona
  /** The ClusterRole that grants them. */
  readonly clusterRole: string
  /** Sorted; empty where the package owns no kind. */
  readonly verbs: readonly string[]
  /** The rest of a sentence that starts with "may". */
  readonly words: string
}

export function personaRights(
  {package: {crds, permissionScope}}: Install,
  objects: readonly SetObject[],
): PersonaRights[] {
  const where = permissionScope === 'Cluster' ? 'in the whole cluster' : 'in its namespace'
  return PERSONAS.map(persona => {
    const role = objects.find(object => object.fileName === `clusterrole-${persona}`)?.object
    const verbs = [...new Set(asObjects(role?.rules).flatMap(rule => asTexts(rule.verbs)))].sort()
    const words =
      verbs.length === 0
        ? 'do nothing: the package owns no kinds'
        : `${verbsInWords(verbs)} ${kinds(crds.length)} ${where}`
    return {persona, clusterRole: role?.metadata.name ?? '', verbs, words}
  })
}

function kinds(count: number): string {
  return count === 1 ? 'objects of its kind' : `objects of its ${count} kinds`
}
