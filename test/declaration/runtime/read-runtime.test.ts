import {describe, expect, it} from '@jest/globals'
import {readDeclaration} from '../../../src/declaration/read-declaration.js'
import {readRuntime, readRuntimeFile} from '../../../src/declaration/runtime/read-runtime.js'
import type {CrossplaneError} from '../../../src/errors.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {FULL_RUNTIME} from './runtimes.js'

const read = (text: string) => readRuntimeFile('runtime.yaml', Buffer.from(text))
const HEAD = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: example/app:v1
  runtime:
`
const declared = (text: string) =>
  readDeclaration('a.yaml', Buffer.from(`${HEAD}${text.replaceAll(/^(?=.)/gm, '    ')}`))

/** Errors as `line field`. */
function errorsOf(act: () => unknown): readonly string[] {
  try {
    act()
    return []
  } catch (error) {
    const {code, diagnostics} = error as CrossplaneError
    expect(code).toBe('input-invalid')
    return diagnostics.map(({line, field}) => `${line ?? '-'} ${field ?? ''}`)
  }
}

describe('a runtime', () => {
  it('is read with every field, quantities in their canonical form', () => {
    const runtime = read(FULL_RUNTIME)
    expect(runtime).toMatchObject({
      replicas: 2,
      resources: {limits: {cpu: '500m', memory: '512Mi'}, requests: {cpu: '100m'}},
      env: [{name: 'HTTPS_PROXY'}, {name: 'TOKEN', valueFrom: {secretKeyRef: {name: 'token', key: 'value'}}}],
    })
    expect(Object.keys(runtime)).toHaveLength(10)
  })

  it('is the same in a declaration, and in an inventory', () => {
    const runtime = read(FULL_RUNTIME)
    expect(declared(FULL_RUNTIME).packages[0]?.runtime).toEqual(runtime)
    const [document] = readYaml(Buffer.from(FULL_RUNTIME), 'a')
    expect(readRuntime(document?.value ?? null)).toEqual({runtime, errors: []})
  })

  it('can be empty', () => {
    expect(read('# nothing\n')).toEqual({})
  })

  it.each<[reason: string, text: string, field: string]>([
    ['more privileges', 'securityContext: {privileged: true}', 'securityContext.privileged'],
    [
      'an escalation',
      'securityContext: {allowPrivilegeEscalation: true}',
      'securityContext.allowPrivilegeEscalation',
    ],
    ['a capability', 'securityContext: {capabilities: {add: [NET_RAW]}}', 'securityContext.capabilities.add'],
    [
      'a writable root file system',
      'securityContext: {readOnlyRootFilesystem: false}',
      'securityContext.readOnlyRootFilesystem',
    ],
    ['root', 'securityContext: {runAsUser: 0}', 'securityContext.runAsUser'],
    ['root of the Pod', 'podSecurityContext: {runAsUser: 0}', 'podSecurityContext.runAsUser'],
    ['permission to be root', 'podSecurityContext: {runAsNonRoot: false}', 'podSecurityContext.runAsNonRoot'],
    ["root's group", 'podSecurityContext: {fsGroup: 0}', 'podSecurityContext.fsGroup'],
    [
      "root's group among others",
      'podSecurityContext: {supplementalGroups: [1, 0]}',
      'podSecurityContext.supplementalGroups[1]',
    ],
    [
      'no seccomp',
      'podSecurityContext: {seccompProfile: {type: Unconfined}}',
      'podSecurityContext.seccompProfile.type',
    ],
    [
      'no AppArmor',
      'securityContext: {appArmorProfile: {type: Unconfined}}',
      'securityContext.appArmorProfile.type',
    ],
    ['an unmasked /proc', 'securityContext: {procMount: Unmasked}', 'securityContext.procMount'],
    [
      'a type of SELinux',
      'securityContext: {seLinuxOptions: {type: spc_t}}',
      'securityContext.seLinuxOptions',
    ],
    ['a kernel setting', 'podSecurityContext: {sysctls: []}', 'podSecurityContext.sysctls'],
    ['a volume', 'volumes: [{name: a, hostPath: {path: /}}]', 'volumes'],
    ['the network of the node', 'hostNetwork: true', 'hostNetwork'],
    ['another service account', 'serviceAccountName: admin', 'serviceAccountName'],
    ['another image', 'image: example/other', 'image'],
    [
      'an annotation that was a security setting',
      'podAnnotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}',
      'podAnnotations["container.apparmor.security.beta.kubernetes.io/a"]',
    ],
  ])('cannot give a controller %s', (_, text, field) => {
    expect(errorsOf(() => read(text))).toEqual([`1 ${field}`])
    expect(errorsOf(() => declared(text))).toEqual([`6 packages[0].runtime.${field}`])
    const [document] = readYaml(Buffer.from(text), 'a')
    expect(readRuntime(document?.value ?? null).errors).toHaveLength(1)
  })

  it.each<[reason: string, text: string, field: string]>([
    ['a negative number', 'replicas: -1', 'replicas'],
    ['a number that is too large', 'replicas: 9999999999999999999', 'replicas'],
    ['a text for a number', 'replicas: "2"', 'replicas'],
    ['no quantity', 'resources: {limits: {cpu: lots}}', 'resources.limits.cpu'],
    ['a negative quantity', 'resources: {requests: {cpu: -1}}', 'resources.requests.cpu'],
    ['no name of a resource', 'resources: {limits: {"a b": 1}}', 'resources.limits["a b"]'],
    ['no value of a label', 'nodeSelector: {a: "b c"}', 'nodeSelector.a'],
    ['no key of a label', 'nodeSelector: {a/b/c: d}', 'nodeSelector["a/b/c"]'],
    ['no key of an annotation', 'annotations: {a b: c}', 'annotations["a b"]'],
    ['an unknown operator', 'tolerations: [{key: a, operator: In}]', 'tolerations[0].operator'],
    ['an unknown effect', 'tolerations: [{key: a, effect: NoRun}]', 'tolerations[0].effect'],
    ['a toleration of nothing', 'tolerations: [{value: a}]', 'tolerations[0]'],
    [
      'a time without an effect',
      'tolerations: [{key: a, tolerationSeconds: 1}]',
      'tolerations[0].tolerationSeconds',
    ],
    ['a variable without a name', 'env: [{value: a}]', 'env[0].name'],
    ['a variable twice', 'env: [{name: A}, {name: A}]', 'env[1].name'],
    ['a number as a value', 'env: [{name: A, value: 1}]', 'env[0].value'],
    ['no source', 'env: [{name: A, valueFrom: {}}]', 'env[0].valueFrom'],
    [
      'two sources',
      'env: [{name: A, valueFrom: {fieldRef: {fieldPath: a}, configMapKeyRef: {name: b, key: c}}}]',
      'env[0].valueFrom',
    ],
    ['a misspelled field', 'replica: 1', 'replica'],
  ])('rejects %s, with its place', (_, text, field) => {
    expect(errorsOf(() => read(text))).toEqual([`1 ${field}`])
  })
})
