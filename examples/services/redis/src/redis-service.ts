import type {KubernetesObject, ResourceKind} from 'kubectl-crossplane/plugin'
import {configured, type ConfigureInput, type Service} from 'kubectl-crossplane-services'
import {addressIn, Connections} from './connections.js'
import {newPassword, parametersOf} from './passwords.js'
import {RedisUsers} from './redis-users.js'

const kind = (name: string): ResourceKind => ({apiVersion: 'redis.example.org/v1alpha1', kind: name})

/** Creates the service of Redis users; closing its connections ends it. */
export function redisService(connections = new Connections()): Service {
  return {
    managed: kind('RedisUser'),
    class: kind('RedisUserClass'),
    claims: [{apiVersion: 'cache.example.org/v1alpha1', kind: 'RedisLogin'}],
    configure: withPrefix,
    provider: {
      kind: kind('Provider'),
      generate: newPassword,
      connect: async (_managed, {provider, credentials}, {signal}) => {
        const redis = await connections.get(provider.metadata.name, credentials, signal)
        return new RedisUsers(redis, addressIn(credentials))
      },
    },
  }
}

/** Without a prefix in the class, the users of a namespace share the keys that begin with its name. */
function withPrefix(input: ConfigureInput): KubernetesObject {
  const managed = configured(input)
  const {keyPrefix = `${input.claim.metadata.namespace ?? ''}:`, ...parameters} = parametersOf(managed)
  const spec = managed.spec as KubernetesObject
  return {...managed, spec: {...spec, forProvider: {...parameters, keyPrefix}}}
}
