import {existsSync} from 'node:fs'
import type {Bundle} from '../../bundles/open-bundle.js'
import {CrossplaneError} from '../../errors.js'
import {readRequest, type RequestPorts} from '../../pipeline/request/read-request.js'
import {readTeamPolicies, signatureRulesOf, type TeamPolicy} from '../../pipeline/request/team-policy.js'
import type {SignatureReport, VerificationRules} from '../../pipeline/verify/verify-package.js'
import {present} from '../../present.js'
import type {verifyCommandFlags} from './verify-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {withDefaultDeclaration} from '../sources/default-declaration.js'
import {resolutionQuery} from '../declaration/resolution-query.js'
import {hasSigner, signerRule} from './signer-rule.js'
import {isBundle, openBundleAt} from '../sources/bundles.js'
import {requestPorts} from '../packages/package-ports.js'
import type {Progress} from '../shell/progress/step-event.js'

/** The words of a command line that say what to verify. */
interface VerificationWords {
  readonly ref?: string
  readonly flags: FlagValues<typeof verifyCommandFlags>
  readonly flagNames: ReadonlySet<string>
}

/** Verifies what a command line names: a package, a bundle or a declaration. Throws `usage`, and as these do. */
export async function givenVerification(
  {ref, flags: parsed, flagNames}: VerificationWords,
  shown: Progress,
): Promise<SignatureReport> {
  const flags = withDefaultDeclaration(ref, parsed)
  const ports = requestPorts(flags, shown)
  const {cryptography} = ports.signatures
  if (ref === undefined || flags.declaration !== undefined) {
    const query = resolutionQuery({ref}, flags, flagNames)
    const request = await readRequest(query, ports)
    const rules = await rulesOf(
      flags,
      await readTeamPolicies(flags, ports.inputs, request.declaration),
      ports,
    )
    const {verifyRequest} = await import('../../pipeline/verify/verify-request.js')
    return await verifyRequest(request, rules, {cryptography})
  }
  const rules = await rulesOf(flags, await readTeamPolicies(flags, ports.inputs), ports)
  const packages = {...(await ports.packages()), cryptography}
  const bundle = await bundleIn(ref, flags.base)
  if (bundle !== undefined) {
    const {verifyBundled} = await import('../../pipeline/verify/verify-bundled.js')
    return await verifyBundled(bundle, rules, packages)
  }
  const {verifyPackage} = await import('../../pipeline/verify/verify-package.js')
  const named = {reference: ref, ...present({asPackage: flags['as-package']})}
  return await verifyPackage(named, rules, packages)
}

/** Opens the bundle that a reference names as a file, a layout or an archive; undefined if it is not one. */
async function bundleIn(reference: string, bases?: readonly string[]): Promise<Bundle | undefined> {
  const path = reference.replace(/^oci(?:-archive)?:(?!\/\/)/, '')
  if (!existsSync(path) || (path === reference && !isBundle(path))) return undefined
  try {
    return await openBundleAt(path, bases)
  } catch (error) {
    if (path !== reference && error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

/** The rules of flags and of policies, each of which applies. Throws `usage` without any. */
async function rulesOf(
  flags: VerificationWords['flags'],
  teams: readonly TeamPolicy[],
  {inputs}: Pick<RequestPorts, 'inputs'>,
): Promise<VerificationRules> {
  const imageRules = signatureRulesOf(teams)
  const [first] = teams
  if (hasSigner(flags) || first === undefined)
    return {rules: [await signerRule(flags, inputs), ...imageRules], imageRules}
  if (imageRules.length > 0) return {rules: imageRules, imageRules}
  throw new CrossplaneError('usage', `${first.file} requires no signatures`, {
    suggestions: [`Add signatures to ${first.file}, or pass --key FILE.`],
  })
}
