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
describeRegistry('one with basic', () =>
  running({demand: {kind: 'basic', ...user}}, {kind: 'password', ...user}),
)
describeRegistry('one with tokens for a password', () =>
  running({demand: {kind: 'bearer', ...user}}, {kind: 'password', ...user}),
)
describeRegistry('one with tokens for an identity token', () =>
  running({demand: {kind: 'bearer', ...user, identityToken}}, {kind: 'identity-token', token: identityToken}),
)
describeRegistry('one with tokens for anybody', () => running({demand: {kind: 'bearer'}}))
describeRegistry('one whose tokens are soon used up', () =>
  running({demand: {kind: 'bearer', ...user, uses: 3}}, {kind: 'password', ...user}),
)
describeRegistry('one that pages', () => running({pageSize: 2}))
describeRegistry('one that keeps its tags', () => running({keepsTags: true}))
describeRegistry('one that keeps its blobs elsewhere', () => running({redirectsBlobs: true}))
describeRegistry('one that is busy', () => running({busyEvery: 5}))
