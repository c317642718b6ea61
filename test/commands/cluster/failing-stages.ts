/** The annotation with which the container of a Pod runs, as if the cause of its failure were removed. */
export const FIXED = 'demo.example.org/fixed'

/** A stage in which the container of an image does not become ready; then a stage of kwok makes it run. */
const failing = (name: string, image: string, status: string) => `---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: ${name}}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.phase', operator: In, values: [Pending]}
    - {key: '.metadata.annotations["${FIXED}"]', operator: DoesNotExist}
    - {key: '.spec.containers.[].image', operator: In, values: ['${image}']}
  # The stages of kwok have none.
  weight: 1
  next:
    statusTemplate: |
      conditions:
      - {type: Ready, status: "False"}
      - {type: ContainersReady, status: "False"}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        imageID: ""
        ready: false
        restartCount: 0
        ${status}
      {{ end }}
`

/** What a kubelet writes about an image that cannot be pulled, and about a container that ends again and again. */
export const FAILING_STAGES = [
  failing(
    'image-absent',
    'registry.example.org/demo/absent:v1.0.0',
    "state: {waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image: not found'}}",
  ),
  failing(
    'container-crashing',
    'registry.example.org/demo/crashing:v1.0.0',
    `state: {waiting: {reason: CrashLoopBackOff, message: back-off 40s}}
        lastState: {terminated: {exitCode: 2, reason: Error, message: 'unknown flag: --x'}}`,
  ),
].join('')
