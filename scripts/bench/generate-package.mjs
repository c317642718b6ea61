// Packages of any size for the bench: a folder with `.registry/`, the same bytes at every run.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

const APP = `apiVersion: 0.1.0
title: Bench
overviewShort: A generated package
overview: Owns as many kinds as somebody wished to measure.
readme: |
  Generated, and of no use to a cluster.
version: 1.0.0
category: Cloud Provider
packageType: Provider
permissionScope: Cluster
keywords: [bench, generated]
maintainers:
  - name: Nobody
    email: nobody@example.org
company: Example
license: Apache-2.0
`

const INSTALL = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: bench-controller
spec:
  selector:
    matchLabels: {core.example.org/name: bench-controller}
  template:
    metadata:
      labels: {core.example.org/name: bench-controller}
    spec:
      containers:
        - name: controller
          resources: {limits: {cpu: 100m, memory: 30Mi}}
          env:
            - name: POD_NAMESPACE
              valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
`

const STATUS_SCHEMA = `        status:
          description: The observed state of the thing.
          properties:
            conditions:
              description: Conditions of the resource.
              items:
                description: A Condition that may apply to a resource.
                properties:
                  lastTransitionTime:
                    format: date-time
                    type: string
                  reason:
                    type: string
                  status:
                    type: string
                  type:
                    type: string
                required:
                - lastTransitionTime
                - reason
                - status
                - type
                type: object
              type: array
          type: object
      required:
      - spec
      type: object
`

/**
 * Writes a package that owns `count` kinds below `folder`, some ten to an API group as real providers have them. Packages
 * that begin at another number have other kinds. A kind has four `blocks` of properties and 9 KB of YAML by default.
 *
 * @param {string} folder
 * @param {number} count
 * @param {{first?: number, blocks?: number}} [options]
 */
export function generatePackage(folder, count, {first = 0, blocks = 4} = {}) {
  const registry = join(folder, '.registry')
  mkdirSync(registry, {recursive: true})
  writeFileSync(join(registry, 'app.yaml'), APP)
  writeFileSync(join(registry, 'install.yaml'), INSTALL)
  for (let i = first; i < first + count; i++) writeCrd(registry, i, blocks)
}

/**
 * @param {string} registry
 * @param {number} i
 * @param {number} blocks
 */
function writeCrd(registry, i, blocks) {
  const group = `group${Math.floor(i / 10)}.bench.example.org`
  const folder = join(registry, 'resources', group)
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, `thing${i}.crd.yaml`), crd(group, `Thing${i}`, blocks))
  writeFileSync(
    join(folder, `thing${i}.resource.yaml`),
    `id: thing${i}\ntitle: Thing ${i}\ntitlePlural: Things ${i}\ncategory: Bench\noverviewShort: One of many.\n`,
  )
}

/**
 * One CRD as controller-gen wrote them in 2020.
 *
 * @param {string} group
 * @param {string} kind
 * @param {number} blocks
 */
function crd(group, kind, blocks) {
  const name = kind.toLowerCase()
  return `
---
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.2.4
  creationTimestamp: null
  name: ${name}s.${group}
spec:
  additionalPrinterColumns:
  - JSONPath: .status.conditions[?(@.type=='Ready')].status
    name: READY
    type: string
  - JSONPath: .metadata.creationTimestamp
    name: AGE
    type: date
  group: ${group}
  names:
    categories:
    - crossplane
    - managed
    kind: ${kind}
    listKind: ${kind}List
    plural: ${name}s
    singular: ${name}
  scope: Cluster
  subresources:
    status: {}
  validation:
    openAPIV3Schema:
${schemaOf(kind, blocks)}  version: v1beta1
  versions:
  - name: v1beta1
    served: true
    storage: true
status:
  acceptedNames:
    kind: ""
    plural: ""
  conditions: []
  storedVersions: []
`
}

/**
 * The content of an openAPIV3Schema, indented by six.
 *
 * @param {string} kind
 * @param {number} blocks
 */
export function schemaOf(kind, blocks) {
  return `      description: ${kind} is a managed resource that stands for a thing somewhere else.
      properties:
        apiVersion:
          description: 'APIVersion defines the versioned schema of this object. Servers convert recognized schemas
            to the latest internal value, and may reject unrecognized values.'
          type: string
        kind:
          description: 'Kind is a string value of the REST resource this object stands for. Cannot be updated.'
          type: string
        metadata:
          type: object
        spec:
          description: The desired state of a ${kind}.
          properties:
            forProvider:
              description: What the provider is told about this ${kind}.
              properties:
${Array.from({length: blocks}, (_, i) => blockSchema(`block${i}`)).join('')}              required:
              - block0
              type: object
            providerRef:
              description: The provider that is used to create, observe, update and delete this ${kind}.
              properties:
                name:
                  description: Name of the referenced object.
                  type: string
              required:
              - name
              type: object
            reclaimPolicy:
              description: What happens to the thing when this ${kind} is deleted.
              enum:
              - Retain
              - Delete
              type: string
          required:
          - forProvider
          - providerRef
          type: object
${STATUS_SCHEMA}`
}

/** @param {string} name */
function blockSchema(name) {
  return `                ${name}:
                  description: 'The ${name} of the thing: what it is called elsewhere, how many of it there are, and
                    which other things it leans on. Immutable once set, unless noted otherwise below.'
                  properties:
                    enabled:
                      description: Whether any of this holds. Defaults to what the provider thinks best.
                      type: boolean
                    labels:
                      additionalProperties:
                        type: string
                      description: Labels the provider keeps with it, at most 64 of them.
                      type: object
                    replicas:
                      description: How many there are.
                      format: int64
                      maximum: 1000
                      minimum: 0
                      type: integer
                    rules:
                      description: Rules in the order in which they are tried.
                      items:
                        properties:
                          from:
                            description: Where it comes from, in CIDR notation.
                            pattern: ^[0-9./]+$
                            type: string
                          ports:
                            items:
                              format: int32
                              type: integer
                            type: array
                        required:
                        - from
                        type: object
                      type: array
                  type: object
`
}
