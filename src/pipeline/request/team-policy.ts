import {readPolicyFile} from '../../declaration/policy/read-policy.js'
import type {Policy} from '../../declaration/policy/policy.js'
import {CrossplaneError} from '../../errors.js'
import {canonicalName} from '../../reference/repository-name.js'
import {ownerRuleFor} from '../../resolve/solver/owner-rule.js'
import type {OwnerRule} from '../../resolve/solver-input.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import {signatureRules} from './signature-rules.js'
import type {ReadDeclaration} from './given-settings.js'
import type {InputFiles} from './input-files.js'
import type {ResolutionSettings} from './request-query.js'

/**
 * Reads the policies that a flag and the declaration name, or what of them applies to a removal. Both apply: the author of a
 * declaration must not weaken the policy of its reviewers, nor that of its base. Throws `not-found` and `input-invalid`.
 */
export async function readTeamPolicies(
  {policy: flag, isRemoval}: Pick<ResolutionSettings, 'policy' | 'isRemoval'>,
  inputs: InputFiles,
  declaration?: ReadDeclaration,
): Promise<readonly TeamPolicy[]> {
  const {policy: own, basePolicy} = declaration?.content ?? {}
  const declared = [own, basePolicy].filter(path => path !== undefined)
  const policies = [
    ...(flag === undefined ? [] : [await policyIn(flag, '--policy', inputs)]),
    ...(await Promise.all(
      declared.map(path => policyIn(inputs.beside(declaration?.path ?? '', path), 'policy', inputs)),
    )),
  ]
  return isRemoval === true ? policies.map(forRemoval) : policies
}

/** Returns the rules for signatures of several policies, each of which applies. */
export function signatureRulesOf(teams: readonly TeamPolicy[]): readonly SignatureRule[] {
  return teams.flatMap(({signatureRules}) => signatureRules)
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

/** An owner, and where it is written, for the error. */
interface PlacedOwner extends OwnerRule {
  readonly place: () => string
}

/**
 * Joins the owners of policies with others, which can assign further groups. Throws `policy-refused`, with both places,
 * for a group that another package owns by a policy.
 */
export function joinOwners(
  policies: readonly Policy[],
  {flags, declared, declaration, defaultSource}: WrittenOwners,
): OwnerRule[] {
  const own: readonly PlacedOwner[] = [
    ...flags.map(rule => ({...rule, place: () => '--owner'})),
    ...declared.map(rule => ({...rule, place: () => placeIn(declaration, rule.group)})),
  ]
  const joined = policies.reduce((all, policy) => withPolicyOwners(all, policy, defaultSource), own)
  return joined.map(({group, identity}) => ({group, identity}))
}

function withPolicyOwners(
  own: readonly PlacedOwner[],
  {owners, file}: Policy,
  defaultSource: string | undefined,
): readonly PlacedOwner[] {
  const nameOf = ({identity}: OwnerRule) => canonicalName(identity, defaultSource)
  const rules = owners.map(({group, package: identity, line}) => ({group, identity, line}))
  for (const rule of own) {
    const decided = ownerRuleFor(rule.group, rules)
    if (decided === undefined || nameOf(decided) === nameOf(rule)) continue
    throw contradiction(rule, {...decided, file})
  }
  const groups = new Set(own.map(({group}) => group))
  const further = rules.filter(({group}) => !groups.has(group))
  return [...own, ...further.map(rule => ({...rule, place: () => `line ${rule.line} of ${file}`}))]
}

function contradiction(
  {group, identity, place: placeOf}: PlacedOwner,
  decided: OwnerRule & {readonly line: number; readonly file: string},
): CrossplaneError {
  const {file, line} = decided
  const place = placeOf()
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
