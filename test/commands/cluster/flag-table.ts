import type {Interfaces} from '@oclif/core'

/** A value of each flag that decides what a command with a cluster does, not the default one. */
export const CLUSTER_VALUES: Readonly<Record<string, readonly string[]>> = {
  api: ['stacks'],
  scope: ['Cluster'],
  cluster: [],
  namespace: ['elsewhere'],
  'all-namespaces': [],
  selector: ['a=b'],
  'system-namespace': ['elsewhere'],
  'dependency-namespace': ['elsewhere'],
  source: ['r.example.org'],
  'image-pull-secret': ['other'],
  'image-pull-policy': ['Never'],
  'service-account-annotation': ['a=b'],
  runtime: ['DIR/runtime.yaml'],
  replicas: ['3'],
  env: ['A=b'],
  limits: ['cpu=1'],
  requests: ['cpu=1'],
  owner: ['zs.example.org=example/provider-sql'],
  assume: ['zs.z.example.org'],
  'crossplane-version': ['none'],
  'allow-version-mismatch': [],
  'core-version': ['v2.0.0'],
  'as-package': ['registry.example.org/example/other:v9.0.0'],
  platform: ['linux/arm64'],
  crd: ['bases.core.example.org'],
  depth: ['0'],
  'no-dependencies': [],
  'include-request': [],
  'with-package-api': [],
  'create-namespace': [],
  'no-pin-image': [],
  'controller-image': ['r.example.org/runner:v1'],
  'templates-from': ['inline'],
  'non-structural': ['preserve'],
  'allow-core-permissions': [],
  'allow-full-deployment': [],
  adopt: [],
  'force-conflicts': [],
  'replace-crds': [],
  'migrate-versions': [],
  'custom-resources': ['replace'],
  'accept-impact': [],
  'v0.12-base': [],
  'assume-no-instances': [],
  'change-settings': [],
  'allow-pruning': [],
  'move-files': [],
  layout: ['flux'],
  'repo-url': ['https://git.example.org/a'],
  message: ['A message'],
  path: ['elsewhere'],
  branch: ['other'],
  pin: ['digest'],
  resolver: ['off'],
  activate: ['used'],
  'revision-activation-policy': ['Manual'],
  'revision-history-limit': ['3'],
  backup: ['DIR/backup'],
  'confirm-delete': ['elsewhere'],
  'with-unused-dependencies': [],
  'ignore-not-found': [],
  'to-revision': ['9'],
  to: ['v9.0.0'],
  name: ['other'],
  family: [],
  with: ['elsewhere:v9.0.0'],
  'check-updates': [],
}

/** Returns the names of the flags of a command. */
export async function flagsOf(command: string): Promise<readonly string[]> {
  const module = (await import(`../../../src/commands/${command.replace(' ', '/')}.js`)) as {
    readonly default: {readonly flags: Interfaces.FlagInput}
  }
  return Object.keys(module.default.flags)
}

/** Removes the value of a flag that the command has anyway. */
export function withoutFormer(argv: readonly string[], flag: string | undefined): readonly string[] {
  const first = flag === undefined ? -1 : argv.indexOf(flag)
  return first === -1 || first === argv.lastIndexOf(flag ?? '') ? argv : argv.toSpliced(first, 2)
}
