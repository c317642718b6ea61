import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {corpusCrds} from '../corpus-crds.js'

/**
 * Each CRD of the corpus with a content of its own, in all its releases. So that a server can have all of them at
 * once, what has the name of another is of a group of its own: no verdict depends on that.
 */
export function distinctCrds(): KubernetesObject[] {
  const contents = new Map(corpusCrds().map(crd => [writeYaml([crd.spec ?? null]), crd]))
  const counts = new Map<string, number>()
  return [...contents.values()].map(crd => {
    const {name} = crd.metadata
    const earlier = counts.get(name) ?? 0
    counts.set(name, earlier + 1)
    return earlier === 0 ? crd : inOtherGroup(crd, `release${earlier}`)
  })
}

function inOtherGroup(crd: KubernetesObject, prefix: string): KubernetesObject {
  const spec = asObject(crd.spec)
  const group = `${prefix}.${asText(spec.group)}`
  const name = `${asText(asObject(spec.names).plural)}.${group}`
  return {...crd, metadata: {...crd.metadata, name}, spec: {...spec, group}}
}
