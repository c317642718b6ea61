import type {Interfaces} from '@oclif/core'

/** A value, not the default one, of each flag that decides what is made of packages, in a cluster or without one. */
export const FLAG_VALUES: Readonly<Record<string, readonly string[]>> = {
  api: ['stacks'],
  scope: ['Cluster'],
  cluster: [],
  namespace: ['elsewhere'],
  'system-namespace': ['elsewhere'],
  'dependency-namespace': ['elsewhere'],
  source: ['r.example.org'],
  'image-pull-secret': ['other'],
  'image-pull-policy': ['Never'],
  'service-account-annotation': ['a=b'],
  owner: ['zs.example.org=example/provider-sql'],
  assume: ['zs.z.example.org'],
  'crossplane-version': ['none'],
  'allow-version-mismatch': [],
  'core-version': ['v2.0.0'],
  'as-package': ['registry.example.org/example/other:v9.0.0'],
  platform: ['linux/arm64'],
}

/** Returns the names of the flags of a command. */
export async function flagsOf(command: string): Promise<readonly string[]> {
  const module = (await import(`../../src/commands/${command.replace(' ', '/')}.js`)) as {
    readonly default: {readonly flags: Interfaces.FlagInput}
  }
  return Object.keys(module.default.flags)
}

/** Removes the value of a flag that the command has anyway. */
export function withoutFormer(argv: readonly string[], flag: string | undefined): readonly string[] {
  const first = flag === undefined ? -1 : argv.indexOf(flag)
  return first === -1 || first === argv.lastIndexOf(flag ?? '') ? argv : argv.toSpliced(first, 2)
}
