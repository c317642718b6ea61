/** A runtime with every field, as YAML. */
export const FULL_RUNTIME = `replicas: 2
annotations: {example.org/team: platform}
podAnnotations: {prometheus.io/scrape: "true"}
nodeSelector: {kubernetes.io/os: linux}
tolerations:
- {key: dedicated, operator: Equal, value: platform, effect: NoSchedule}
- {operator: Exists, effect: NoExecute, tolerationSeconds: 30}
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}]
podSecurityContext:
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  supplementalGroups: [2000]
  seccompProfile: {type: RuntimeDefault}
securityContext:
  runAsNonRoot: true
  privileged: false
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
  appArmorProfile: {type: Localhost, localhostProfile: controllers}
resources:
  limits: {cpu: 0.5, memory: 512Mi}
  requests: {cpu: 100m}
env:
- {name: HTTPS_PROXY, value: "http://proxy.example.org:3128"}
- name: TOKEN
  valueFrom: {secretKeyRef: {name: token, key: value}}
`
