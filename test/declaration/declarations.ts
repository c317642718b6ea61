export const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'

export const ONE = `${HEAD}packages:\n- package: example/app:v1\n`

/** Has every field that a declaration can have beside the others. */
export const FULL = `${HEAD}defaultSource: registry.example.org
registries: {registry.example.org: mirror.internal:5000}
indexes: [registry.example.org/index, ../shared/index.json]
systemNamespace: infra
dependencyNamespace: shared
crossplaneVersion: v0.11
assume: [clusters.compute.example.org, ./crds/oam.yaml]
render:
  api: stacks
  base: true
  createNamespace: false
  includeRequest: true
  kubeVersion: "1.20"
  crdVersion: v1beta1
  nonStructural: preserve
  pin: false
  allowCorePermissions: true
  allowFullDeployment: true
layout: argocd
argocd:
  name: platform-packages
  repoURL: https://git.example.org/team/cluster
  targetRevision: main
  destination: {name: production}
  project: platform
  namespace: argo
crds: external
output: ./rendered/production
owners:
  "*.gcp.example.org": example/provider-gcp
packages:
- package: team/app:v0.1.0
  namespace: team-a
  name: blog
  parameters:
    source: r.example.org/x
    imagePullPolicy: Always
    imagePullSecrets: [regcred]
    serviceAccountAnnotations: {a.org/b: c}
    revisionActivationPolicy: Manual
    revisionHistoryLimit: 0
  runtime: {replicas: 2, resources: {limits: {cpu: 500m}}}
- crd: clusters.compute.example.org/v1alpha1
  parameters: {runtimeConfig: large}
`
