import {describe, expect, it} from '@jest/globals'
import {dangerOf} from '../../src/inspect/dangers.js'
import type {JsonValue} from '../../src/yaml/json-value.js'

const DANGEROUS: readonly (readonly [string, JsonValue])[] = [
  ['hostNetwork', true],
  ['hostIPC', true],
  ['hostPID', true],
  ['nodeName', 'control-plane'],
  ['priorityClassName', 'system-node-critical'],
  ['serviceAccountName', 'admin'],
  ['volumes[a.b].hostPath', '/'],
  ['ports[0].hostPort', 443],
  ['securityContext.privileged', true],
  ['securityContext.allowPrivilegeEscalation', true],
  ['securityContext.runAsUser', 0],
  ['securityContext.runAsGroup', 0],
  ['securityContext.runAsNonRoot', false],
  ['securityContext.fsGroup', 0],
  ['securityContext.supplementalGroups', [1, 0]],
  ['securityContext.capabilities', {add: ['SYS_ADMIN']}],
  ['securityContext.procMount', 'Unmasked'],
  ['securityContext.seccompProfile', {type: 'Unconfined'}],
  ['securityContext.appArmorProfile', {type: 'Unconfined'}],
  ['securityContext.sysctls', [{name: 'kernel.msgmax', value: '1'}]],
  ['securityContext.seLinuxOptions', {type: 'spc_t'}],
  ['securityContext.seLinuxOptions', {user: 'system_u'}],
  ['securityContext.seLinuxOptions', {type: 'container_t', role: 'system_r'}],
  ['securityContext.windowsOptions', {hostProcess: true}],
  ['securityContext.capabilities', {add: ['CHOWN', 'NET_RAW']}],
  ['securityContext.sysctls', [{name: 'net.ipv4.tcp_rmem'}, {name: 'net.core.somaxconn'}]],
  ['annotations[container.apparmor.security.beta.kubernetes.io/a]', 'unconfined'],
  ['livenessProbe.httpGet.host', '169.254.169.254'],
]

const HARMLESS: readonly (readonly [string, JsonValue])[] = [
  ['securityContext.privileged', false],
  ['securityContext.runAsUser', 1000],
  ['securityContext.runAsNonRoot', true],
  ['securityContext.fsGroup', 2000],
  ['securityContext.supplementalGroups', [10]],
  ['securityContext.capabilities', {drop: ['ALL']}],
  ['securityContext.procMount', 'Default'],
  ['securityContext.seccompProfile', {type: 'RuntimeDefault'}],
  ['securityContext.seLinuxOptions', {type: 'container_t', level: 's0:c1,c2'}],
  ['securityContext.windowsOptions', {runAsUserName: 'ContainerUser'}],
  ['securityContext.readOnlyRootFilesystem', true],
  ['priorityClassName', 'batch'],
  ['securityContext.constructor', true],
  ['securityContext.capabilities', {add: ['CHOWN', 'NET_BIND_SERVICE']}],
  ['securityContext.sysctls', [{name: 'net.ipv4.tcp_syncookies', value: '1'}]],
  ['annotations[container.apparmor.security.beta.kubernetes.io/a]', 'localhost/a'],
]

describe('dangerous settings', () => {
  it.each(DANGEROUS)('include %s: %j', (field, value) => {
    expect(dangerOf(field, value)).toMatch(/^[a-z].{8,}$/)
  })

  it.each(HARMLESS)('do not include %s: %j', (field, value) => {
    expect(dangerOf(field, value)).toBeUndefined()
  })
})
