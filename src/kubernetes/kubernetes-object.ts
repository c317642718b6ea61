import type {JsonObject} from '../yaml/json-value.js'

/** Returns a Kubernetes object as it will be written: never `status`, never null timestamps. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  } & JsonObject
}
