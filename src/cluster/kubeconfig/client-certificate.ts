import {fileText} from './file-text.js'
import type {UserEntry} from './kubeconfig.js'
import {type KeyPair, keyPairError} from '../../pem.js'
import type {ConnectionFiles} from './ports.js'

/** Reads the client certificate of a user and its key; undefined if it has none, or with messages. */
export async function clientCertificate(
  user: UserEntry,
  files: ConnectionFiles,
  messages: string[],
): Promise<KeyPair | undefined> {
  if (user.clientCertificate === '' && user.clientCertificateData === '') return undefined
  const cert = await partOf('client-certificate', user.clientCertificate, user.clientCertificateData)
  const key = await partOf('client-key', user.clientKey, user.clientKeyData)
  if (cert === undefined || key === undefined) return undefined
  const error = keyPairError({cert, key})
  if (error === undefined) return {cert, key}
  messages.push(error)
  return undefined

  async function partOf(field: string, path: string, data: string): Promise<string | undefined> {
    if (path !== '' && data !== '') messages.push(`${field} and ${field}-data are mutually exclusive`)
    else if (path === '' && data === '') messages.push(`${field} and ${field}-data are not set`)
    else return data === '' ? await fileText(files, field, path, messages) : data
    return undefined
  }
}
