const SCHEMA = `
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - {rule: "self.size > 0 || has(self.name)", message: must have a size}
            properties:
              size: {type: integer, minimum: 0, default: 3}
              name: {type: string, maxLength: 20, pattern: "^[a-z]+$"}
              mode: {type: string, enum: [small, large], default: small}
              labels: {type: object, maxProperties: 5, additionalProperties: {type: string, maxLength: 10}}
              parts:
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, maxLength: 10}
                    at: {type: string, format: date-time}
          status:
            type: object
            properties:
              ready: {type: boolean}`

const COLUMNS = `
    additionalPrinterColumns:
    - {name: SIZE, type: integer, jsonPath: .spec.size}`

const STEPS = (indent: string) =>
  `
- step: first
  functionRef: {name: function-a}
  input: {apiVersion: a.fn.example.org/v1, kind: Input, size: 3}
  credentials:
  - {name: cloud, source: Secret, secretRef: {namespace: a, name: b}}
- step: second
  functionRef: {name: function-b}
  requirements:
    requiredResources:
    - {requirementName: all, apiVersion: v1, kind: ConfigMap, matchLabels: {a: b}}
`
    .trimEnd()
    .replaceAll('\n', `\n${indent}`)

/** A complete object of each kind that packages install, in which a fault is made. */
export const BASES: readonly string[] = [
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.lint.example.org, labels: {team: a}}
spec:
  group: lint.example.org
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList, shortNames: [wi], categories: [all]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}${COLUMNS}
    schema:${SCHEMA}
  - name: v1alpha1
    served: false
    storage: false
    deprecated: true
    deprecationWarning: use v1
    subresources: {status: {}}
    schema:${SCHEMA}
`,
  `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: things.lint.example.org, labels: {team: a}}
spec:
  group: lint.example.org
  scope: Namespaced
  names: {kind: Thing, plural: things, shortNames: [th]}
  defaultCompositionUpdatePolicy: Manual
  defaultCompositionRef: {name: things}
  metadata: {labels: {a: b}}
  versions:
  - name: v1
    served: true
    referenceable: true${COLUMNS}
    schema:${SCHEMA}
`,
  `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xthings.lint.example.org}
spec:
  group: lint.example.org
  names: {kind: XThing, plural: xthings}
  claimNames: {kind: Thing, plural: things}
  connectionSecretKeys: [password]
  defaultCompositeDeletePolicy: Foreground
  enforcedCompositionRef: {name: things}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:${SCHEMA}
`,
  `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: things, labels: {team: a}}
spec:
  compositeTypeRef: {apiVersion: lint.example.org/v1, kind: Thing}
  mode: Pipeline
  writeConnectionSecretsToNamespace: default
  pipeline:${STEPS('  ')}
`,
  `apiVersion: ops.crossplane.io/v1alpha1
kind: Operation
metadata: {name: once}
spec:
  mode: Pipeline
  retryLimit: 3
  pipeline:${STEPS('  ')}
`,
  `apiVersion: ops.crossplane.io/v1alpha1
kind: CronOperation
metadata: {name: nightly}
spec:
  schedule: "0 1 * * *"
  concurrencyPolicy: Forbid
  successfulHistoryLimit: 3
  operationTemplate:
    metadata: {labels: {a: b}}
    spec:
      mode: Pipeline
      pipeline:${STEPS('      ')}
`,
  `apiVersion: ops.crossplane.io/v1alpha1
kind: WatchOperation
metadata: {name: watching}
spec:
  watch: {apiVersion: v1, kind: ConfigMap, matchLabels: {a: b}, namespace: default}
  concurrencyPolicy: Allow
  operationTemplate:
    spec:
      mode: Pipeline
      pipeline:${STEPS('      ')}
`,
  `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata: {name: all}
spec: {activate: ["*.lint.example.org", "things.lint.example.org"]}
`,
  `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata: {name: buckets.lint.example.org}
spec:
  group: lint.example.org
  names: {kind: Bucket, plural: buckets}
  scope: Cluster
  state: Active
  connectionDetails: [{name: url, description: the URL, type: string, fromConnectionSecretKey: url}]
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}${COLUMNS}
    schema:${SCHEMA}
`,
]
