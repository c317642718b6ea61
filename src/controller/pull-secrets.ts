import {CrossplaneError} from '../errors.js'
import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {parseDockerConfig, storedCredentials} from '../registry/credentials/docker-config.js'
import type {Credentials, Keychain} from '../registry/credentials/keychain.js'
import {asObject, asText} from '../yaml/json-value.js'

/** The Secrets of a namespace that images are pulled with, as by the kubelet. */
export interface PullSecrets {
  readonly namespace: string
  readonly names: readonly string[]
}

/**
 * Looks credentials up in the pull secrets of a namespace, and then in another keychain. A Secret that does not exist or
 * cannot be read is only reported if there are no other credentials. No program that a Secret names is run.
 */
export function pullSecretKeychain(
  {namespace, names}: PullSecrets,
  api: Pick<ClusterApi, 'get'>,
  others: Keychain,
): Keychain {
  return {
    credentialsFor: async registry => {
      const problems: CrossplaneError[] = []
      for (const name of names) {
        try {
          const credentials = await credentialsIn({namespace, name}, registry, api)
          if (credentials !== undefined) return credentials
        } catch (error) {
          if (!(error instanceof CrossplaneError)) throw error
          problems.push(error)
        }
      }
      const credentials = await others.credentialsFor(registry)
      if (credentials === undefined && problems[0] !== undefined) throw problems[0]
      return credentials
    },
  }
}

async function credentialsIn(
  place: {readonly namespace: string; readonly name: string},
  registry: string,
  api: Pick<ClusterApi, 'get'>,
): Promise<Credentials | undefined> {
  const object = `Secret ${place.namespace}/${place.name}`
  const secret = await api.get({apiVersion: 'v1', kind: 'Secret', ...place}).catch((cause: unknown) => {
    if (!(cause instanceof CrossplaneError)) throw cause
    throw failed(`cannot read the pull secret ${object}: ${cause.message}`, cause)
  })
  if (secret === undefined) throw failed(`cannot read the pull secret ${object}: not found`)
  const text = configIn(asText(secret.type), asObject(secret.data))
  if (text === undefined)
    throw failed(`${object} is of type ${JSON.stringify(secret.type ?? '')}, not ${TYPE}`)
  return storedCredentials(parseDockerConfig(text, object), registry)
}

const TYPE = 'kubernetes.io/dockerconfigjson'

/** https://kubernetes.io/docs/concepts/configuration/secret/#docker-config-secrets */
function configIn(type: string, data: ReturnType<typeof asObject>): string | undefined {
  const decoded = (key: string) => Buffer.from(asText(data[key]), 'base64').toString()
  if (type === TYPE) return decoded('.dockerconfigjson')
  if (type !== 'kubernetes.io/dockercfg') return undefined
  return `{"auths": ${decoded('.dockercfg')}}`
}

function failed(message: string, cause?: CrossplaneError): CrossplaneError {
  return new CrossplaneError('credentials-failed', message, {
    ...(cause === undefined ? {} : {cause}),
    suggestions: ['Create the Secret, and give the service account the right to read it.'],
  })
}
