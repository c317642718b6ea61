/** The CRD of Demo resources, with the schema of its version as YAML in one line. */
export const demoCrd = (schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: demos.demo.example.org}
spec:
  group: demo.example.org
  scope: Namespaced
  names: {kind: Demo, plural: demos, singular: demo, listKind: DemoList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: ${schema}
`
