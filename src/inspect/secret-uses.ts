import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {placedContainers} from './containers.js'

/** A Secret that a pod gets without a request to the API. */
export interface SecretUse {
  readonly secret: string
  /** One of its entries; absent for all of them. */
  readonly key?: string
  readonly as: 'environment' | 'image-pull' | 'volume'
  readonly container?: string
  /** The variable or the volume; of a whole Secret as environment the variables' prefix. */
  readonly name?: string
}

/** In the order of the pod spec: environment, volumes, pulling images. */
export function secretUses(podSpec: JsonObject): SecretUse[] {
  return [
    ...placedContainers(podSpec).flatMap(({container}) => environmentSecrets(container)),
    ...asObjects(podSpec.volumes).flatMap(volumeSecrets),
    ...asObjects(podSpec.imagePullSecrets).map(({name}) => ({
      secret: asText(name),
      as: 'image-pull' as const,
    })),
  ]
}

function environmentSecrets(container: JsonObject): SecretUse[] {
  const at = {as: 'environment', container: asText(container.name)} as const
  const whole = asObjects(container.envFrom).flatMap(({secretRef, prefix}) =>
    secretRef === undefined ? [] : [{secret: nameIn(secretRef), ...at, ...named(prefix)}],
  )
  const single = asObjects(container.env).flatMap(({name, valueFrom}) => {
    const {secretKeyRef} = asObject(valueFrom)
    if (secretKeyRef === undefined) return []
    return [{secret: nameIn(secretKeyRef), key: asText(asObject(secretKeyRef).key), ...at, ...named(name)}]
  })
  return [...whole, ...single]
}

function volumeSecrets({name, secret, projected}: JsonObject): SecretUse[] {
  const at = {as: 'volume', ...named(name)} as const
  const parts = asObjects(asObject(projected).sources).flatMap(source =>
    source.secret === undefined ? [] : [{secret: nameIn(source.secret), ...at}],
  )
  const whole = secret === undefined ? [] : [{secret: asText(asObject(secret).secretName), ...at}]
  return [...whole, ...parts]
}

function nameIn(reference: JsonObject[string]): string {
  return asText(asObject(reference).name)
}

function named(name: JsonObject[string] | undefined): Pick<SecretUse, 'name'> {
  return typeof name === 'string' && name !== '' ? {name} : {}
}
