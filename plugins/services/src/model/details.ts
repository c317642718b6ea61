import {asObject, asText, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'

/** The credentials of an external resource, by key: `endpoint`, `username`, `password` and so on. */
export type ConnectionDetails = Readonly<Record<string, string | Uint8Array>>

/** The type of secrets with connection details. */
export const CONNECTION_TYPE = 'connection.crossplane.io/v1alpha1'

/** Returns details as `data` of a Secret. */
export function encodeDetails(details: ConnectionDetails): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
}

/** Returns the details in a Secret. */
export function detailsIn(secret: KubernetesObject | undefined): Readonly<Record<string, Uint8Array>> {
  const data = Object.entries(asObject(secret?.data))
  return Object.fromEntries(
    data.map(([key, value]) => [key, new Uint8Array(Buffer.from(asText(value), 'base64'))]),
  )
}

/** Whether a Secret has all of some data. */
export function hasData(secret: KubernetesObject, data: JsonObject): boolean {
  const present = asObject(secret.data)
  return Object.entries(data).every(([key, value]) => present[key] === value)
}

/** Keys whose values are no secrets, and that messages must be able to name. */
const PUBLIC = ['endpoint', 'port', 'username', 'clusterCA', 'clientCert']
/** Shorter texts occur in messages by chance. */
const MIN_SECRET = 4

/** Replaces the values of secrets in a message, in the encodings in which they occur. */
export function withoutSecrets(message: string, secrets: readonly ConnectionDetails[]): string {
  const values = secrets.flatMap(details => Object.entries(details).filter(([key]) => !PUBLIC.includes(key)))
  const texts = values.flatMap(([, value]) => spellings(value))
  return texts
    .filter(text => text.length >= MIN_SECRET)
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), message)
}

function spellings(value: string | Uint8Array): readonly string[] {
  const bytes = Buffer.from(value)
  const text = bytes.toString('utf8')
  const trimmed = text.trim()
  return [
    text,
    trimmed,
    encodeURIComponent(trimmed),
    JSON.stringify(trimmed).slice(1, -1),
    bytes.toString('base64'),
  ]
}
