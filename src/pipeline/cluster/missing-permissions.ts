import type {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/** The cause of a `cluster-denied` whose remedy is known. */
export class MissingPermissions {
  /** The roles and bindings to apply. */
  readonly objects: readonly KubernetesObject[]

  constructor(objects: readonly KubernetesObject[]) {
    this.objects = objects
  }
}

/** Returns the objects that grant the permissions that an error reports as missing; undefined for any other error. */
export function permissionObjects({cause}: CrossplaneError): readonly KubernetesObject[] | undefined {
  return cause instanceof MissingPermissions ? cause.objects : undefined
}
