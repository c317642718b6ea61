import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {TestCluster} from '../../cluster/api-server.js'
import {freePort} from '../../cluster/free-port.js'
import {accepted, until} from '../../cluster/kube.js'
import {openServerGroup, type ServerGroup} from '../../cluster/server-group.js'
import {crossplane} from '../../cluster/servers.js'
import {programOf, serveCrds} from '../../gitops/programs.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'

const NAMESPACE = 'crossplane-system'
const ACCOUNT = 'crossplane'
const SECRETS = {
  TLS_CA_SECRET_NAME: 'crossplane-root-ca',
  TLS_CLIENT_SECRET_NAME: 'crossplane-tls-client',
  TLS_SERVER_SECRET_NAME: 'crossplane-tls-server',
}

/**
 * Starts Crossplane beside a cluster, as its Helm chart does, but without webhooks: the API server could not reach them by
 * name. Registries on loopback are read in plain HTTP.
 */
export async function startCore(cluster: TestCluster): Promise<ServerGroup> {
  await createChartObjects(cluster)
  const group = await openServerGroup('kubectl-crossplane-core-')
  try {
    await startPrograms(cluster, group)
    return group
  } catch (error) {
    const message = `Crossplane did not start\n${group.lastLines(15)}`
    await group.stop()
    throw new Error(message, {cause: error})
  }
}

async function createChartObjects({kube}: TestCluster): Promise<void> {
  const inNamespace = (kind: string, name: string) => ({
    apiVersion: 'v1',
    kind,
    metadata: {name, namespace: NAMESPACE},
  })
  accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}}))
  accepted(await kube.create(inNamespace('ServiceAccount', ACCOUNT)))
  for (const name of Object.values(SECRETS)) accepted(await kube.create(inNamespace('Secret', name)))
  // Its own step creates them too, but fails when they are not served yet.
  await serveCrds(kube, [crossplane])
}

async function startPrograms(cluster: TestCluster, group: ServerGroup): Promise<void> {
  const program = programOf(crossplane)
  const at = (name: string) => {
    const path = join(group.folder, name)
    mkdirSync(path)
    return path
  }
  const [crds, tls, cache] = [at('crds'), at('tls'), at('cache')]
  writeFileSync(join(crds, 'crds.yaml'), readFileSync(join(dirname(program), 'crds.yaml')))
  const env = {
    KUBECONFIG: cluster.kubeconfig,
    POD_NAMESPACE: NAMESPACE,
    POD_SERVICE_ACCOUNT: ACCOUNT,
    ...SECRETS,
  }
  await initialized(cluster, group, () =>
    group.start(
      'crossplane-init',
      program,
      ['core', 'init', '--enable-webhooks=false', `--cr-ds-path=${crds}`],
      env,
    ),
  )
  await writeCertificates(cluster, tls)
  await group.start(
    'crossplane',
    program,
    [
      'core',
      'start',
      '--debug',
      '--enable-webhooks=false',
      `--tls-client-certs-dir=${tls}`,
      `--xpkg-cache-dir=${cache}`,
      `--metrics-port=${await freePort()}`,
      `--health-probe-port=${await freePort()}`,
    ],
    env,
  )
}

/** Starts the RBAC manager beside a cluster with Crossplane. */
export async function startRbacManager(cluster: TestCluster): Promise<ServerGroup> {
  const group = await openServerGroup('kubectl-crossplane-rbac-')
  await group.start('crossplane-rbac', programOf(crossplane), ['rbac', 'start', '--debug'], {
    KUBECONFIG: cluster.kubeconfig,
    POD_NAMESPACE: NAMESPACE,
  })
  return group
}

/** The last object that the first step makes. */
const RUNTIME_CONFIG = {
  apiVersion: 'pkg.crossplane.io/v1beta1',
  kind: 'DeploymentRuntimeConfig',
  metadata: {name: 'default'},
}

async function initialized(
  {kube}: TestCluster,
  group: ServerGroup,
  start: () => Promise<void>,
): Promise<void> {
  await start()
  await until(
    () => kube.get(RUNTIME_CONFIG),
    ({code}) => code === 200,
    60,
  )
  // It has ended, or will with its work done.
  await group.kill('crossplane-init')
}

async function writeCertificates({kube}: TestCluster, folder: string): Promise<void> {
  const {data} = accepted(
    await kube.get({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: SECRETS.TLS_CLIENT_SECRET_NAME, namespace: NAMESPACE},
    }),
  )
  for (const name of ['ca.crt', 'tls.crt', 'tls.key'])
    writeFileSync(join(folder, name), Buffer.from(asText(asObject(data)[name]), 'base64'))
}
