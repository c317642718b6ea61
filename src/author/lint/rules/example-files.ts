/** Files of the examples, without problems of their own, so that an example shows one mistake. */
export const WIDGET_CRD = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec:
          type: object
  version: v1alpha1
`

/** The CRD of a template stack, whose controller writes conditions to its status. */
export const TEMPLATE_CRD = WIDGET_CRD.replace(
  '          type: object\n  version',
  `          type: object
          properties:
            name:
              type: string
            replicas:
              type: integer
            size:
              type: string
        status:
          type: object
          properties:
            conditions:
              type: array
              items:
                type: object
  version`,
).replace('  scope: Namespaced\n', '  scope: Namespaced\n  subresources:\n    status: {}\n')

export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: controller
`

export const BEHAVIOR = `crd:
  apiVersion: example.org/v1alpha1
  kind: Widget
engine:
  type: helm3
source:
  path: helm-chart
`

export const NAMESPACED_APP = 'title: Example\npermissionScope: Namespaced\n'

/** An app.yaml up to the entries of dependsOn. */
export const DEPENDENT_APP = 'title: Example\npermissionScope: Cluster\ndependsOn:\n'

export const SQUARE_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>\n'

/** One gray pixel. */
export const SQUARE_PNG = {
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
}
