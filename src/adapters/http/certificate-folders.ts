import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import {cannotRead} from '../cannot-read.js'
import {systemCode} from '../file-system.js'

/** The PEM files in the folder of a host: CA certificates, and client certificates with their keys. */
export interface HostCertificates {
  readonly folder: string
  readonly caFiles: readonly string[]
  readonly pairs: readonly {readonly certFile: string; readonly keyFile: string}[]
}

/**
 * Finds the folder of a host below `roots`, by the layout of docker and podman: `HOST[:PORT]/*.crt` are CA
 * certificates, `NAME.cert` and `NAME.key` a client certificate
 * (https://docs.docker.com/engine/security/certificates/). The first root with a folder for the host is used; one that
 * cannot be listed is skipped. Each host is looked up once. Throws `usage` for a client certificate without its key.
 */
export function certificateFolders(
  roots: readonly string[],
): (url: URL) => Promise<HostCertificates | undefined> {
  const byHost = new Map<string, Promise<HostCertificates | undefined>>()
  return url => {
    const certificates = byHost.get(url.host) ?? find(roots, namesOf(url))
    byHost.set(url.host, certificates)
    return certificates
  }
}

/** URLs leave out the default port, which the name of a folder may have. */
function namesOf({host, port}: URL): readonly string[] {
  return port === '' ? [host, `${host}:443`] : [host]
}

async function find(
  roots: readonly string[],
  names: readonly string[],
): Promise<HostCertificates | undefined> {
  for (const root of roots) {
    for (const name of names) {
      const folder = join(root, name)
      const files = await filesIn(folder)
      if (files !== undefined) return certificatesIn(folder, files)
    }
  }
  return undefined
}

async function filesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return undefined
    throw cannotRead(folder, error)
  }
}

function certificatesIn(folder: string, files: readonly string[]): HostCertificates {
  const ending = (suffix: string) => files.filter(file => file.endsWith(suffix))
  const pairs = ending('.cert').map(cert => {
    const key = `${cert.slice(0, -'.cert'.length)}.key`
    if (files.includes(key)) return {certFile: join(folder, cert), keyFile: join(folder, key)}
    throw new CrossplaneError('usage', `missing key ${join(folder, key)} of the client certificate ${cert}`, {
      suggestions: [`Add the key, or remove ${join(folder, cert)}.`],
    })
  })
  return {folder, caFiles: ending('.crt').map(file => join(folder, file)), pairs}
}
