/** A complete object of each kind of a package of Crossplane v0.12 that reaches an API server, in which a fault is made. */
export const STACK_BASES: readonly string[] = [
  `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: gadgets.lint.example.org, labels: {team: a}}
spec:
  group: lint.example.org
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList, shortNames: [ga], categories: [all]}
  scope: Cluster
  subresources: {status: {}}
  preserveUnknownFields: false
  additionalPrinterColumns:
  - {name: SIZE, type: integer, JSONPath: .spec.size}
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec:
          type: object
          required: [size]
          properties:
            size: {type: integer, minimum: 0}
            name: {type: string, maxLength: 20, pattern: "^[a-z]+$"}
            mode: {type: string, enum: [small, large]}
            labels: {type: object, additionalProperties: {type: string}}
            parts: {type: array, items: {type: object, properties: {name: {type: string}}}}
        status: {type: object, properties: {ready: {type: boolean}}}
  versions:
  - {name: v1alpha1, served: true, storage: true}
  - {name: v1alpha2, served: true, storage: false}
`,
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: widgets}
spec:
  replicas: 1
  minReadySeconds: 5
  progressDeadlineSeconds: 300
  revisionHistoryLimit: 3
  selector: {matchLabels: {team: a}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
  template:
    metadata: {labels: {team: a}, annotations: {example.org/note: b}}
    spec:
      restartPolicy: Always
      dnsPolicy: ClusterFirst
      terminationGracePeriodSeconds: 30
      nodeSelector: {kubernetes.io/os: linux}
      imagePullSecrets: [{name: pull}]
      tolerations:
      - {key: example.org/reserved, operator: Equal, value: a, effect: NoExecute, tolerationSeconds: 5}
      securityContext: {fsGroup: 65534, runAsUser: 1000, runAsGroup: 1000, supplementalGroups: [5]}
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {team: a}}}
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 5
            podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {team: a}}}
      volumes:
      - {name: cache, emptyDir: {sizeLimit: 1Gi}}
      - {name: config, configMap: {name: widgets, defaultMode: 420, items: [{key: a, path: b/c}]}}
      - {name: cert, secret: {secretName: widgets, optional: true}}
      initContainers:
      - {name: prepare, image: "example/prepare:v1", command: [prepare], volumeMounts: [{name: cache, mountPath: /cache}]}
      containers:
      - name: controller
        imagePullPolicy: IfNotPresent
        securityContext: {runAsUser: 1000, runAsGroup: 1000}
        args: [--debug]
        env:
        - {name: LEVEL, value: debug}
        - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: TOKEN, valueFrom: {secretKeyRef: {name: widgets, key: token}}}
        envFrom:
        - {prefix: A_, configMapRef: {name: widgets}}
        ports:
        - {name: metrics, containerPort: 8080, protocol: TCP}
        - {name: health, containerPort: 8081}
        resources:
          limits: {cpu: 500m, memory: 512Mi}
          requests: {cpu: 100m, memory: 256Mi}
        livenessProbe: {httpGet: {path: /health, port: health, scheme: HTTP}, periodSeconds: 10, failureThreshold: 3}
        readinessProbe: {tcpSocket: {port: 8081}, initialDelaySeconds: 3}
        lifecycle: {preStop: {exec: {command: [sleep, "3"]}}}
        volumeMounts:
        - {name: cache, mountPath: /cache, subPath: a}
        - {name: config, mountPath: /config, readOnly: true}
        - {name: cert, mountPath: /cert}
`,
  `apiVersion: 0.1.0
kind: App
title: Widgets
version: v0.1.0
permissionScope: Cluster
packageType: Provider
category: Database
company: Example
overviewShort: widgets
keywords: [a, b]
maintainers: [{name: Ada, email: ada@example.org}]
website: https://example.org
source: https://example.org/widgets
license: Apache-2.0
dependsOn:
- crd: "buckets.storage.example.org/v1alpha1"
- crd: "*.cache.example.org"
`,
]
