/** The kind of CRDs. */
export const CRD_KIND = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}

/** Reports whether an object, or the name of one, is that of a CRD; false for undefined. */
export function isCrd(object: {readonly kind: string} | undefined): boolean {
  return object?.kind === CRD_KIND.kind
}
