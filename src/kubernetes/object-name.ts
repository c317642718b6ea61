/** Identifies a Kubernetes object. */
export interface ObjectName {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
