import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import {flagAndField, type ReadDeclaration} from './given-settings.js'

/** Returns the version of Crossplane of a command line or a declaration. Throws `usage` if both have one, with other values. */
export function coreVersionOf(
  flag: string | undefined,
  declaration: ReadDeclaration | undefined,
): string | undefined {
  const declared = declaration?.content.coreVersion
  if (flag === undefined) return declared
  if (declaration !== undefined && declared !== undefined && declared !== flag)
    throw flagAndField('--core-version', 'coreVersion', declaration)
  expectCoreVersion(flag)
  return flag
}

/** Throws `usage` for a flag that is not a version. */
export function expectCoreVersion(flag: string | undefined): void {
  if (flag === undefined || candidateVersion(flag, 'v3') !== undefined) return
  throw new CrossplaneError('usage', `--core-version ${quoted(flag)} is not a version of Crossplane`, {
    suggestions: ['Use a complete version, such as v2.3.4.'],
  })
}
