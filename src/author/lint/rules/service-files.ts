/** The CRDs of a managed service, without problems of their own. */
const crd = (
  kind: string,
  scope: string,
  subresources: string,
  schema: string,
) => `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: ${plural(kind)}.example.org
spec:
  group: example.org
  names:
    kind: ${kind}
    plural: ${plural(kind)}
  scope: ${scope}
${subresources}  validation:
    openAPIV3Schema:
      type: object
      properties:
${schema}  version: v1alpha1
`

function plural(kind: string): string {
  return `${kind.toLowerCase()}${kind.endsWith('s') ? 'es' : 's'}`
}

const STATUS_SUBRESOURCE = '  subresources:\n    status: {}\n'

const STATUS = `        status:
          type: object
          properties:
            conditions:
              type: array
              items:
                type: object
            bindingPhase:
              type: string
`

/** The CRD of the managed resource Gadget. */
export const GADGET_CRD = crd(
  'Gadget',
  'Cluster',
  STATUS_SUBRESOURCE,
  `        spec:
          type: object
          required: [providerRef, forProvider]
          properties:
            providerRef:
              type: object
            claimRef:
              type: object
            classRef:
              type: object
            reclaimPolicy:
              type: string
              enum: [Retain, Delete]
            writeConnectionSecretToRef:
              type: object
              properties:
                name:
                  type: string
                namespace:
                  type: string
            forProvider:
              type: object
              properties:
                storageGb:
                  type: integer
                  description: The size of the disk.
${STATUS}`,
)

/** The CRD of its class. */
export const GADGET_CLASS_CRD = crd(
  'GadgetClass',
  'Cluster',
  '',
  `        specTemplate:
          type: object
          properties:
            providerRef:
              type: object
            writeConnectionSecretsToNamespace:
              type: string
            reclaimPolicy:
              type: string
              enum: [Retain, Delete]
            forProvider:
              type: object
              properties:
                storageGb:
                  type: integer
                  description: The size of the disk.
`,
)

/** The CRD of the claim Disk. */
export const CLAIM_CRD = crd(
  'Disk',
  'Namespaced',
  STATUS_SUBRESOURCE,
  `        spec:
          type: object
          properties:
            classSelector:
              type: object
            classRef:
              type: object
            resourceRef:
              type: object
            writeConnectionSecretToRef:
              type: object
              properties:
                name:
                  type: string
${STATUS}`,
)

/** The CRD of the provider. */
export const PROVIDER_CRD = crd(
  'Provider',
  'Cluster',
  '',
  `        spec:
          type: object
          properties:
            credentialsSecretRef:
              type: object
              properties:
                namespace:
                  type: string
                name:
                  type: string
                key:
                  type: string
`,
)

/** An app.yaml with permissions on the claims of a class. */
export const CLASS_APP = `title: Example
permissionScope: Cluster
dependsOn:
- crd: "*.database.crossplane.io"
`

const block = (name: string, indent: number) =>
  new RegExp(`^ {${indent}}${name}:.*\\n(?: {${indent + 1},}.*\\n)*`, 'm')

/** The text of a CRD without one of its fields. */
export function without(crdText: string, name: string, indent: number): string {
  return crdText.replace(block(name, indent), '')
}
