import type {KubernetesObject} from 'kubectl-crossplane/plugin'

/** Annotations of the secret of a claim: where its data comes from. */
const FROM_NAME = 'from.propagate.crossplane.io/name'
const FROM_NAMESPACE = 'from.propagate.crossplane.io/namespace'
const TO_PREFIX = 'to.propagate.crossplane.io/'

/** The namespace and name of a secret. */
export interface SecretPlace {
  readonly namespace: string
  readonly name: string
}

/** Returns the annotations of a claim's secret: it agrees to get the data of another. */
export function fromAnnotations({namespace, name}: SecretPlace): Readonly<Record<string, string>> {
  return {[FROM_NAMESPACE]: namespace, [FROM_NAME]: name}
}

/** Returns the annotation by which the secret of a managed resource agrees to pass its data on. */
export function toAnnotation({namespace, name}: SecretPlace): Readonly<Record<string, string>> {
  return {[`${TO_PREFIX}${fnv32a(`${namespace}${name}`)}`]: `${namespace}/${name}`}
}

/** Whether a claim's secret agrees to get the data of another. */
export function agreesFrom(secret: KubernetesObject, {namespace, name}: SecretPlace): boolean {
  const {annotations = {}} = secret.metadata
  return annotations[FROM_NAMESPACE] === namespace && annotations[FROM_NAME] === name
}

/** Whether the secret of a managed resource agrees to pass its data on to another. */
export function agreesTo(secret: KubernetesObject, place: SecretPlace): boolean {
  const [[key, value] = ['', '']] = Object.entries(toAnnotation(place))
  return secret.metadata.annotations?.[key] === value
}

/** Returns the keys of all annotations that pass data on. */
export function consentsOf({metadata}: KubernetesObject): readonly string[] {
  return Object.keys(metadata.annotations ?? {}).filter(key => key.startsWith(TO_PREFIX))
}

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a, in hexadecimal digits without leading zeros, as Go prints it. */
function fnv32a(text: string): string {
  const hash = Buffer.from(text).reduce((sum, byte) => Math.imul(sum ^ byte, PRIME) >>> 0, OFFSET_BASIS)
  return hash.toString(16)
}
