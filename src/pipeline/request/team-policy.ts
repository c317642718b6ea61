import {readPolicyFile} from '../../declaration/policy/read-policy.js'
import type {Policy} from '../../declaration/policy/policy.js'
import {CrossplaneError} from '../../errors.js'
import {canonicalName} from '../../reference/repository-name.js'
import {ownerRuleFor} from '../../resolve/solver/owner-rule.js'
import type {OwnerRule} from '../../resolve/solver-input.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import {signatureRules} from './signature-rules.js'
import {flagAndField, type ReadDeclaration} from './given-settings.js'
import type {InputFiles} from './input-files.js'
import type {ResolutionSettings} from './request-query.js'

/**
 * Reads the policy that a flag or the declaration names, or what of it applies to a removal. Throws `usage` if both name one,
 * `not-found`, and `input-invalid`.
 */
export async function readTeamPolicy(
  {policy, isRemoval}: Pick<ResolutionSettings, 'policy' | 'isRemoval'>,
  inputs: InputFiles,
  declaration?: ReadDeclaration,
): Promise<TeamPolicy | undefined> {
  const team = await namedPolicy(policy, inputs, declaration)
  return team !== undefined && isRemoval === true ? forRemoval(team) : team
}

async function namedPolicy(
  flag: string | undefined,
  inputs: InputFiles,
  declaration?: ReadDeclaration,
): Promise<TeamPolicy | undefined> {
  const field = declaration?.content.policy
  if (declaration !== undefined && flag !== undefined && field !== undefined) {
    throw flagAndField('--policy', 'policy', declaration)
  }
  if (flag !== undefined) return await policyIn(flag, '--policy', inputs)
  if (declaration === undefined || field === undefined) return undefined
  return await policyIn(inputs.beside(declaration.path, field), 'policy', inputs)
}

async function policyIn(path: string, flag: string, inputs: InputFiles): Promise<TeamPolicy> {
  const {name, bytes} = await inputs.read(path, flag)
  const policy = readPolicyFile(name, bytes)
  return {...policy, signatureRules: await signatureRules(policy, path, inputs)}
}

/** A policy with the keys and roots that it names. */
export interface TeamPolicy extends Policy {
  readonly signatureRules: readonly SignatureRule[]
}

/**
 * Returns what of a policy decides about a change that adds no package. Signatures stay, because the images of a tree have the
 * digests that were verified.
 */
function forRemoval({sources: _sources, limits, ...policy}: TeamPolicy): TeamPolicy {
  const {packages: _packages, ...others} = limits
  return {...policy, limits: others}
}

/** Where the owners of a request are written. */
export interface WrittenOwners {
  readonly flags: readonly OwnerRule[]
  /** Of the declaration, without those that a flag replaces. */
  readonly declared: readonly OwnerRule[]
  readonly declaration?: ReadDeclaration
  readonly defaultSource?: string
}

/**
 * Joins the owners of a policy with others, which can assign further groups. Throws `policy-refused`, with both places,
 * for a group that another package owns by the policy.
 */
export function joinOwners(
  policy: Policy | undefined,
  {flags, declared, declaration, defaultSource}: WrittenOwners,
): OwnerRule[] {
  const own = [...flags, ...declared]
  if (policy === undefined) return own
  const nameOf = ({identity}: OwnerRule) => canonicalName(identity, defaultSource)
  const rules = policy.owners.map(({group, package: identity, line}) => ({group, identity, line}))
  for (const rule of own) {
    const decided = ownerRuleFor(rule.group, rules)
    if (decided === undefined || nameOf(decided) === nameOf(rule)) continue
    const place = flags.includes(rule) ? '--owner' : placeIn(declaration, rule.group)
    throw contradiction(rule, place, {...decided, file: policy.file})
  }
  const groups = new Set(own.map(({group}) => group))
  return [...own, ...rules.flatMap(({group, identity}) => (groups.has(group) ? [] : [{group, identity}]))]
}

function contradiction(
  {group, identity}: OwnerRule,
  place: string,
  decided: OwnerRule & {readonly line: number; readonly file: string},
): CrossplaneError {
  const {file, line} = decided
  return new CrossplaneError(
    'policy-refused',
    `cannot use the owner ${identity} of ${group} in ${place}: line ${line} of ${file} assigns ${decided.group} to ${decided.identity}`,
    {
      diagnostics: [
        {
          ...{severity: 'error', rule: 'policy-owner', field: `owners["${decided.group}"]`, file, line},
          message: `${decided.group} is assigned to ${decided.identity}`,
        },
      ],
      suggestions: [`Remove ${group} from the owners in ${place}, or change ${file}.`],
    },
  )
}

/** The line is looked up only for the error. */
function placeIn(declaration: ReadDeclaration | undefined, group: string): string {
  if (declaration === undefined) return 'the declaration'
  const {name, bytes} = declaration
  const line = bytes === undefined ? undefined : readYaml(bytes, name)[0]?.lineOf(['owners', group])
  return line === undefined ? name : `line ${line} of ${name}`
}

/** Returns a policy whose owners without a registry are on the default source, as packages are. */
export function withFullOwners<Own extends Pick<Policy, 'owners'>>(
  policy: Own,
  defaultSource: string | undefined,
): Own {
  const owners = policy.owners.map(owner => ({
    ...owner,
    package: canonicalName(owner.package, defaultSource),
  }))
  return {...policy, owners}
}
