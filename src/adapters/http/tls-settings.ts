import {checkServerIdentity} from 'node:tls'
import type {ConnectionOptions} from 'node:tls'

/** The verification of a client's servers and proxies, and the client certificates that they are sent. */
export interface TlsSettings {
  /** Names the settings for a host: hosts with the same name can share an agent. */
  nameFor(url: URL): Promise<string>
  of(url: URL): Promise<ConnectionOptions>
  /** The settings for the connection to a proxy, which is not sent the client certificates for servers. */
  ofProxy(): Promise<Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized'>>
}

/** Verifies a certificate for a host, also for an IPv6 address as URLs have it. */
export const verifyHost: NonNullable<ConnectionOptions['checkServerIdentity']> = (hostname, certificate) =>
  checkServerIdentity(bareHost(hostname), certificate)

/** Removes the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
