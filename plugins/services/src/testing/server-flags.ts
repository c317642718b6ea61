import {join} from 'node:path'

/** Returns the flags of an etcd whose data need not survive. */
export function etcdFlags(folder: string, client: number, peer: number): readonly string[] {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ]
}

/** Returns the flags of an API server that accepts service accounts which no controller creates. */
export function apiServerFlags(folder: string, etcd: number, port: number): readonly string[] {
  const key = join(folder, 'service-account.key')
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--disable-admission-plugins=ServiceAccount',
  ]
}

/** Returns a kubeconfig of its administrator. */
export function kubeconfigOf(server: string, ca: string, token: string): object {
  const authority = Buffer.from(ca).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{name: 'test', cluster: {server, 'certificate-authority-data': authority}}],
    users: [{name: 'admin', user: {token}}],
    contexts: [{name: 'test', context: {cluster: 'test', user: 'admin'}}],
  }
}
