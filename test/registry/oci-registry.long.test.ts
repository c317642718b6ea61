import {startRegistry} from '../fakes/registry-server.js'
import type {RegistryOptions} from '../fakes/registry-server.js'
import {describeRegistry} from './registry-contract.js'
import type {RunningRegistry} from './registry-contract.js'

async function running(
  options: RegistryOptions,
  credentials?: RunningRegistry['credentials'],
): Promise<RunningRegistry> {
  const server = await startRegistry(options)
  return {
    host: server.host,
    keepsTags: options.keepsTags === true,
    stop: () => server.close(),
    ...(credentials !== undefined && {credentials}),
  }
}

const user = {username: 'anna', password: 'canary-of-a-password-0815'}
const identityToken = 'canary-of-an-identity-token-0816'

describeRegistry('a registry in memory', () => running({}))
describeRegistry('one with basic authentication', () =>
  running({demand: {kind: 'basic', ...user}}, {kind: 'password', ...user}),
)
describeRegistry('one with tokens for a password', () =>
  running({demand: {kind: 'bearer', ...user}}, {kind: 'password', ...user}),
)
describeRegistry('one with tokens for an identity token', () =>
  running({demand: {kind: 'bearer', ...user, identityToken}}, {kind: 'identity-token', token: identityToken}),
)
describeRegistry('one with anonymous tokens', () => running({demand: {kind: 'bearer'}}))
describeRegistry('one whose tokens expire soon', () =>
  running({demand: {kind: 'bearer', ...user, uses: 3}}, {kind: 'password', ...user}),
)
describeRegistry('one with small pages', () => running({pageSize: 2}))
describeRegistry('one with immutable tags', () => running({keepsTags: true}))
describeRegistry('one that stores blobs on another host', () => running({redirectsBlobs: true}))
describeRegistry('one that is busy', () => running({busyEvery: 5}))
